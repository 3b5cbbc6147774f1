import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import { namespaces } from '../conformance/resources.ts';
import { clientWith } from '../fakes/client-with.ts';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import {
  armRequests,
  condition,
  configMaps,
  gone,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from './support.ts';

let world: World;
/** What happens before the operator's patches and reads reach the API server. */
let beforePatch: (name: string, patch: string, subresource: string | undefined) => Promise<void> = async () => {};
let beforeRead: (kind: string, name: string) => Promise<void> = async () => {};

const wrap = (client: KubeClient): KubeClient =>
  clientWith(client, {
    async patch(...args: Parameters<KubeClient['patch']>) {
      const [, { name }, patch, options] = args;
      await beforePatch(name, JSON.stringify(patch), options?.subresource);
      return client.patch(...args);
    },
    async tryGet(...args: Parameters<KubeClient['tryGet']>) {
      const [{ kind }, { name }] = args;
      await beforeRead(kind, name);
      return client.tryGet(...args);
    },
  });

beforeAll(async () => {
  world = await startWorld({ clock: new ScaledClock(10) });
  await world.startOperator({}, { wrap });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

const account = (more: object = {}) => ({
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
  ...more,
});
/** Operations that take long and are polled every five seconds, until the function that it returns is called. */
function longOperations(operationMs: number): () => void {
  const before = { ...world.azure.settings };
  Object.assign(world.azure.settings, { operationMs, retryAfterSeconds: 5 });
  return () => void Object.assign(world.azure.settings, before);
}
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`/${name}$`));
const deletes = (name: string) => armRequests(world, 'DELETE', new RegExp(`/${name}$`));
const remove = (name: string, namespace = 'default') => world.client.delete(types.account, { namespace, name });
const namespace = (name: string) =>
  world.client.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  } as KubeObject);

test('a spec edited during a pass is not reported as observed by that pass', async () => {
  let edited = false;
  const early: string[] = [];
  beforePatch = async (name, patch, subresource) => {
    if (name !== 'edited') return;
    if (!edited && patch.includes('"azimuth.dev/journal":null')) {
      edited = true;
      await world.apply(types.account, 'edited', account({ tags: { edition: 'second' } }));
    }
    const sent = puts('edited').length;
    if (subresource === 'status' && sent < 2 && /"status":"True","observedGeneration":2/.test(patch)) early.push(patch);
  };
  await world.apply(types.account, 'edited', account({ tags: { edition: 'first' } }));
  await until('the second edition is sent', async () => puts('edited').length === 2);
  await untilReady(world, types.account, 'edited');
  beforePatch = async () => {};
  expect(early).toEqual([]);
});

test('what is taken out of a spec is taken out of Azure', async () => {
  await world.apply(types.account, 'shrinking', account({ tags: { keep: '1', drop: '2' } }));
  await untilReady(world, types.account, 'shrinking');
  await world.apply(types.account, 'shrinking', account({ tags: { keep: '1' } }));
  await until('the tag is gone', async () => {
    const status = (await untilReady(world, types.account, 'shrinking'))['status'];
    return JSON.stringify(status.tags) === '{"keep":"1"}';
  });
  expect(puts('shrinking')).toHaveLength(2);
});

test('deleting a copy that was applied with all annotations leaves what the original manages', async () => {
  await world.apply(types.account, 'original', account());
  const { metadata } = await untilReady(world, types.account, 'original');
  const { annotations = {}, finalizers = [] } = metadata;
  await world.apply(types.account, 'copy', account({ azureName: 'original' }), { annotations, finalizers });
  await untilReady(world, types.account, 'copy', 'ReconciliationBlocked');
  await remove('copy');
  await gone(world, types.account, 'copy');
  expect(deletes('original')).toEqual([]);
  await remove('original');
  await gone(world, types.account, 'original');
  expect(deletes('original')).toHaveLength(1);
});

