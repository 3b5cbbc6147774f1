/** What kinds of the catalogue need beyond a body: each from its data, one kind for each. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { filledPath } from '../../../runtime/arm-kinds/body/filled-path.ts';
import { extensionOf } from '../../../runtime/arm-kinds/extensions/index.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
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
} from '../support.ts';

const type = (id: string) => resourceOf(kindOf(`${id.split('/')[0]}.azure.com`, id.split('/')[1] ?? ''));
const service = type('apimanagement/Service');
const product = type('apimanagement/Product');
const productApi = type('apimanagement/ProductApi');
const store = type('appconfiguration/ConfigurationStore');
const server = type('dbforpostgresql/FlexibleServer');
const administrator = type('dbforpostgresql/FlexibleServersAdministrator');
const alias = type('subscription/Alias');
const policy = type('sql/ServersConnectionPolicy');
const sqlServer = type('sql/Server');

let world: World;
const key = (name: string) => ({ namespace: 'default', name });
const rg = { owner: { name: 'rg' }, location: 'westeurope' };

beforeAll(async () => {
  const named = [service, product, productApi, store, server, administrator, alias, policy, sqlServer];
  const kinds = named.map(({ group, kind }) => `${group}/${kind}`).join(';');
  world = await startWorld({ kinds, clock: new ScaledClock(20) });
  // Only a credential of the namespace may make what belongs to the tenant.
  const own = Object.entries(world.azure.env()).filter(([name]) => /^AZURE_(SUBSCRIPTION|TENANT|CLIENT)_/.test(name));
  const stringData = Object.fromEntries(own);
  const credential = { apiVersion: 'v1', kind: 'Secret', metadata: key('aso-credential'), stringData };
  await world.client.apply(secrets, credential, { fieldManager: 'test' });
  await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

test('an object of a kind without DELETE reports that, and stays until the policy detaches it', async () => {
  await world.apply(sqlServer, 'azmsql', rg);
  await world.apply(policy, 'stays', { owner: { name: 'azmsql' }, connectionType: 'Proxy' });
  await untilReady(world, policy, 'stays');
  await world.client.delete(policy, key('stays'));
  const waiting = await until('it says so', async () => {
    const object = await world.client.tryGet(policy, key('stays'));
    return condition(object)?.reason === 'DeletionNotSupportedInAzure' && object;
  });
  expect(condition(waiting)).toMatchObject({ status: 'False', severity: 'Warning' });
  expect(condition(waiting)?.message).toContain('detach-on-delete');
  const annotations = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };
  const patch = { type: 'merge', body: { metadata: { annotations } } } as const;
  await world.client.patch(policy, key('stays'), patch, { fieldManager: 'test' });
  await gone(world, policy, 'stays');
  expect(armRequests(world, 'DELETE', /connectionPolicies/)).toEqual([]);
});

test('it goes with its owner', async () => {
  await world.apply(policy, 'goes', { owner: { name: 'azmsql' }, connectionType: 'Proxy' });
  await untilReady(world, policy, 'goes');
  await world.client.delete(policy, key('goes'));
  await world.client.delete(sqlServer, key('azmsql'));
  await gone(world, policy, 'goes');
  expect(armRequests(world, 'DELETE', /connectionPolicies/)).toEqual([]);
});

test('it goes with an owner that it names by ARM id', async () => {
  await world.apply(sqlServer, 'azmbyid', rg);
  const { id: armId } = (await untilReady(world, sqlServer, 'azmbyid'))['status'] as { id: string };
  await world.apply(policy, 'byid', { owner: { armId }, connectionType: 'Proxy' });
  await untilReady(world, policy, 'byid');
  await world.client.delete(policy, key('byid'));
  await until(
    'it waits',
    async () =>
      condition(await world.client.tryGet(policy, key('byid')))?.reason === 'DeletionNotSupportedInAzure' && true,
  );
  await world.client.delete(sqlServer, key('azmbyid'));
  await gone(world, policy, 'byid');
});

test('a kind without GET is read by HEAD, and a product is deleted with its subscriptions first', async () => {
  const settings = { sku: { name: 'Developer', capacity: 1 }, publisherEmail: 'a@b.example', publisherName: 'a' };
  await world.apply(service, 'azmapim', { ...rg, ...settings });
  await world.apply(product, 'object', { owner: { name: 'azmapim' }, azureName: 'azmproduct', displayName: 'a' });
  await world.apply(productApi, 'azmapi', { owner: { name: 'object' } });
  await untilReady(world, productApi, 'azmapi');
  expect(armRequests(world, 'HEAD', /products\/azmproduct\/apis\/azmapi$/).length).toBeGreaterThan(0);
  expect(armRequests(world, 'GET', /products\/azmproduct\/apis\/azmapi$/)).toEqual([]);
  await world.client.delete(product, key('object'));
  await gone(world, product, 'object');
  const [first, second] = armRequests(world, 'DELETE', /products\/azmproduct$/).map(({ apiVersion }) => apiVersion);
  expect([first, second]).toEqual(['2022-08-01', '2024-05-01']);
});

test('the list of an action is read to its last page', async () => {
  world.azure.settings.pageSize = 1;
  const names = ['primaryKey', 'secondaryReadOnlyKey'];
  const asked = Object.fromEntries(names.map((name) => [name, { name: 'azmkeys', key: name }]));
  await world.apply(store, 'azmstore', { ...rg, sku: { name: 'standard' }, operatorSpec: { secrets: asked } });
  await untilReady(world, store, 'azmstore');
  const { data } = await world.get(secrets, 'azmkeys');
  expect(Object.keys(data as object).sort()).toEqual(names);
  world.azure.settings.pageSize = 100;
});

test.each([
  ['azmlong', 'does not end', (id: string) => `${id}/more`, 'has more than 8 MiB'],
  [
    'azmelse',
    'goes on elsewhere',
    (id: string) => id.replace('azmelse', 'azmother'),
    'at a place that is not below it',
  ],
])('the list of an action of %s that %s is given up, and the condition says so', async (name, _, next, message) => {
  const group = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers`;
  const nextLink = next(`${group}/Microsoft.AppConfiguration/configurationStores/${name}`);
  const body = { value: [{ name: 'Primary', value: 'x'.repeat(1_000_000) }], nextLink };
  world.azure.faults.add({ method: 'POST', path: `${name}/listKeys`, status: 200, times: 0, body });
  world.azure.faults.add({ method: 'GET', path: nextLink, status: 200, times: 0, body });
  const asked = { primaryKey: { name, key: 'primaryKey' } };
  await world.apply(store, name, { ...rg, sku: { name: 'standard' }, operatorSpec: { secrets: asked } });
  const warning = await until('a warning', async () => {
    const found = condition(await world.get(store, name));
    return found?.severity === 'Warning' && found.message;
  });
  expect(warning).toContain(message);
  expect(armRequests(world, 'GET', /configurationStores\/azmother$/)).toEqual([]);
  world.azure.faults.clear();
});

test('a name comes from a ConfigMap, once that is there, and the spec has at most one name', async () => {
  await world.apply(server, 'azmpsql', rg);
  const named = { name: 'azmname', key: 'objectId' };
  const spec = { owner: { name: 'azmpsql' }, principalType: 'User' };
  await world.apply(administrator, 'azmadmin', { ...spec, azureNameFromConfig: named });
  await untilReady(world, administrator, 'azmadmin', 'ConfigMapNotFound');
  const objectId = '22222222-2222-4222-8222-222222222222';
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('azmname'), data: { objectId } };
  await world.client.apply(configMaps, configMap, { fieldManager: 'test' });
  await untilReady(world, administrator, 'azmadmin');
  expect(armRequests(world, 'PUT', /administrators\//).map(({ path }) => path.split('/').at(-1))).toEqual([objectId]);
  const both = { ...spec, azureNameFromConfig: named, azureName: objectId };
  await expect(world.apply(administrator, 'azmtwo', both)).rejects.toThrow('at most one of azureName');
});

test('a subscription is canceled before its alias is deleted, and what an alias owns is in that subscription', async () => {
  await world.apply(alias, 'azmalias', { properties: { displayName: 'a', workload: 'DevTest' } });
  const made = await untilReady(world, alias, 'azmalias');
  const { subscriptionId } = (made['status'] as { properties: { subscriptionId: string } }).properties;
  const owner = { group: 'subscription.azure.com', kind: 'Alias', name: 'azmalias' };
  const role = { owner, principalId: '22222222-2222-4222-8222-222222222222', principalType: 'ServicePrincipal' };
  await world.apply(types.roleAssignment, 'azmrole', { ...role, roleDefinitionReference: { wellKnownName: 'Reader' } });
  // The credential of this world is for another subscription.
  const refused = await untilReady(world, types.roleAssignment, 'azmrole', 'SubscriptionMismatch');
  expect(condition(refused)?.message).toContain(subscriptionId);
  await world.client.delete(types.roleAssignment, key('azmrole'));
  await world.client.delete(alias, key('azmalias'));
  await gone(world, alias, 'azmalias');
  const changes = world.azure.journal
    .entries({ service: 'arm' })
    .filter(({ method, path }) => /POST|DELETE/.test(method) && /Microsoft.Subscription/.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(changes).toEqual([
    `POST /subscriptions/${subscriptionId}/providers/Microsoft.Subscription/cancel`,
    'DELETE /providers/Microsoft.Subscription/aliases/azmalias',
  ]);
});

test('a path takes members of a resource as single segments only', () => {
  const path = '/subscriptions/{properties.subscriptionId}/x';
  expect(filledPath(path, { properties: { subscriptionId: 'a-1' } })).toBe('/subscriptions/a-1/x');
  for (const subscriptionId of ['a/resourceGroups/b', '..', '', 1, undefined]) {
    expect(filledPath(path, { properties: { subscriptionId } })).toBeUndefined();
  }
});

test('Azure is asked once more to protect what failed for a reason of the user', async () => {
  const { whenNotReady } = extensionOf('dataprotection.azure.com', 'BackupVaultsBackupInstance');
  const asked: unknown[] = [];
  const complete = async (...request: unknown[]) => void asked.push(request);
  const check = (status: string, code: string) =>
    whenNotReady?.(
      { properties: { protectionStatus: { status, errorDetails: { code } } } },
      { resourceId: '/i', complete },
    );
  await check('ConfiguringProtection', 'UserErrorX');
  await check('ProtectionError', 'CloudError');
  expect(asked).toEqual([]);
  await check('ProtectionError', 'UserErrorMissingPermission');
  expect(asked).toEqual([['/i/sync', '2024-04-01', { syncType: 'Default' }]]);
});
