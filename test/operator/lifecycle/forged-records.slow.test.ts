/** A hostile tenant who may write every byte of the objects of one namespace, their metadata and their status. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations, credentialFinalizer, finalizer } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { namespaces } from '../../conformance/resources.ts';
import {
  armRequests,
  condition,
  gone,
  type RunningOperator,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

const victims = 'victims';
const bounded = 'bounded';
const longAgo = '2026-01-01T00:00:00.000Z';
let world: World;
let root: string;
let operator: RunningOperator;

beforeAll(async () => {
  world = await startWorld();
  root = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  const create = (name: string, own: Record<string, string> = {}) =>
    world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: own } });
  await create(victims);
  await create(bounded, { [annotations.adopt]: 'never' });
  operator = await world.startOperator();
});
afterAll(() => world?.close());

const writes = (path: RegExp) => ['PUT', 'PATCH', 'DELETE'].flatMap((method) => armRequests(world, method, path));
const find = (type: ResourceType, name: string, namespace: string) => world.client.tryGet(type, { namespace, name });

/** What a forger writes into an object that is to look as if it had the resource. */
const forgedRecord = (id: string, journal?: object): Record<string, string> => ({
  [annotations.resourceId]: id,
  [annotations.acquired]: `written operator ${longAgo}`,
  [annotations.applied]: 'a.b.c',
  [annotations.signature]: `v1.${'A'.repeat(22)}.1.${'0'.repeat(32)}`,
  ...(journal && { [annotations.journal]: JSON.stringify(journal) }),
});

async function forgeStatus(type: ResourceType, name: string, namespace: string, id: string): Promise<void> {
  const patch = { type: 'merge', body: { status: { id } } } as const;
  await world.client.patch(type, { namespace, name }, patch, { subresource: 'status' });
}

function hasReason(type: ResourceType, name: string, namespace: string, reason: string): Promise<KubeObject> {
  return until(`${namespace}/${name} is ${reason}`, async () => {
    const found = await find(type, name, namespace);
    const ready = condition(found);
    return ready?.reason === reason && ready.observedGeneration === found?.metadata.generation && found;
  });
}

test('an object that can never be created holds no ARM id, whatever its annotations and its status say', async () => {
  const id = `${root}/wanted/providers/Microsoft.Storage/storageAccounts/azmwanted`;
  const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, azureName: 'azmwanted' };
  const squatter = { ...account, owner: { name: 'nowhere' } };
  await world.apply(types.account, 'squatter', squatter, { annotations: forgedRecord(id), finalizers: [finalizer] });
  await forgeStatus(types.account, 'squatter', 'default', id);
  await untilReady(world, types.account, 'squatter', 'WaitingForOwner');
  await world.apply(types.group, 'wanted', { location: 'westeurope' }, { namespace: victims });
  await world.apply(types.account, 'real', { ...account, owner: { name: 'wanted' } }, { namespace: victims });
  await hasReason(types.account, 'real', victims, 'Succeeded');
  await world.client.delete(types.account, { namespace: 'default', name: 'squatter' });
  await gone(world, types.account, 'squatter');
  expect(armRequests(world, 'DELETE', /azmwanted/)).toEqual([]);
});

test('a forged reference to a credential keeps no Secret of another namespace', async () => {
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'leaving' } });
  const metadata = { namespace: 'leaving', name: 'aso-credential', finalizers: [credentialFinalizer] };
  await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata });
  const forged = { ...forgedRecord(`${root}/x`), [annotations.credential]: 'leaving/aso-credential' };
  const spec = { location: 'westeurope', azureName: 'holding' };
  await world.apply(types.group, 'holding', spec, { annotations: forged, finalizers: [finalizer] });
  await untilReady(world, types.group, 'holding');
  await world.client.delete(namespaces, { name: 'leaving' });
  await operator.stop();
  operator = await world.startOperator();
  await until('the namespace is gone', async () => !(await world.client.tryGet(namespaces, { name: 'leaving' })));
});

test('a forged record makes no existing resource the object’s own where the namespace forbids to take over', async () => {
  const id = `${root}/foreign`;
  await world.portal.arm('PUT', id, '2021-04-01', { location: 'westeurope' });
  const before = writes(/foreign/).length;
  const running = { version: 1, goal: 'x', blocks: { submit: { state: 'Running', memo: {} } } };
  const spec = { location: 'westeurope', azureName: 'foreign', tags: { now: 'mine' } };
  const attempts: Record<string, string>[] = [
    forgedRecord(id),
    forgedRecord(id, running),
    { [annotations.adopt]: 'always' },
    { [annotations.reconcilePolicy]: 'skip' },
  ];
  for (const [index, own] of attempts.entries()) {
    const name = `taker${index}`;
    await world.apply(types.group, name, spec, { namespace: bounded, annotations: own, finalizers: [finalizer] });
    await forgeStatus(types.group, name, bounded, id);
    const refused = await hasReason(types.group, name, bounded, 'AdoptionRefused');
    expect(condition(refused)?.message).toContain(`on the namespace ${bounded}`);
    const shown = await until('the status is corrected', async () => {
      const found = await find(types.group, name, bounded);
      return found?.['status'].id === undefined && found;
    });
    expect(shown.metadata.annotations?.[annotations.applied]).toBeUndefined();
    await world.client.delete(types.group, { namespace: bounded, name });
    await until('it is gone', async () => !(await find(types.group, name, bounded)));
  }
  expect(writes(/foreign/)).toHaveLength(before);
});

