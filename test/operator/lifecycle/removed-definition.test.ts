/** What a deletion means that nobody asked for on the object itself: with its definition, and with its namespace. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { customResourceDefinitions, namespaces } from '../../conformance/resources.ts';
import { armRequests, condition, events, startWorld, types, until, untilReady, type World } from '../support.ts';

let world: World;
let root: string;
const definition = { name: 'storageaccounts.storage.azure.com' };
const account = {
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
};

beforeAll(async () => {
  world = await startWorld();
  root = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  await world.startOperator({}, { deletionHintMs: 1 });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

const noted = (name: string, reason: string) =>
  until(`${name} has the event ${reason}`, async () => {
    const { items } = await world.client.list(events);
    return items.find((event) => event['regarding']?.name === name && event['reason'] === reason);
  });
const inAzure = async (id: string, version: string) => (await world.portal.arm('GET', id, version)).status === 200;

test('a definition that is removed takes its objects along and deletes nothing in Azure, and an event says so', async () => {
  await world.apply(types.account, 'azmkept', account);
  const made = await untilReady(world, types.account, 'azmkept');
  await world.client.delete(customResourceDefinitions, definition);
  await until(
    'the definition is gone',
    async () => !(await world.client.tryGet(customResourceDefinitions, definition)),
  );
  const event = await noted('azmkept', 'NotPossibleInAzure');
  expect(event['note']).toContain(`its definition ${definition.name} is being removed`);
  expect(world.log.join('')).toContain(`its definition ${definition.name} is being removed`);
  expect(armRequests(world, 'DELETE', /azmkept/)).toEqual([]);
  expect(await inAzure(made['status'].id as string, '2023-01-01')).toBe(true);
  const manifest = crdManifest(kindOf('storage.azure.com', 'StorageAccount')) as unknown as KubeObject;
  await world.client.create(customResourceDefinitions, manifest);
});

test('an object that goes with its namespace is deleted in Azure, and event and condition say so', async () => {
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ending' } });
  await world.apply(types.group, 'azmending', { location: 'westeurope' }, { namespace: 'ending' });
  const find = () => world.client.tryGet(types.group, { namespace: 'ending', name: 'azmending' });
  await until('it is Ready', async () => condition(await find())?.status === 'True');
  world.azure.settings.operationMs = 2000;
  await world.client.delete(namespaces, { name: 'ending' });
  await until('the condition says so', async () =>
    condition(await find())?.message?.includes('as the namespace ending is being deleted'),
  );
  world.azure.settings.operationMs = 50;
  const event = await noted('ending', 'BeginDelete');
  expect(event['regarding']).toMatchObject({ kind: 'Namespace', name: 'ending' });
  expect(event['note']).toContain('the Azure resources of its ResourceGroup objects are deleted too');
  await until('the namespace is gone', async () => !(await world.client.tryGet(namespaces, { name: 'ending' })));
  expect(await inAzure(`${root}/azmending`, '2021-04-01')).toBe(false);
});

test('while Azure refuses a deletion the object stays, and its condition names the command that detaches it', async () => {
  await world.apply(types.group, 'azmlocked', { location: 'westeurope' });
  await untilReady(world, types.group, 'azmlocked');
  const error = { code: 'ScopeLocked', message: 'The scope is locked.' };
  world.azure.faults.add({ method: 'DELETE', path: 'azmlocked', times: 0, status: 409, body: { error } });
  await world.client.delete(types.group, { namespace: 'default', name: 'azmlocked' });
  const found = await until('it says how', async () => {
    const object = await world.client.tryGet(types.group, { namespace: 'default', name: 'azmlocked' });
    return condition(object)?.message?.includes('kubectl annotate') && condition(object);
  });
  expect(found).toMatchObject({ reason: 'ScopeLocked', severity: 'Warning' });
  const command =
    'kubectl annotate resourcegroups.resources.azure.com azmlocked -n default --overwrite ' +
    'serviceoperator.azure.com/reconcile-policy=detach-on-delete';
  expect(found?.message).toContain(command);
  await world.client.patch(
    types.group,
    { namespace: 'default', name: 'azmlocked' },
    {
      type: 'merge',
      body: { metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' } } },
    },
  );
  await until(
    'it is gone',
    async () => !(await world.client.tryGet(types.group, { namespace: 'default', name: 'azmlocked' })),
  );
  world.azure.faults.clear();
  expect(await inAzure(`${root}/azmlocked`, '2021-04-01')).toBe(true);
});

test.each([
  ['whose operation does not end', 'azmpolled', /^Azure is deleting the resource\. To delete the object and keep /],
  ['that answers 202 without an operation', 'azmaccepted', /has no URL to poll .*\. To delete the object and keep /],
])('a DELETE %s gets the same hint, and the command releases the object', async (_, name, message) => {
  const key = { namespace: 'default', name };
  await world.apply(types.group, name, { location: 'westeurope' });
  await untilReady(world, types.group, name);
  world.azure.settings.operationMs = 600_000;
  world.azure.faults.add({ method: 'DELETE', path: 'azmaccepted', times: 0, status: 202 });
  await world.client.delete(types.group, key);
  const found = await until('it says how', async () => {
    const ready = condition(await world.client.tryGet(types.group, key));
    return ready?.message?.includes('kubectl annotate') && ready;
  });
  expect(found.message).toMatch(message);
  const detach = { metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' } } };
  await world.client.patch(types.group, key, { type: 'merge', body: detach });
  await until('it is gone', async () => !(await world.client.tryGet(types.group, key)));
  world.azure.settings.operationMs = 50;
  world.azure.faults.clear();
});
