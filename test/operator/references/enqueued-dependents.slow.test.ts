import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { type Clock, systemClock } from '../../../runtime/base/clock.ts';
import { armRequests, secrets, startWorld, types, untilReady, type World } from '../support.ts';

const cluster = resourceOf(kindOf('containerservice.azure.com', 'ManagedCluster'));
const pool = resourceOf(kindOf('containerservice.azure.com', 'ManagedClustersAgentPool'));

/** How much later it is for the operator than for the world. */
let aheadMs = 0;

/** No retry and no resync ends its wait: only a watch event can enqueue an object. */
const withoutTimers: Clock = {
  now: () => systemClock.now() + aheadMs,
  monotonic: () => systemClock.monotonic() + aheadMs,
  sleep: (ms, signal) => systemClock.sleep(ms >= 400 ? 2 ** 31 - 1 : ms, signal),
};

let world: World;

beforeAll(async () => {
  world = await startWorld({ kinds: 'containerservice.azure.com/ManagedCluster*' });
  world.azure.settings.types['microsoft.containerservice/managedclusters/agentpools'] = { operationMs: 1500 };
  await world.startOperator({}, { clock: withoutTimers });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

test('pools of one cluster are made one after the other, each as soon as the one before it is there', async () => {
  await world.apply(cluster, 'aks', { location: 'westeurope', owner: { name: 'rg' }, dnsPrefix: 'aks' });
  await untilReady(world, cluster, 'aks');
  const names = ['one', 'two', 'three'];
  const spec = { owner: { name: 'aks' }, count: 1, vmSize: 'Standard_D2s_v3', mode: 'User' };
  await Promise.all(names.map((name) => world.apply(pool, name, spec)));
  for (const name of names) await untilReady(world, pool, name);
  const puts = armRequests(world, 'PUT', /managedClusters\/aks(\/|$)/).map(({ status }) => status);
  expect(puts).toEqual([201, 201, 201, 201]);
});

test('an owner that fails and recovers enqueues its children that are not Ready, and no others', async () => {
  const { azure } = world;
  const group = { location: 'westeurope' };
  const inside = { location: 'westeurope', owner: { name: 'flips' } };
  const retry = (value: string) => ({ annotations: { 'azimuth.dev/retry': value } });
  const broken = {
    service: 'arm',
    status: 500,
    body: { error: { code: 'InternalServerError', message: 'away' } },
  } as const;
  await world.apply(types.group, 'flips', group);
  const well = ['azmwell1', 'azmwell2'];
  for (const name of well) await world.apply(types.identity, name, inside);
  for (const name of well) await untilReady(world, types.identity, name);
  const refusing = azure.faults.add({ ...broken, method: 'PUT', path: 'azmill', times: 0 });
  await world.apply(types.identity, 'azmill', inside);
  await untilReady(world, types.identity, 'azmill', 'InternalServerError');
  azure.faults.remove(refusing);
  const reads = () => armRequests(world, 'GET', /azmwell/).length;
  const before = reads();
  const away = azure.faults.add({ ...broken, method: 'GET', path: 'resourceGroups/flips\\?', times: 0 });
  await world.apply(types.group, 'flips', group, retry('1'));
  await untilReady(world, types.group, 'flips', 'InternalServerError');
  azure.faults.remove(away);
  await world.apply(types.group, 'flips', group, retry('2'));
  await untilReady(world, types.group, 'flips');
  await untilReady(world, types.identity, 'azmill');
  expect(reads()).toBe(before);
});

test('an object goes on as soon as a Secret that stands in its way is gone', async () => {
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'taken' },
  });
  const operatorSpec = { secrets: { key1: { name: 'taken', key: 'key' } } };
  const sku = { name: 'Standard_LRS' };
  const spec = { location: 'westeurope', owner: { name: 'rg' }, kind: 'StorageV2', sku, operatorSpec };
  await world.apply(types.account, 'azmtaken', spec);
  await untilReady(world, types.account, 'azmtaken', 'FailedWritingAdditionalKubernetesObjects');
  await world.client.delete(secrets, { namespace: 'default', name: 'taken' });
  await untilReady(world, types.account, 'azmtaken');
});

test('everybody who waits for a resource provider goes on with the one who sees it registered', async () => {
  const { azure } = world;
  azure.settings.enforceRegistration = true;
  const state = { registrationState: 'Registering' };
  const path = 'providers/Microsoft.ManagedIdentity\\?';
  const registering = azure.faults.add({ service: 'arm', method: 'GET', path, times: 0, status: 200, body: state });
  const spec = { location: 'westeurope', owner: { name: 'rg' } };
  const names = ['azmregone', 'azmregtwo', 'azmregthree'];
  await Promise.all(names.map((name) => world.apply(types.identity, name, spec)));
  for (const name of names) await untilReady(world, types.identity, name, 'MissingSubscriptionRegistration');
  azure.faults.remove(registering);
  aheadMs += 60_000;
  await world.apply(types.identity, 'azmreglate', spec);
  for (const name of [...names, 'azmreglate']) await untilReady(world, types.identity, name);
});
