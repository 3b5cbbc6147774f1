import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import {
  armRequests,
  condition,
  gone,
  secrets,
  startWorldWithGroup,
  types,
  until,
  untilReady,
  type World,
} from './support.ts';

type Json = Record<string, unknown>;
let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ kinds: 'dbforpostgresql.azure.com/FlexibleServer', clock: new ScaledClock(10) });
});
afterAll(() => world?.close());
afterEach(() => world.azure.faults.clear());

const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`storageAccounts/${name}$`));
const warned = (name: string, type = types.account) =>
  until('a warning', async () => {
    const found = condition(await world.get(type, name));
    return found?.severity === 'Warning' && found;
  });

test.each([
  ['html', '<html><title>Sign in</title></html>', /HTML page/],
  ['empty', '', /empty body/],
  ['nothing', 'null', /JSON value null/],
  ['words', '"x"', /JSON value x/],
  ['list', '[1]', /JSON array/],
  ['gzip', '\u001f\u008b\u0008broken', /no JSON/],
  ['other', { id: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/x' }, /the id/],
  ['anonymous', { properties: { provisioningState: 'Succeeded' } }, /without an id/],
])(
  'a resource that is answered with %s is not Ready, and nothing is sent because of it',
  async (name, body, message) => {
    world.azure.faults.add({ method: 'GET', path: `storageAccounts/${name}\\?`, status: 200, times: 0, body });
    await world.apply(types.account, name, account);
    expect((await warned(name))?.message).toMatch(message);
    expect(puts(name)).toHaveLength(0);
    world.azure.faults.clear();
    await untilReady(world, types.account, name);
    expect(puts(name)).toHaveLength(1);
  },
);

test('what Azure accepts and never shows is a warning that backs off, and is not sent every few seconds', async () => {
  world.azure.faults.add({
    method: 'GET',
    path: 'userAssignedIdentities/unseen\\?',
    status: 404,
    times: 0,
    body: { error: { code: 'ResourceNotFound', message: 'not found' } },
  });
  await world.apply(types.identity, 'unseen', { location: 'westeurope', owner: { name: 'rg' } });
  const found = await warned('unseen', types.identity);
  expect(found).toMatchObject({ reason: 'AzureResourceNotFound', severity: 'Warning' });
  expect(found?.message).toMatch(/^Azure accepted the PUT, but shows no such resource\. It is tried again/);
  expect(armRequests(world, 'PUT', /unseen$/)).toHaveLength(1);
  world.azure.faults.clear();
  await untilReady(world, types.identity, 'unseen');
  expect(armRequests(world, 'PUT', /unseen$/)).toHaveLength(1);
});

test('a resource that somebody deletes is not Ready although it has all that is declared', async () => {
  await world.apply(types.account, 'going', account);
  const { status } = await untilReady(world, types.account, 'going');
  const live = (await world.portal.arm('GET', String((status as { id: string }).id), '2023-01-01')).body as Json;
  const body = { ...live, properties: { ...(live['properties'] as object), provisioningState: 'Deleting' } };
  world.azure.faults.add({ method: 'GET', path: 'storageAccounts/going\\?', status: 200, times: 0, body });
  await world.apply(types.account, 'going', account, { annotations: { 'azimuth.dev/retry': '1' } });
  expect(await warned('going')).toMatchObject({ reason: 'Deleting', status: 'False' });
  expect(puts('going')).toHaveLength(1);
  world.azure.faults.clear();
  await untilReady(world, types.account, 'going');
});

test('a child is not sent below an owner that Azure does not have, and goes on when the owner is back', async () => {
  const gone = { error: { code: 'ParentResourceNotFound', message: 'the parent resource could not be found' } };
  world.azure.faults.add({ method: 'GET', path: 'storageAccounts/orphan\\?', status: 404, times: 0, body: gone });
  await world.apply(types.account, 'orphan', account);
  const found = await warned('orphan');
  expect(found).toMatchObject({ reason: 'WaitingForOwner' });
  expect(found?.message).toMatch(/resourceGroups\/rg is not in Azure any more/);
  expect(puts('orphan')).toHaveLength(0);
  world.azure.faults.clear();
  await untilReady(world, types.account, 'orphan');
});

test('a resource whose GET answers 405 is Ready by the answer to its PUT, and its object can be deleted', async () => {
  world.azure.faults.add({
    method: 'GET',
    path: 'userAssignedIdentities/writeonly\\?',
    status: 405,
    times: 0,
    body: '',
  });
  await world.apply(types.identity, 'writeonly', { location: 'westeurope', owner: { name: 'rg' } });
  await untilReady(world, types.identity, 'writeonly');
  expect(armRequests(world, 'PUT', /writeonly$/)).toHaveLength(1);
  await world.client.delete(types.identity, { namespace: 'default', name: 'writeonly' });
  await gone(world, types.identity, 'writeonly');
  expect(armRequests(world, 'DELETE', /writeonly$/)).toHaveLength(1);
});

test('a spec that is nested thousands of levels deep has a status, and its object can be deleted', async () => {
  let body: object = {};
  for (let level = 0; level < 500; level++) body = { properties: body };
  const spec = {
    type: 'Microsoft.X/things@2024-01-01',
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
    body,
  };
  await world.apply(types.armResource, 'deep', spec);
  const found = await until('a condition', async () => condition(await world.get(types.armResource, 'deep')));
  expect(found).toMatchObject({ severity: 'Error', message: expect.stringContaining('nested deeper than 100 levels') });
  await world.client.delete(types.armResource, { namespace: 'default', name: 'deep' });
  await until('it is gone', async () => {
    const left = await world.client.tryGet(types.armResource, { namespace: 'default', name: 'deep' });
    return left === undefined;
  });
});

test('an input that goes missing while an operation runs, and comes back, is not sent a second time', async () => {
  const server = resourceOf(kindOf('dbforpostgresql.azure.com', 'FlexibleServer'));
  const key = { namespace: 'default', name: 'login' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key, stringData: { password: 'correct-Horse-1' } };
  await world.client.apply(secrets, secret, { fieldManager: 'test', force: true });
  world.azure.faults.add({ method: 'GET', path: 'operation', status: 500, times: 3, body: '' });
  const spec = {
    location: 'westeurope',
    owner: { name: 'rg' },
    sku: { name: 'Standard_B1ms', tier: 'Burstable' },
    storage: { storageSizeGB: 32 },
    version: '16',
    administratorLogin: 'azmadmin',
    administratorLoginPassword: { name: 'login', key: 'password' },
  };
  await world.apply(server, 'azmmissing', spec);
  const sent = () => armRequests(world, 'PUT', /flexibleServers\/azmmissing$/);
  await until('it is sent', async () => sent().length > 0);
  await world.client.delete(secrets, key);
  const waits = async () => condition(await world.get(server, 'azmmissing'))?.reason === 'SecretNotFound';
  await until('it waits for its Secret', waits);
  await world.client.apply(secrets, secret, { fieldManager: 'test', force: true });
  await untilReady(world, server, 'azmmissing');
  expect(sent()).toHaveLength(1);
});
