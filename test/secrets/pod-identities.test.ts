import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attachmentRecordLabel } from '../../runtime/api/pod-identity/attachment-record.ts';
import { recordData, recordName } from '../../runtime/azure/identity/attachment-record.ts';
import { ManualClock } from '../../runtime/base/clock.ts';
import type { CacheHandler } from '../../runtime/kube/cache/types.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import { PodIdentities, type RecordObject } from '../../runtime/secrets/consumers/pod-identities.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

const group = '/subscriptions/s/resourcegroups/g/providers';
const node = `${group}/microsoft.compute/virtualmachines/node`;
const other = `${group}/microsoft.compute/virtualmachines/other`;
const identityId = `${group}/microsoft.managedidentity/userassignedidentities/x`;

function record(machine: string, identities: readonly string[], name = recordName(machine)): RecordObject {
  const labels = { [attachmentRecordLabel.name]: attachmentRecordLabel.value };
  const metadata = { namespace: 'azimuth-system', name, labels };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: recordData({ machine, identities: new Set(identities) }),
  };
}

/** Records without a cluster. */
function records(scopes: { namespace: string; scope: string }[] = [], synced = true) {
  let handler: CacheHandler<RecordObject> = () => undefined;
  const clock = new ManualClock(1_000_000);
  const onChange = (given: typeof handler) => {
    handler = given;
    return () => undefined;
  };
  const identities = new PodIdentities({ records: { onChange, synced }, scopes, clock });
  return { clock, identities, change: (change: Parameters<typeof handler>[0]) => handler(change) };
}

test('an identity is for pods while a record has it, and for each read of a machine from before its detachment', async () => {
  const { clock, identities, change } = records();
  const has = (readAt: number) => identities.has(identityId, 'shop', readAt);
  expect(has(clock.now())).toBe(false);
  change({ type: 'added', object: record(node, [identityId]) });
  change({ type: 'added', object: record(other, [identityId]) });
  change({ type: 'deleted', old: record(other, [identityId]) });
  await clock.advance(3_600_000);
  expect(has(clock.now())).toBe(true);
  change({ type: 'updated', old: record(node, [identityId]), object: record(node, [`${identityId}y`]) });
  const readAt = clock.now();
  await clock.advance(3_600_000);
  expect([has(readAt), has(clock.now())]).toEqual([true, false]);
});

test('a ConfigMap with the label and another name counts for nothing', () => {
  const { clock, identities, change } = records();
  change({ type: 'added', object: record(node, [identityId], 'copy') });
  expect(identities.has(identityId, 'shop', clock.now())).toBe(false);
});

test('before the records were read each identity of a machine may be for pods', () => {
  const { clock, identities } = records([], false);
  expect(identities.has(identityId, 'shop', clock.now())).toBe(true);
});

test.each([
  ['another namespace', 'other', true],
  ['any namespace', '*', true],
  ['the namespace of the secret', 'shop', false],
])('an identity that --identity-scopes gives to pods of %s', (_title, namespace, expected) => {
  const { clock, identities } = records([{ namespace, scope: group.slice(0, -'/providers'.length) }]);
  expect(identities.has(identityId, 'shop', clock.now())).toBe(expected);
});

let world: EndpointWorld;
let replica: Replica;
let identity: Identity;
let machine: string;

beforeAll(async () => {
  world = await EndpointWorld.start();
  identity = await world.identity('shared');
  machine = `${world.group}/providers/Microsoft.Compute/virtualMachines/node`;
  const userAssignedIdentities = { [identity.armId]: {} };
  const body = { location: 'westus2', identity: { type: 'UserAssigned', userAssignedIdentities }, properties: {} };
  await world.rest.arm('PUT', machine, '2024-07-01', body);
  replica = await world.replica();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

test('a pod with an identity that the controller attached to the node is not the node, and may be named itself', async () => {
  await world.write(await world.secret('shop', 'node', { consumers: [{ machine: { armId: machine } }] }), 1, 'mine');
  const named = [{ identity: { armId: identity.armId } }];
  await world.write(await world.secret('shop', 'named', { consumers: named }), 1, 'yours');
  const ask = async (name: string) => {
    const authorization = `Bearer ${await world.token(identity)}`;
    return (await replica.get(`/v1/secrets/shop/${name}`, { authorization })).body;
  };
  const becomes = async (name: string, text: string) => {
    await eventually(`${name} answers ${text}`, async () => {
      await pass(world.clock, 20_000, 20_000);
      return JSON.stringify(await ask(name)).includes(text);
    });
  };
  await becomes('node', 'mine');
  const attached = await world.kube.create(
    configMapsType,
    record(machine.toLowerCase(), [identity.armId.toLowerCase()]),
  );
  await becomes('node', 'not_a_consumer');
  await becomes('named', 'yours');
  const { name, namespace } = attached.metadata;
  await world.kube.delete(configMapsType, { name, namespace: namespace ?? '' });
  await becomes('node', 'mine');
});
