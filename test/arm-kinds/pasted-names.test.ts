import { expect, test } from '@jest/globals';
import { armResourceModel } from '../../runtime/arm-kinds/arm-resource.ts';
import { annotations } from '../../runtime/arm-kinds/names.ts';
import { objectLinks } from '../../runtime/arm-kinds/object-links.ts';
import { policyOf } from '../../runtime/arm-kinds/policy.ts';
import { modelOf } from '../../runtime/compute/plan/needs.ts';

const subscription = '5f0c1f5c-0000-4000-8000-000000000001';
const group = `/subscriptions/${subscription}/resourceGroups/rg`;
const object = (spec: object, own: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { namespace: 'default', name: 'x', annotations: own },
  spec,
});

test('blanks and line feeds around the owner, the name in Azure, references and Secrets of a resource do not count', () => {
  const model = modelOf('sql.azure.com', 'Server');
  if (!model) throw new Error('the kind has no model');
  const server = object({
    azureName: 'shop\n',
    owner: { name: 'rg ' },
    administratorLoginPassword: { name: ' input', key: 'password\n' },
    primaryUserAssignedIdentityReference: { armId: `${group}/providers/Microsoft.ManagedIdentity/x/y\n` },
  });
  expect(objectLinks(model, server).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'ResourceGroup rg',
    'Secret input',
  ]);
  expect(model.inputs(server)).toContainEqual(
    expect.objectContaining({ type: 'secret', name: 'input', key: 'password' }),
  );
  const id = model.resourceId(server, { armId: group }, subscription);
  expect(id).toBe(`${group}/providers/Microsoft.Sql/servers/shop`);
  expect(model.owner(object({ owner: { armId: `${group}\n` } }))).toEqual({ armId: group });
});

test('the same holds for a resource of any type', () => {
  const spec = { type: 'Microsoft.Sql/servers@2021-11-01\n', azureName: ' shop', owner: { armId: ` ${group}` } };
  expect(armResourceModel.owner(object(spec))).toEqual({ armId: group });
  expect(armResourceModel.apiVersion(object(spec))).toBe('2021-11-01');
  const id = armResourceModel.resourceId(object(spec), { armId: group }, subscription);
  expect(id).toBe(`${group}/providers/Microsoft.Sql/servers/shop`);
});

test('ids in a body are sent without blanks around them, and all other texts as they are', () => {
  const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const subnet = `${group}/providers/Microsoft.Network/virtualNetworks/x/subnets/y`;
  const body = {
    tags: { note: ' a blank', team: `${tenant}\n` },
    properties: {
      tenantId: `${tenant}\n`,
      objectIds: [` ${tenant}`, tenant],
      rules: [{ id: `\u200b${subnet}\n` }, { id: `${subnet}\n/z` }],
      script: 'echo\n',
      value: `${tenant}\n`,
    },
  };
  const wanted = {
    tags: body.tags,
    properties: {
      ...body.properties,
      tenantId: tenant,
      objectIds: [tenant, tenant],
      rules: [{ id: subnet }, { id: `${subnet}\n/z` }],
    },
  };
  const spec = { type: 'Microsoft.Sql/servers@2021-11-01', body };
  expect(armResourceModel.body(object(spec), new Map())).toEqual(wanted);
  const vault = object({ properties: { tenantId: `${tenant}\n`, sku: { family: 'A', name: 'standard' } } });
  expect(modelOf('keyvault.azure.com', 'Vault')?.body(vault, new Map())).toMatchObject({
    properties: { tenantId: tenant },
  });
});

test('a policy with a line feed protects the resource', () => {
  expect(policyOf(object({}, { [annotations.reconcilePolicy]: 'detach-on-delete\n' }), undefined, 'manage')).toBe(
    'detach-on-delete',
  );
});
