import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namespaces } from '../../conformance/resources.ts';
import type { TestVault } from '../export/test-vault.ts';
import { events, until } from '../support.ts';
import { managedSecrets, numbered, SecretWorld, vaultRef } from './secret-world.ts';

let azm: SecretWorld;
let west: TestVault;
let north: TestVault;
let east: TestVault;
const hour = 3_600_000;

beforeAll(async () => {
  azm = await SecretWorld.start({ approve: false });
  [west, north, east] = await Promise.all([
    azm.vault('azmfwest', 'westeurope'),
    azm.vault('azmfnorth', 'northeurope'),
    azm.vault('azmfeast', 'eastus'),
  ]);
});
afterAll(() => azm?.close());

const home = { vault: vaultRef('azmfwest') };
const regions = [
  { location: 'northeurope', vault: vaultRef('azmfnorth') },
  { location: 'eastus', vault: vaultRef('azmfeast') },
];
const rotation = { every: '720h', overlap: '2h' };
const key = { kind: 'SymmetricKey', home, regions, rotation };
const renew = (word: string) => ({ annotations: { 'azimuth.dev/renew': word } });

test('without an approval nothing is sent to Azure; with one the object goes on by itself', async () => {
  await azm.secret('gated', { ...key, vaultSecretName: 'gated' });
  await azm.reason('gated', 'WaitingForFeature');
  expect(west.requests('.*', 'gated')).toEqual([]);
  await azm.approve();
  await azm.version('gated', 1);
});

test('a withdrawn approval stops a renewal half-way, and the next approval goes on with it', async () => {
  await azm.secret('half', { ...key, vaultSecretName: 'half' });
  await azm.version('half', 1);
  azm.world.azure.vaultOutages.set({ vault: 'azmfeast' }, 'unreachable');
  azm.clock.advance(120_000);
  await azm.secret('half', { ...key, vaultSecretName: 'half' }, renew('one'));
  await until('the renewal reaches the region that answers', async () => (await numbered(north, 'half')).length === 2);
  await azm.withdraw();
  await azm.reason('half', 'WaitingForFeature');
  azm.world.azure.vaultOutages.clear();
  azm.clock.advance(10 * 60_000);
  await azm.poke('half');
  expect((await numbered(east, 'half')).map(([number]) => number)).toEqual(['1']);
  await azm.approve();
  await azm.version('half', 2);
  expect((await east.secret('half'))?.value).toBe((await west.secret('half'))?.value);
});

test('an answer that is not the vault does not count: its last one serves', async () => {
  await azm.secret('proxied', { ...key, vaultSecretName: 'proxied' });
  await azm.version('proxied', 1);
  azm.world.azure.faults.add({ method: 'GET', path: 'vaults/azmfnorth\\?', status: 200, times: 0, body: {} });
  azm.clock.advance(6 * 60_000);
  await azm.secret('proxied', { ...key, vaultSecretName: 'proxied' }, renew('one'));
  await azm.version('proxied', 2);
  expect(azm.world.azure.faults.list().some(({ hits }) => hits > 0)).toBe(true);
  azm.world.azure.faults.clear();
});

test('a region that is away for an hour of a renewal is stale with its age, keeps no other waiting, and catches up', async () => {
  await azm.secret('away', { ...key, vaultSecretName: 'away' });
  await azm.version('away', 1);
  azm.world.azure.vaultOutages.set({ location: 'eastus' }, 'unavailable');
  azm.clock.advance(120_000);
  await azm.secret('away', { ...key, vaultSecretName: 'away' }, renew('one'));
  await azm.reason('away', 'CopyStale');
  await until('the other region has it', async () => (await numbered(north, 'away')).length === 2);
  azm.clock.advance(hour);
  await azm.poke('away');
  const found = await until('the age is shown', async () => {
    const { status } = await azm.reason('away', 'CopyStale');
    return status?.copies?.[2]?.age === '1h' && status;
  });
  expect(found.copies).toMatchObject([{ state: 'Current' }, { state: 'Current' }, { state: 'Stale', version: 1 }]);
  expect(found.copies[2].message).toMatch(/503/);
  // No old version goes while a region has nothing else.
  expect(await numbered(west, 'away')).toEqual([
    ['1', true],
    ['2', true],
  ]);
  azm.world.azure.vaultOutages.clear();
  azm.clock.advance(10 * 60_000);
  await azm.poke('away');
  await azm.version('away', 2);
  expect((await east.secret('away'))?.value).toBe((await west.secret('away'))?.value);
});

test('after a restart the vaults say what is there, and nothing is written twice', async () => {
  await azm.secret('again', { ...key, vaultSecretName: 'again' });
  await azm.version('again', 1);
  await azm.restart();
  await azm.poke('again');
  await azm.version('again', 1);
  for (const vault of [west, north, east]) expect(vault.requests('PUT', 'again')).toHaveLength(1);
  expect(west.requests('GET', '/secrets/again/[0-9a-f]{32}')).toHaveLength(2);
});