test('the record of another object is worth nothing on a copy of it', async () => {
  await world.apply(
    types.group,
    'original',
    { location: 'westeurope', azureName: 'azmcopied' },
    { namespace: victims },
  );
  const { metadata, status } = await hasReason(types.group, 'original', victims, 'Succeeded');
  const { annotations: own = {}, finalizers = [] } = metadata;
  const spec = { location: 'westeurope', azureName: 'azmcopied', tags: { now: 'mine' } };
  await world.apply(types.group, 'original', spec, { namespace: 'default', annotations: own, finalizers });
  await forgeStatus(types.group, 'original', 'default', status.id as string);
  const blocked = await untilReady(world, types.group, 'original', 'ReconciliationBlocked');
  expect(condition(blocked)?.message).toMatch(/^An object of another namespace already manages/);
  expect(JSON.stringify(blocked['status'])).not.toContain(victims);
  await world.client.delete(types.group, { namespace: 'default', name: 'original' });
  await gone(world, types.group, 'original');
  expect(writes(/azmcopied/)).toHaveLength(1);
});

test('a forged journal makes the operator poll nothing, and repeats no word of a foreign document', async () => {
  const secret = `${root}/victim/providers/Microsoft.Storage/storageAccounts/vault`;
  const operation = { kind: 'status', method: 'PUT', url: secret, resourcePath: secret, startedAt: 0 };
  const journal = {
    version: 1,
    goal: 'x',
    blocks: {
      submit: { state: 'Polling', memo: { operation, correlationId: 'c' } },
      delete: { state: 'Failed', failure: { code: 'Forged', message: 'word of a foreign document' } },
    },
  };
  const own = { ...forgedRecord(`${root}/poller`, journal), [annotations.rotation]: JSON.stringify(journal) };
  const metadata = { annotations: own, finalizers: [finalizer] };
  await world.apply(types.group, 'poller', { location: 'westeurope' }, metadata);
  const made = await untilReady(world, types.group, 'poller');
  expect(made.metadata.annotations?.[annotations.journal]).toBeUndefined();
  expect(made.metadata.annotations?.[annotations.rotation]).toBeUndefined();
  expect(world.azure.journal.entries({ path: /victim/ })).toEqual([]);
});

test('a forged list of vault secrets sends no request to a vault', async () => {
  const url = `https://azmforged.${new URL(world.azure.endpoints.arm).hostname}/secrets/stolen`;
  const own = { ...forgedRecord(`${root}/vaulted`), [annotations.keyVaultSecrets]: url };
  await world.apply(types.group, 'vaulted', { location: 'westeurope' }, { annotations: own, finalizers: [finalizer] });
  const made = await untilReady(world, types.group, 'vaulted');
  expect(made.metadata.annotations?.[annotations.keyVaultSecrets]).toBeUndefined();
  await world.client.delete(types.group, { namespace: 'default', name: 'vaulted' });
  await gone(world, types.group, 'vaulted');
  expect(world.azure.journal.entries({ path: /stolen/ })).toEqual([]);
  expect(world.azure.journal.entries({ service: 'arm', method: 'DELETE', path: /vaulted/ })).toHaveLength(1);
});

test('of two objects of two namespaces that name one ARM id at the same moment, one PUTs, and the other names nobody', async () => {
  const spaces = ['default', victims];
  for (const name of ['race1', 'race2', 'race3', 'race4']) {
    await Promise.all(
      spaces.map((namespace) => world.apply(types.group, name, { location: 'westeurope' }, { namespace })),
    );
    const found = await until('both are reported', async () => {
      const both = await Promise.all(spaces.map((namespace) => find(types.group, name, namespace)));
      return (
        both.every((each) => ['Succeeded', 'ReconciliationBlocked'].includes(condition(each)?.reason ?? '')) && both
      );
    });
    expect(found.map((each) => condition(each)?.reason).sort()).toEqual(['ReconciliationBlocked', 'Succeeded']);
    expect(armRequests(world, 'PUT', new RegExp(`/${name}$`))).toHaveLength(1);
    const blocked = found.find((each) => condition(each)?.status !== 'True');
    const other = spaces.find((namespace) => namespace !== blocked?.metadata.namespace) ?? '';
    expect(condition(blocked)?.message).toMatch(/^An object of another namespace already manages/);
    expect(condition(blocked)?.message).not.toContain(other);
    // What the first lets go of is the other's.
    await world.client.delete(types.group, { namespace: other, name });
    await hasReason(types.group, name, blocked?.metadata.namespace ?? '', 'Succeeded');
  }
});

test('who is refused by Azure keeps nobody from its ARM id', async () => {
  const error = { code: 'LocationRequired', message: 'No.' };
  world.azure.faults.add({ method: 'PUT', path: '/azmrefused', times: 1, status: 400, body: { error } });
  const spec = { location: 'westeurope', azureName: 'azmrefused' };
  await world.apply(types.group, 'refused', spec);
  await untilReady(world, types.group, 'refused', 'LocationRequired');
  await world.apply(types.group, 'welcome', spec, { namespace: victims });
  await hasReason(types.group, 'welcome', victims, 'Succeeded');
  await world.client.delete(types.group, { namespace: 'default', name: 'refused' });
  await gone(world, types.group, 'refused');
  expect(armRequests(world, 'DELETE', /azmrefused/)).toEqual([]);
});
