import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Bundle, TestVault } from '../export/test-vault.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

let azm: SecretWorld;
let west: TestVault;
let north: TestVault;
let east: TestVault;

beforeAll(async () => {
  azm = await SecretWorld.start();
  [west, north, east] = await Promise.all([
    azm.vault('azmwest', 'westeurope'),
    azm.vault('azmnorth', 'northeurope'),
    azm.vault('azmeast', 'eastus'),
  ]);
});
afterAll(() => azm?.close());

const regions = [
  { location: 'northeurope', vault: vaultRef('azmnorth') },
  { location: 'eastus', vault: vaultRef('azmeast') },
];
const home = { vault: vaultRef('azmwest') };

test('a password is generated at home, copied to each region, and the status has numbers and hashes only', async () => {
  await azm.secret('db', { kind: 'Password', home, regions, vaultSecretName: 'db' });
  const { status, metadata } = await azm.ready('db');
  const value = (await west.secret('db'))?.value ?? '';
  expect(value).toHaveLength(32);
  expect((await north.secret('db'))?.value).toBe(value);
  expect((await east.secret('db'))?.value).toBe(value);
  expect((await east.secret('db'))?.tags).toMatchObject({
    'azimuth-object': `default/db/${metadata.uid}`,
    'azimuth-version': '1',
  });
  const settings = JSON.parse((await north.secret('db-vmaccess'))?.value ?? '');
  expect(settings).toEqual({ username: 'azureuser', password: value });
  expect(status).toMatchObject({ version: 1, versions: [{ number: 1, state: 'Current' }] });
  expect(status?.copies).toMatchObject([
    { location: 'home', state: 'Current', version: 1 },
    { location: 'northeurope', state: 'Current' },
    { location: 'eastus', state: 'Current' },
  ]);
  expect(JSON.stringify(status)).not.toContain(value);
});

test('an SSH key has the form of OpenSSH, and VMAccess gets its public part and the name of the account', async () => {
  await azm.secret('login', { kind: 'SshKey', home, vaultSecretName: 'login', sshKey: { userName: ' ops\n' } });
  await azm.ready('login');
  const value = (await west.secret('login'))?.value ?? '';
  expect(value).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
  const settings = JSON.parse((await west.secret('login-vmaccess'))?.value ?? '');
  expect(settings).toEqual({ username: 'ops', ssh_key: expect.stringMatching(/^ssh-ed25519 [A-Za-z0-9+/=]+ ops$/) });
});

test('the first word in the annotation counts at once, and the next one a minute after that version', async () => {
  const ask = (word: string) => azm.secret('asked', spec, { annotations: { 'azimuth.dev/renew': word } });
  const spec = { kind: 'SymmetricKey', home, vaultSecretName: 'asked' };
  await azm.secret('asked', spec);
  await azm.version('asked', 1);
  await ask('leaked');
  await azm.version('asked', 2);
  const times = async () =>
    (await west.versions('asked')).map(({ tags }: Bundle) => Date.parse(tags['azimuth-created'] ?? '')).sort();
  const [first = 0, second = 0] = await times();
  expect(second - first).toBeLessThan(60_000);
  await ask('leaked again');
  await azm.poke('asked');
  await azm.ready('asked');
  expect(await numbered(west, 'asked')).toHaveLength(2);
  azm.clock.advance(60_000);
  // This clock moves no timer, and a reconcile under way may have read the time before.
  await azm.poke('asked');
  await azm.version('asked', 3);
  const [, , third = 0] = await times();
  expect(third - second).toBeGreaterThanOrEqual(60_000);
});

test('a word in the annotation asks for a new version, and the one before is disabled after the overlap', async () => {
  const rotation = { every: '720h', overlap: '2h' };
  await azm.secret('key', { kind: 'SymmetricKey', home, regions, rotation, vaultSecretName: 'key' });
  await azm.version('key', 1);
  const first = (await west.secret('key'))?.value;
  azm.clock.advance(120_000);
  await azm.secret(
    'key',
    { kind: 'SymmetricKey', home, regions, rotation, vaultSecretName: 'key' },
    {
      annotations: { 'azimuth.dev/renew': 'leaked' },
    },
  );
  await azm.version('key', 2);
  expect((await north.secret('key'))?.value).toBe((await west.secret('key'))?.value);
  expect((await west.secret('key'))?.value).not.toBe(first);
  azm.clock.advance(3 * 3_600_000);
  await azm.poke('key');
  await azm.ready('key');
  // Nobody has said which versions machines use.
  expect(await numbered(north, 'key')).toEqual([
    ['1', true],
    ['2', true],
  ]);
});
