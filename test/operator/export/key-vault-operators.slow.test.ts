/** Key Vault outputs of operators in hurried time, and of one that has a vault of its own. */
import { createHash } from 'node:crypto';
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

/** A clock so many times as fast as the machine's. Runs are ended after eight minutes of it: a slow machine needs some. */
function fastClock(speed: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * speed,
    monotonic: () => systemClock.monotonic() * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}

test('an expiry is renewed by a timer of its own where there is no sync period', async () => {
  const start = Date.now();
  const fast = await world.startOperator({}, { clock: fastClock(600) });
  const name = 'storageaccount-default-ticking';
  await world.apply(types.account, 'ticking', intoVault({ expires: '1h' }));
  await until('two renewals', async () => vault.requests('PATCH', name).length >= 2);
  expect(await vault.versions(name)).toHaveLength(1);
  expect(vault.requests('PUT', name)).toHaveLength(1);
  expect((await vault.secret(name))?.attributes.exp).toBeGreaterThan(start / 1000 + 3600);
  await fast.stop();
});

test('a vault that is away holds a deletion for a few tries only', async () => {
  const fast = await world.startOperator({}, { clock: fastClock(30) });
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

test('in the vault of the operator the secrets of a bounded namespace have names that no other one can have', async () => {
  const scope = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg`;
  const suffix = createHash('sha256').update('default').digest('hex').slice(0, 10);
  const identity = (keyVault: object) => ({
    location: 'westeurope',
    owner: { name: 'rg' },
    operatorSpec: { keyVault: { keys: ['clientId'], ...keyVault } },
  });
  const unbounded = await world.startOperator({ AZURE_OPERATOR_KEYVAULT: 'azmshared' });
  const shared = await TestVault.create(world, 'azmshared');
  await world.apply(types.identity, 'earlier', identity({ name: 'earlier' }));
  await untilReady(world, types.identity, 'earlier');
  await unbounded.stop();
  const env = { AZURE_OPERATOR_KEYVAULT: 'azmshared', AZURE_OPERATOR_CREDENTIAL_SCOPES: `default=${scope}` };
  const operator = await world.startOperator(env);
  const tags = { 'azimuth-resource': '/subscriptions/other/theirs' };
  const taken = [`of-administrator-${suffix}`, `of-other-${suffix}`, `deleted-${suffix}`];
  await shared.send('PUT', '/secrets/wanted', { value: 'kept' });
  await shared.send('PUT', `/secrets/${taken[0]}`, { value: 'kept' });
  await shared.send('PUT', `/secrets/${taken[1]}`, { value: 'kept', tags });
  await shared.send('PUT', `/secrets/${taken[2]}`, { value: 'kept', tags });
  await shared.send('DELETE', `/secrets/${taken[2]}`);
  // Whatever others have, and whichever way the spec names the vault.
  await world.apply(types.identity, 'wants', identity({ name: 'wanted' }));
  await world.apply(types.identity, 'flat', identity({ name: 'wanted', flatten: true }));
  await world.apply(
    types.identity,
    'refers',
    identity({ name: 'by-id', vaultReference: { armId: `${scope}/providers/Microsoft.KeyVault/vaults/azmshared` } }),
  );
  for (const name of ['wants', 'flat', 'refers']) await untilReady(world, types.identity, name);
  expect(await shared.names()).toEqual(
    expect.arrayContaining([`wanted-${suffix}`, `wanted-${suffix}-clientId`, `by-id-${suffix}`]),
  );
  expect(await shared.secret('wanted')).toMatchObject({ value: 'kept' });
  // What exists under such a name all the same is left as it is.
  for (const name of ['of-administrator', 'of-other', 'deleted']) {
    await world.apply(types.identity, `takes-${name}`, identity({ name }));
    const object = await untilReady(world, types.identity, `takes-${name}`, 'FailedWritingAdditionalKubernetesObjects');
    const { message = '' } = condition(object) ?? {};
    expect(message).toContain(`The secret "${name}-${suffix}" of azmshared.`);
    expect(message).not.toContain('theirs');
  }
  for (const name of taken.slice(0, 2)) expect(await shared.secret(name)).toMatchObject({ value: 'kept' });
  expect(await shared.names()).not.toContain(taken[2]);
  // A secret of its own comes back, deleted or not.
  const own = `own-${suffix}`;
  await world.apply(types.identity, 'own', identity({ name: 'own' }));
  await untilReady(world, types.identity, 'own');
  await world.client.delete(types.identity, { namespace: 'default', name: 'own' });
  await gone(world, types.identity, 'own');
  expect(await shared.names()).not.toContain(own);
  await world.apply(types.identity, 'own', identity({ name: 'own' }));
  await untilReady(world, types.identity, 'own');
  expect(await shared.names()).toContain(own);
  // The readers of an object that wrote before its namespace had scopes know another name.
  await world.apply(types.identity, 'earlier', { ...identity({ name: 'earlier' }), tags: { a: 'b' } });
  await until('the object is reconciled again', async () => {
    const object = await world.client.get(types.identity, { namespace: 'default', name: 'earlier' });
    return condition(object)?.observedGeneration === object.metadata.generation;
  });
  await untilReady(world, types.identity, 'earlier');
  expect((await shared.names()).filter((name) => name.startsWith('earlier'))).toEqual(['earlier']);
  await operator.stop();
});
