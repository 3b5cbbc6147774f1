import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ArmKindDefinition } from '../../runtime/api/kinds.ts';
import { kindByResource } from '../../runtime/api/kinds.ts';
import { bodyPathOf, withLiveAt, withoutPaths } from '../../runtime/arm-kinds/body/ignored-fields.ts';
import { armRequests, condition, events, startWorld, types, until, untilReady, type World } from './support.ts';

let world: World;
const accountVersion = '2023-01-01';
const spec = {
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
  tags: { team: 'one', cost: 'a' },
  minimumTlsVersion: 'TLS1_2',
};
const account = /storageAccounts\/drifting1$/;

beforeAll(async () => {
  world = await startWorld();
  await world.startOperator({}, { syncPeriodMs: 300 });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
});
afterAll(() => world?.close());

/** The second read from now on begins after the present run. */
async function untilRead(times: number): Promise<void> {
  const reads = armRequests(world, 'GET', account).length;
  await until('several reads', async () => armRequests(world, 'GET', account).length >= reads + times);
}
const live = async (id: string) => (await world.portal.arm('GET', id, accountVersion)).body;
const notes = async (reason: string) => {
  const all = (await world.client.list(events)).items;
  return all.filter((event) => event['reason'] === reason).map((event) => String(event['note']));
};

test('the operator restores fields that somebody changed in Azure, and an event names them', async () => {
  await world.apply(types.account, 'drifting1', spec);
  const id = (await untilReady(world, types.account, 'drifting1'))['status'].id as string;
  const before = armRequests(world, 'PUT', account).length;
  await world.portal.arm('PATCH', id, accountVersion, { tags: { team: 'intruder', cost: 'a' } });
  await until('the tag is back', async () => (await live(id)).tags.team === 'one');
  await until('an event names it', async () => (await notes('RepairingDrift')).length === 1);
  expect(await notes('RepairingDrift')).toEqual([
    'Azure differs from the declared state at tags.team; the operator restores it',
  ]);
  expect(armRequests(world, 'PUT', account).length).toBe(before + 1);
});

test('ignored fields are left alone by the comparison and by a PUT that is needed for other reasons', async () => {
  const metadata = { annotations: { 'azimuth.dev/ignore-fields': 'tags.cost spec.minimumTlsVersion' } };
  await world.apply(types.account, 'drifting1', spec, metadata);
  const id = (await untilReady(world, types.account, 'drifting1'))['status'].id as string;
  const before = armRequests(world, 'PUT', account).length;
  await untilRead(2);
  const changed = { tags: { team: 'one', cost: 'b' }, properties: { minimumTlsVersion: 'TLS1_1' } };
  await world.portal.arm('PATCH', id, accountVersion, changed);
  await untilRead(4);
  expect(armRequests(world, 'PUT', account).length).toBe(before);

  await world.apply(types.account, 'drifting1', { ...spec, tags: { ...spec.tags, team: 'two' } }, metadata);
  await until('the other tag is sent', async () => (await live(id)).tags.team === 'two');
  expect(await live(id)).toMatchObject({
    tags: { team: 'two', cost: 'b' },
    properties: { minimumTlsVersion: 'TLS1_1' },
  });
});

test('a PUT keeps tags of others, and removes a tag that left the spec', async () => {
  const others = { location: 'westeurope', tags: { team: 'one', cost: 'a' } };
  await world.apply(types.group, 'tagged', others);
  const id = (await untilReady(world, types.group, 'tagged'))['status'].id as string;
  const group = async () => (await world.portal.arm('GET', id, '2021-04-01')).body;
  await world.portal.arm('PATCH', id, '2021-04-01', { tags: { ...others.tags, policy: 'p' } });
  await world.apply(types.group, 'tagged', { ...others, tags: { team: 'two' } });
  await until('the new tags are sent', async () => (await group()).tags.team === 'two');
  expect((await group()).tags).toEqual({ team: 'two', policy: 'p' });
});

test('the condition names a path that is no field', async () => {
  const metadata = { annotations: { 'azimuth.dev/ignore-fields': 'tags.cost, sku.nonsense' } };
  await world.apply(types.account, 'drifting1', spec, metadata);
  const failed = await untilReady(world, types.account, 'drifting1', 'ReconciliationFailedPermanently');
  expect(condition(failed)?.message).toContain(
    'azimuth.dev/ignore-fields names sku.nonsense, which is no field of StorageAccount',
  );
  await world.apply(types.account, 'drifting1', spec);
  await untilReady(world, types.account, 'drifting1');
});

test('paths of the spec are found where ARM has them', () => {
  const { arm } = kindByResource('storage.azure.com', 'storageaccounts') as ArmKindDefinition;
  expect(bodyPathOf(arm, ['minimumTlsVersion'])).toEqual(['properties', 'minimumTlsVersion']);
  expect(bodyPathOf(arm, ['tags', 'example', 'org'])).toEqual(['tags', 'example.org']);
  expect(bodyPathOf(arm, ['networkAcls', 'ipRules'])).toEqual(['properties', 'networkAcls', 'ipRules']);
  expect(bodyPathOf(arm, ['networkAcls', 'ipRules', 'value'])).toBeUndefined();
  expect(bodyPathOf(arm, ['owner', 'name'])).toBeUndefined();
});

test('a place is cut out, or filled with what is there, without touching the body that was declared', () => {
  const body = { a: { b: 1, c: 2 }, d: 3 };
  expect(withoutPaths({ a: { b: 1 } }, [['a', 'b']])).toEqual({});
  expect(withoutPaths(body, [['a', 'b'], ['x']])).toEqual({ a: { c: 2 }, d: 3 });
  expect(withLiveAt(body, [['a', 'b'], ['d'], ['e', 'f']], { a: { b: 9 }, e: { f: 8 } })).toEqual({
    a: { b: 9, c: 2 },
    e: { f: 8 },
  });
  expect(body).toEqual({ a: { b: 1, c: 2 }, d: 3 });
});
