import { expect, test } from '@jest/globals';
import { kindOf } from '../../../runtime/api/kinds.ts';
import type { FieldTree } from '../../../runtime/api/types.ts';
import { rootPath } from '../../../runtime/arm-kinds/body/arm-body.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import { movedFields } from '../../../runtime/arm-kinds/moved/moved-fields.ts';
import { withMovedFrom, withMovedValues } from '../../../runtime/arm-kinds/moved/with-moved.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';

const named = (id: string) => {
  const [group = '', kind = ''] = id.split('/');
  return { group, kind };
};

/** All paths of a kind's body; `[]` after a list. */
function pathsOf(id: string): Set<string> {
  const { group, kind } = named(id);
  const { arm } = kindOf(group, kind);
  const found = new Set<string>();
  const walk = (tree: FieldTree, path: string): void => {
    found.add(path);
    for (const [name, child] of Object.entries(tree.properties ?? {})) {
      walk(child, [path, child.arm ?? name].filter(Boolean).join('.'));
    }
    if (tree.items) walk(tree.items, `${path}[]`);
  };
  if (!arm) throw new Error(`${id} is no ARM kind`);
  for (const [name, tree] of Object.entries(arm.fields.properties ?? {})) walk(tree, rootPath(arm, name, tree));
  return found;
}

test('every member of the table, with its condition and its limits, is one of the kind', () => {
  for (const { kinds, path, while: condition, moves } of movedFields) {
    const limits =
      moves.by === 'range' ? [moves.least ?? path, moves.most] : moves.by === 'exchange' ? moves.among : [];
    for (const kind of kinds) {
      const all = pathsOf(kind);
      for (const each of [path, condition?.path ?? path, ...limits])
        expect([kind, all.has(each), each]).toContain(true);
    }
  }
});

const cluster = (version: string, upgradeChannel?: string, pool: object = {}): JsonObject => ({
  properties: {
    kubernetesVersion: version,
    ...(upgradeChannel && { autoUpgradeProfile: { upgradeChannel } }),
    agentPoolProfiles: [{ name: 'one', ...pool }],
  },
});
const server = (storage: object): JsonObject => ({ properties: { storage } });
const scaling = (count: number) => ({ enableAutoScaling: true, count, minCount: 2, maxCount: 5 });
const cosmos = (one: number, two: number, [east, west] = ['eastus', 'westus']) => ({
  properties: {
    enableAutomaticFailover: true,
    locations: [
      { locationName: east, failoverPriority: one },
      { locationName: west, failoverPriority: two },
    ],
  },
});
const zones = (own: string, standby?: string) => ({
  properties: {
    availabilityZone: own,
    highAvailability: { mode: 'ZoneRedundant', ...(standby && { standbyAvailabilityZone: standby }) },
  },
});
const aks = 'containerservice.azure.com/ManagedCluster';
const postgres = 'dbforpostgresql.azure.com/FlexibleServer';
const spark = (nodeCount: number) => ({
  properties: {
    computeType: 'SynapseSpark',
    properties: { nodeCount, autoScaleProperties: { enabled: true, minNodeCount: 3, maxNodeCount: 10 } },
  },
});
const extension = 'compute.azure.com/VirtualMachinesExtension';
const agent = (typeHandlerVersion: string, autoUpgradeMinorVersion = true) => ({
  properties: { typeHandlerVersion, autoUpgradeMinorVersion },
});