test('a secret of another object is neither read nor written, and a-b/c and a/b-c have different names', async () => {
  await west.send('PUT', '/secrets/taken', { value: 'somebody else', tags: { 'azimuth-object': 'other/taken/uid' } });
  await azm.secret('taken', { ...key, vaultSecretName: 'taken' });
  const { status } = await azm.reason('taken', 'NameTaken');
  expect(JSON.stringify(status)).toContain('other/taken/uid');
  expect((await west.secret('taken'))?.value).toBe('somebody else');
  expect(west.requests('PUT', '/secrets/taken')).toEqual([]);
  expect(west.requests('GET', '/secrets/taken\\?')).toEqual([]);
  for (const name of ['a-b', 'a']) {
    await azm.world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const vault = { armId: vaultId('azmfwest') };
  await azm.secret('c', { kind: 'SymmetricKey', home: { vault } }, { namespace: 'a-b' });
  await azm.secret('b-c', { kind: 'SymmetricKey', home: { vault } }, { namespace: 'a' });
  await azm.reason('c', 'Succeeded', 'a-b');
  await azm.reason('b-c', 'Succeeded', 'a');
  expect((await west.names()).filter((name) => name.startsWith('a-b-c-'))).toHaveLength(2);
});

test('a deleted secret of another object is not recovered', async () => {
  await west.send('PUT', '/secrets/gone', { value: 'somebody else', tags: { 'azimuth-object': 'other/gone/uid' } });
  await west.send('DELETE', '/secrets/gone');
  await azm.secret('gone', { ...key, regions: [], vaultSecretName: 'gone' });
  await azm.reason('gone', 'NameTaken');
  expect((await west.send('GET', '/deletedsecrets/gone')).status).toBe(200);
});

test('a deleted secret of its own is recovered with its versions, and no new one is made', async () => {
  await azm.secret('back', { ...key, vaultSecretName: 'back' });
  await azm.version('back', 1);
  const before = (await west.secret('back'))?.value;
  await west.send('DELETE', '/secrets/back');
  await azm.poke('back');
  await azm.reason('back', 'SecretRecovered');
  azm.clock.advance(60_000);
  await azm.poke('back');
  await azm.version('back', 1);
  expect((await west.secret('back'))?.value).toBe(before);
  expect(await numbered(west, 'back')).toEqual([['1', true]]);
});

test('a forged status changes nothing', async () => {
  await azm.secret('forged', { ...key, vaultSecretName: 'forged' });
  const { status } = await azm.version('forged', 1);
  const body = { status: { ...status, version: 7, versions: [{ number: 7, state: 'Current' }] } };
  await azm.world.client.patch(
    managedSecrets,
    { namespace: 'default', name: 'forged' },
    { type: 'merge', body },
    {
      subresource: 'status',
      fieldManager: 'tenant',
    },
  );
  await azm.poke('forged');
  await azm.version('forged', 1);
  expect(await numbered(west, 'forged')).toEqual([['1', true]]);
});

test('while the home vault is away nothing is renewed, and what was due for months is renewed once', async () => {
  await azm.secret('home-away', { ...key, vaultSecretName: 'home-away' });
  await azm.version('home-away', 1);
  azm.world.azure.vaultOutages.set({ vault: 'azmfwest' }, 'unreachable');
  azm.clock.advance(3000 * hour);
  await azm.poke('home-away');
  const { status } = await azm.reason('home-away', 'VaultUnreachable');
  expect(status).toMatchObject({
    version: 1,
    copies: [{ state: 'Expired' }, { state: 'Current' }, { state: 'Current' }],
  });
  expect(await numbered(north, 'home-away')).toEqual([['1', true]]);
  azm.world.azure.vaultOutages.clear();
  azm.clock.advance(10 * 60_000);
  await azm.poke('home-away');
  await azm.version('home-away', 2);
  expect((await numbered(north, 'home-away')).map(([number]) => number)).toEqual(['1', '2']);
});

test('no value is in a log, an event, a status or a metric', async () => {
  const values: string[] = [];
  for (const name of await west.names()) values.push((await west.secret(name))?.value ?? '');
  const secretValues = values.filter((value) => value !== '' && value !== 'somebody else');
  expect(secretValues.length).toBeGreaterThan(3);
  const objects = await azm.world.client.list(managedSecrets);
  const written = await azm.world.client.list(events);
  const metrics = await azm.operator.metrics.metrics();
  const all = [azm.world.log.join(''), JSON.stringify(objects), JSON.stringify(written), metrics].join('\n');
  expect(all).toContain('SecretRenewed');
  for (const value of secretValues) expect(all).not.toContain(value);
});

const vaultId = (name: string) =>
  `/subscriptions/${azm.world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${name}`;
