/** Key Vault outputs of operators in hurried time, and of one that has a vault of its own. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Clock, systemClock } from '../../../runtime/base/clock.ts';
import { armRequests, condition, gone, startWorld, types, until, untilReady, type World } from '../support.ts';
import { TestVault } from './test-vault.ts';

let world: World;
let vault: TestVault;
const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
const intoVault = (more: object = {}) => ({ ...account, operatorSpec: { keyVault: { vault: vault.name, ...more } } });

beforeAll(async () => {
  world = await startWorld();
  const operator = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  vault = await TestVault.create(world, 'azmhurried');
  await operator.stop();
});
afterEach(() => world?.azure.faults.clear());
afterAll(() => world?.close());

/** An hour in two seconds. */
function fastClock(speed = 1800): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * speed,
    monotonic: () => systemClock.monotonic() * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}

test('an expiry is renewed by a timer of its own where there is no sync period', async () => {
  const start = Date.now();
  const fast = await world.startOperator({}, { clock: fastClock() });
  const name = 'storageaccount-default-ticking';
  await world.apply(types.account, 'ticking', intoVault({ expires: '1h' }));
  await until('two renewals', async () => vault.requests('PATCH', name).length >= 2);
  expect(await vault.versions(name)).toHaveLength(1);
  expect(vault.requests('PUT', name)).toHaveLength(1);
  expect((await vault.secret(name))?.attributes.exp).toBeGreaterThan(start / 1000 + 3600);
  await fast.stop();
});

test('a vault that is away holds a deletion for a few tries only', async () => {
  const fast = await world.startOperator({}, { clock: fastClock() });
  await world.apply(types.account, 'away', intoVault());
  await untilReady(world, types.account, 'away');
  const since = vault.requests('GET', 'away').length;
  world.azure.faults.add({ service: 'vault', path: 'default-away', times: 0, connection: 'drop' });
  await world.client.delete(types.account, { namespace: 'default', name: 'away' });
  await gone(world, types.account, 'away');
  const dropped = world.azure.faults.list()[0]?.hits ?? 0;
  // Five tries, each of which may be sent once more where it met a kept connection.
  expect(dropped).toBeGreaterThanOrEqual(5);
  expect(dropped).toBeLessThanOrEqual(10);
  expect(vault.requests('GET', 'away')).toHaveLength(since);
  await fast.stop();
});

test('with a vault of the operator, kinds of ASO v1 write there by themselves, as in v1, unless they say otherwise', async () => {
  const operator = await world.startOperator({ AZURE_OPERATOR_KEYVAULT: 'azmoperator' });
  const own = await TestVault.create(world, 'azmoperator');
  const identity = { location: 'westeurope', owner: { name: 'rg' } };
  await world.apply(types.account, 'asinv1', account);
  await world.apply(types.account, 'silent', { ...account, operatorSpec: { keyVault: { keys: [] } } });
  await world.apply(types.identity, 'quiet', identity);
  await world.apply(types.identity, 'asked', { ...identity, operatorSpec: { keyVault: { keys: ['clientId'] } } });
  for (const name of ['asinv1', 'silent']) await untilReady(world, types.account, name);
  for (const name of ['quiet', 'asked']) await untilReady(world, types.identity, name);
  const names = await own.names();
  expect(names).toContain('storageaccount-default-asinv1');
  expect(names).toContain('managedidentity-userassignedidentity-default-asked');
  expect(names.filter((name) => /silent|quiet/.test(name))).toEqual([]);
  expect(armRequests(world, 'POST', /silent\/listKeys$/)).toEqual([]);
  await operator.stop();
});

test('in the vault of the operator a bounded namespace takes over no secret that is not tagged with its resource', async () => {
  const scope = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg`;
  const env = { AZURE_OPERATOR_KEYVAULT: 'azmshared', AZURE_OPERATOR_CREDENTIAL_SCOPES: `default=${scope}` };
  const operator = await world.startOperator(env);
  const shared = await TestVault.create(world, 'azmshared');
  const tags = { 'azimuth-resource': '/subscriptions/other/theirs' };
  await shared.send('PUT', '/secrets/of-administrator', { value: 'kept' });
  await shared.send('PUT', '/secrets/of-other', { value: 'kept', tags });
  await shared.send('PUT', '/secrets/deleted', { value: 'kept', tags });
  await shared.send('DELETE', '/secrets/deleted');
  const identity = (name: string) => ({
    location: 'westeurope',
    owner: { name: 'rg' },
    operatorSpec: { keyVault: { name, keys: ['clientId'] } },
  });
  const names = ['of-administrator', 'of-other', 'deleted'];
  for (const name of names) await world.apply(types.identity, `takes-${name}`, identity(name));
  for (const name of names) {
    const { message = '' } =
      condition(await untilReady(world, types.identity, `takes-${name}`, 'FailedWritingAdditionalKubernetesObjects')) ??
      {};
    expect(message).toContain(`The secret "${name}" of azmshared.`);
    expect(message).not.toContain('theirs');
  }
  for (const name of names.slice(0, 2)) expect(await shared.secret(name)).toMatchObject({ value: 'kept' });
  expect(await shared.names()).not.toContain('deleted');
  // A secret of its own comes back, deleted or not.
  await world.apply(types.identity, 'own', identity('own'));
  await untilReady(world, types.identity, 'own');
  await world.client.delete(types.identity, { namespace: 'default', name: 'own' });
  await gone(world, types.identity, 'own');
  expect(await shared.names()).not.toContain('own');
  await world.apply(types.identity, 'own', identity('own'));
  await untilReady(world, types.identity, 'own');
  expect(await shared.names()).toContain('own');
  await operator.stop();
});
