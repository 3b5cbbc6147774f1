import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import {
  armRequests,
  condition,
  configMaps,
  startWorldWithGroup,
  types,
  until,
  untilReady,
  type World,
} from './support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ clock: new ScaledClock(10) });
});
afterAll(() => world?.close());
afterEach(() => world.azure.faults.clear());

const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`storageAccounts/${name}$`));
const reasonOf = async (name: string) => condition(await world.get(types.account, name));

test('a throttled PUT waits as long as ARM asks and then succeeds', async () => {
  world.azure.faults.add({
    method: 'PUT',
    path: 'storageAccounts/throttled',
    status: 429,
    headers: { 'retry-after': '2' },
    body: { error: { code: 'TooManyRequests', message: 'slow down' } },
  });
  await world.apply(types.account, 'throttled', account);
  const warned = await untilReady(world, types.account, 'throttled', 'TooManyRequests');
  expect(condition(warned)).toMatchObject({ status: 'False', severity: 'Warning' });
  expect(condition(warned)?.message).toMatch(/slow down.*\(Azure request .+\) It is tried again/);
  await untilReady(world, types.account, 'throttled');
  const [first, second] = puts('throttled');
  expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(2000);
});

test('HTML from a gateway in place of an answer is reported as that, and the request is retried', async () => {
  world.azure.faults.add({
    method: 'PUT',
    path: 'storageAccounts/html',
    status: 503,
    body: '<html><h1>Oops</h1></html>',
  });
  await world.apply(types.account, 'html', account);
  const warned = await until(
    'a warning',
    async () => (await reasonOf('html'))?.severity === 'Warning' && reasonOf('html'),
  );
  expect(warned?.reason).toBe('HTTP503');
  await untilReady(world, types.account, 'html');
  expect(puts('html').filter(({ effective }) => effective)).toHaveLength(1);
});

test('when the answer to a PUT is lost, a GET finds the resource and no second PUT is sent', async () => {
  world.azure.faults.add({ method: 'PUT', path: 'storageAccounts/lost', connection: 'dropAfter' });
  await world.apply(types.account, 'lost', account);
  await untilReady(world, types.account, 'lost');
  expect(puts('lost')).toHaveLength(1);
});

test('an error of the poll URL does not lose the operation', async () => {
  world.azure.faults.add({
    method: 'GET',
    path: 'asyncoperations|operations',
    status: 500,
    times: 2,
    body: '<html></html>',
  });
  await world.apply(types.account, 'polled', account);
  await untilReady(world, types.account, 'polled');
  expect(puts('polled')).toHaveLength(1);
});

test('a fatal error ends as Error and Stalled and is not retried; a change of the spec retries it', async () => {
  world.azure.faults.add({
    method: 'PUT',
    path: 'storageAccounts/fatal',
    status: 400,
    body: { error: { code: 'LocationRequired', message: 'a location, please' } },
  });
  await world.apply(types.account, 'fatal', account);
  const failed = await untilReady(world, types.account, 'fatal', 'LocationRequired');
  expect(condition(failed)).toMatchObject({ status: 'False', severity: 'Error' });
  expect(failed['status'].conditions).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'Stalled', status: 'True' })]),
  );
  expect(puts('fatal')).toHaveLength(1);
  await world.apply(types.account, 'fatal', { ...account, tags: { fixed: 'yes' } });
  const ready = await untilReady(world, types.account, 'fatal');
  expect(ready['status'].conditions).toHaveLength(1);
});

test('an operation that fails is a warning with its code, and is tried again', async () => {
  world.azure.faults.add({
    method: 'PUT',
    path: 'storageAccounts/failing',
    operation: { state: 'failed', code: 'AllocationFailed', message: 'no room' },
  });
  await world.apply(types.account, 'failing', account);
  await untilReady(world, types.account, 'failing', 'AllocationFailed');
  await untilReady(world, types.account, 'failing');
});

test('while Microsoft Entra ID does not answer there is no tight loop, and work goes on by itself once it answers', async () => {
  world.azure.faults.add({ service: 'aad', connection: 'drop', times: 0, id: 'silence' });
  await world.apply(types.account, 'silent', account);
  await until('a warning', async () => (await reasonOf('silent'))?.severity === 'Warning');
  expect((await reasonOf('silent'))?.message).toMatch(/did not answer/);
  const before = world.azure.journal.entries({ service: 'aad', status: 0 }).length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(world.azure.journal.entries({ service: 'aad', status: 0 }).length - before).toBeLessThan(5);
  world.azure.faults.clear();
  await untilReady(world, types.account, 'silent');
});

test('a wrong credential is reported with the code of Microsoft Entra ID, and a Secret with a right one repairs it', async () => {
  const secret = { ...world.azure.env(), AZURE_CLIENT_SECRET: 'not-the-secret' };
  const write = (data: Record<string, string>) =>
    world.client.apply(
      { ...configMaps, plural: 'secrets', kind: 'Secret' },
      { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'other' }, stringData: data },
      { fieldManager: 'test', force: true },
    );
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = secret as Record<
    string,
    string
  >;
  const data = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } as Record<
    string,
    string
  >;
  const annotations = { 'serviceoperator.azure.com/credential-from': 'other' };
  await world.apply(types.account, 'wrong', account, { annotations });
  await untilReady(world, types.account, 'wrong', 'SecretNotFound');
  await write(data);
  const refused = await untilReady(world, types.account, 'wrong', 'AuthenticationFailed');
  expect(condition(refused)?.message).toMatch(/AADSTS7000215/);
  expect(condition(refused)?.message).not.toContain('not-the-secret');
  await write({ ...data, AZURE_CLIENT_SECRET: world.azure.defaultApp.secret });
  await untilReady(world, types.account, 'wrong');
});