test.each<[string, string, object, object]>([
  ['a patch', aks, cluster('1.29.2', 'patch'), cluster('1.29.7', 'patch')],
  ['a patch of a version without one', aks, cluster('1.29', 'patch'), cluster('1.29.7', 'patch')],
  ['a minor version', aks, cluster('1.29.2', 'stable'), cluster('1.30.0', 'stable')],
  ['a word in another case', aks, cluster('1.29.2', 'Rapid'), cluster('1.31.0', 'Rapid')],
  ['a count', aks, cluster('1.29.2', 'none', scaling(2)), cluster('1.29.2', 'none', scaling(5))],
  ['a count downwards', aks, cluster('1.29.2', 'none', scaling(4)), cluster('1.29.2', 'none', scaling(2))],
  [
    'a size',
    postgres,
    server({ storageSizeGB: 32, autoGrow: 'Enabled' }),
    server({ storageSizeGB: 64, autoGrow: 'Enabled' }),
  ],
  ['a tier', postgres, server({ tier: 'P4', autoGrow: 'Enabled' }), server({ tier: 'P10', autoGrow: 'Enabled' })],
  ['zones', postgres, zones('1', '2'), zones('2', '1')],
  ['priorities', 'documentdb.azure.com/DatabaseAccount', cosmos(0, 1), cosmos(1, 0)],
  ['a handler', extension, agent('2.1'), agent('2.31')],
  ['nodes', 'machinelearningservices.azure.com/WorkspacesCompute', spark(3), spark(7)],
])('%s that Azure moved within the spec is no difference, and a PUT keeps it', (_, kind, declared, live) => {
  const body = declared as JsonObject;
  expect(armDiff(body, live)).not.toEqual([]);
  expect(armDiff(withMovedValues(named(kind), body), live)).toEqual([]);
  expect(armDiff(withMovedFrom(named(kind), body, live as JsonObject), live)).toEqual([]);
});

test.each<[string, string, object, object]>([
  ['an earlier patch', aks, cluster('1.29.7', 'patch'), cluster('1.29.2', 'patch')],
  ['a minor version on the channel patch', aks, cluster('1.29.2', 'patch'), cluster('1.30.1', 'patch')],
  ['another major version', aks, cluster('1.29.2', 'rapid'), cluster('2.0.0', 'rapid')],
  ['a version without a channel', aks, cluster('1.29.2'), cluster('1.29.7')],
  ['a version on the channel none', aks, cluster('1.29.2', 'none'), cluster('1.29.7', 'none')],
  ['a word', aks, cluster('1.29.2', 'patch'), cluster('latest', 'patch')],
  ['a count above the maximum', aks, cluster('1.29.2', 'none', scaling(2)), cluster('1.29.2', 'none', scaling(6))],
  ['a count below the minimum', aks, cluster('1.29.2', 'none', scaling(2)), cluster('1.29.2', 'none', scaling(1))],
  ['a count without scaling', aks, cluster('1', 'none', { count: 2 }), cluster('1', 'none', { count: 3 })],
  [
    'a smaller size',
    postgres,
    server({ storageSizeGB: 64, autoGrow: 'Enabled' }),
    server({ storageSizeGB: 32, autoGrow: 'Enabled' }),
  ],
  [
    'a size without growth',
    postgres,
    server({ storageSizeGB: 32, autoGrow: 'Disabled' }),
    server({ storageSizeGB: 64, autoGrow: 'Disabled' }),
  ],
  ['a third zone', postgres, zones('1', '2'), zones('3', '2')],
  ['another major handler', extension, agent('2.1'), agent('3.0')],
  ['a handler without upgrades', extension, agent('2.1', false), agent('2.31', false)],
  ['a value of another kind', 'eventhub.azure.com/Namespace', { sku: { capacity: 1 } }, { sku: { capacity: 2 } }],
])('%s is a difference, and a PUT sends the declared value', (_, kind, declared, live) => {
  const body = declared as JsonObject;
  expect(armDiff(withMovedValues(named(kind), body), live)).not.toEqual([]);
  expect(withMovedFrom(named(kind), body, live as JsonObject)).toEqual(body);
});

test('a PUT over a moved value leaves the declared body as it was, and other declared values count', () => {
  const declared = cluster('1.29.2', 'patch', { ...scaling(2), mode: 'System' });
  const before = structuredClone(declared);
  const live = cluster('1.29.7', 'patch', { ...scaling(4), mode: 'User' });
  const sent = withMovedFrom(named(aks), declared, live);
  expect(sent).toEqual(cluster('1.29.7', 'patch', { ...scaling(4), mode: 'System' }));
  expect(declared).toEqual(before);
  expect(withMovedFrom(named('azimuth.dev/ArmResource'), declared, live)).toBe(declared);
});

test('a later declared version is sent', () => {
  const sent = withMovedFrom(named(aks), cluster('1.29.9', 'patch'), cluster('1.29.7', 'patch'));
  expect(sent).toEqual(cluster('1.29.9', 'patch'));
});
