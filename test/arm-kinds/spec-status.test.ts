import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../runtime/api/kinds.ts';
import type { StatusTree } from '../../runtime/api/schema/status-schema.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';
import { isObject, type JsonObject } from '../../runtime/base/json.ts';

const shown = (group: string, kind: string, body: JsonObject) => {
  const definition = kindOf(group, kind) as ArmKindDefinition;
  return { status: catalogueModel(definition).status(body), declared: definition.arm.status ?? {} };
};

/** The paths of a status that its kind does not declare. */
function undeclared(value: unknown, tree: StatusTree | undefined, path = ''): string[] {
  if (tree === undefined) return [path];
  if (Array.isArray(value))
    return value.flatMap((item) => undeclared(item, Array.isArray(tree) ? tree[0] : undefined, `${path}[]`));
  if (!isObject(value) || tree === 'any') return [];
  const members = tree as Readonly<Record<string, StatusTree>>;
  return Object.entries(value).flatMap(([name, member]) =>
    undeclared(member, members['*'] ?? members[name], `${path}.${name}`),
  );
}

test('a kind whose status ASO does not type declares what Azure shows of its spec', () => {
  const id = '/subscriptions/s/resourceGroups/g/providers/Microsoft.DatabaseWatcher/watchers/w/targets/t';
  const database = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Sql/servers/s/databases/d';
  const { status, declared } = shown('databasewatcher.azure.com', 'Target', {
    id,
    name: 't',
    type: 'Microsoft.DatabaseWatcher/watchers/targets',
    properties: {
      targetType: 'SqlDb',
      sqlDbResourceId: database,
      connectionServerName: 's.database.windows.net',
      targetAuthenticationType: 'Aad',
      readIntent: true,
      provisioningState: 'Succeeded',
    },
  });
  const { id: _, ...members } = status;
  expect(undeclared(members, declared)).toEqual([]);
  expect(status).toMatchObject({ properties: { sqlDb: { sqlDbResourceId: database } } });
});

test('members of ARM are declared where the status flattens them', () => {
  const { status, declared } = shown('kusto.azure.com', 'ClusterPrincipalAssignment', {
    name: 'a',
    type: 'Microsoft.Kusto/clusters/principalAssignments',
    properties: { principalId: 'p', role: 'AllDatabasesViewer', principalType: 'App', provisioningState: 'Succeeded' },
  });
  expect(undeclared(status, declared)).toEqual([]);
  expect(status).toMatchObject({ principalId: 'p', provisioningState: 'Succeeded' });
});