test('a malformed credential Secret is reported, and its correction is applied at once', async () => {
  await namespace('tenant');
  const key = { namespace: 'tenant', name: 'aso-credential' };
  const write = (stringData: Record<string, string>) =>
    world.client.apply(
      secrets,
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: key,
        data: Object.fromEntries(Object.entries(stringData).map(([k, v]) => [k, Buffer.from(v).toString('base64')])),
      } as KubeObject,
      { fieldManager: 'test', force: true },
    );
  const env = world.azure.env();
  const good = Object.fromEntries(
    ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'].map((name) => [
      name,
      env[name] ?? '',
    ]),
  );
  const group = { namespace: 'tenant', name: 'tenantrg' };
  await write({ ...good, AZURE_TENANT_ID: '' });
  await world.client.create(types.group, {
    apiVersion: `${types.group.group}/${types.group.version}`,
    kind: 'ResourceGroup',
    metadata: group,
    spec: { location: 'westeurope' },
  } as KubeObject);
  const ready = async () => condition(await world.client.tryGet(types.group, group));
  await until('the malformed Secret is reported', async () => (await ready())?.message?.includes('AZURE_TENANT_ID'));
  await write(good);
  await until('the group is ready', async () => (await ready())?.status === 'True');

  await write({ ...good, AZURE_TENANT_ID: '' });
  await world.client.delete(types.group, group);
  await until('the malformed Secret is reported', async () => (await ready())?.message?.includes('AZURE_TENANT_ID'));
  await write(good);
  await until('the group is gone', async () => !(await world.client.tryGet(types.group, group)));
  expect(deletes('tenantrg')).toHaveLength(1);
});

test('an owner that becomes ready during the reconcile of an object enqueues it', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reading = false;
  beforeRead = async (kind, name) => {
    if (kind !== 'ConfigMap' || name !== 'issuer') return;
    reading = true;
    await held;
  };
  await world.client.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'issuer' },
    data: { url: 'https://issuer.example' },
  } as KubeObject);
  await world.apply(types.federated, 'late', {
    owner: { name: 'lateowner' },
    issuerFromConfig: { name: 'issuer', key: 'url' },
    subject: 'system:serviceaccount:a:b',
    audiences: ['api://AzureADTokenExchange'],
  });
  await until('the operator reads the ConfigMap', async () => reading);
  await world.apply(types.identity, 'lateowner', { location: 'westeurope', owner: { name: 'rg' } });
  await untilReady(world, types.identity, 'lateowner');
  release();
  await untilReady(world, types.federated, 'late');
});

test('an operation that another replica began is polled, not one that is remembered from before', async () => {
  const restore = longOperations(60_000);
  await world.apply(types.account, 'other', account());
  const journalOf = async (name: string) =>
    (await world.get(types.account, name)).metadata.annotations?.['azimuth.dev/journal'];
  const polling = (name: string) =>
    until(`${name} is polled`, async () => {
      const journal = await journalOf(name);
      return journal?.includes('Polling') && journal;
    });
  await world.apply(types.account, 'mine', account());
  await polling('mine');
  const theirs = await polling('other');
  const url: string = JSON.parse(theirs).blocks.submit.memo.operation.url;
  const handed = url.replace('/providers/', '/Providers/');
  await world.client.patch(
    types.account,
    { namespace: 'default', name: 'other' },
    {
      type: 'merge',
      body: { metadata: { annotations: { 'azimuth.dev/journal': theirs.replaceAll(url, handed) } } },
    },
  );
  await untilReady(world, types.account, 'other');
  restore();
  expect(armRequests(world, 'GET', /Providers.*perations/).map(({ status }) => status)).toContain(200);
});

test('a child goes on by itself when the deletion of its owner fails', async () => {
  await world.apply(types.group, 'stuckrg', { location: 'westeurope' });
  await world.apply(types.account, 'stuckchild', account({ owner: { name: 'stuckrg' } }));
  await untilReady(world, types.account, 'stuckchild');
  const restore = longOperations(40_000);
  world.azure.faults.add({
    method: 'DELETE',
    path: 'resourceGroups/stuckrg\\?',
    times: 0,
    id: 'inuse',
    operation: { state: 'failed', code: 'Conflict', message: 'in use' },
  });
  await world.client.delete(types.group, { namespace: 'default', name: 'stuckrg' });
  await until('the group is being deleted', async () =>
    (await world.get(types.group, 'stuckrg')).metadata.annotations?.['azimuth.dev/journal']?.includes('Polling'),
  );
  await remove('stuckchild');
  await until('the child is deleted', async () => deletes('stuckchild').length === 1);
  restore();
  world.azure.faults.clear();
  await gone(world, types.group, 'stuckrg');
});
