import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { TestVault } from '../export/test-vault.ts';
import { numbered, SecretWorld, vaultRef } from '../managed-secrets/secret-world.ts';
import { events, types, until } from '../support.ts';
import { conditionOf, machineKindPattern, machineType } from './machine-world.ts';
import { delivered, machineSpec } from './secret-machines.ts';

let azm: SecretWorld;
let vault: TestVault;
let north: TestVault;
beforeAll(async () => {
  azm = await SecretWorld.start({ kinds: machineKindPattern });
  vault = await azm.vault('azmpins', 'westeurope');
  north = await azm.vault('azmpinsnorth', 'northeurope');
});
afterAll(() => azm?.close());

const hour = 3_600_000;
const home = { vault: vaultRef('azmpins') };
const renew = { annotations: { [annotations.renew]: 'now' } };

// First: the API server's own clock gives identities their time of creation.
test('a pinned identity is the current one, and the newer one stays', async () => {
  const owner = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' };
  const spec = { kind: 'Identity', identity: { location: 'westeurope', owner } };
  await azm.secret('who', spec);
  await azm.version('who', 1);
  await azm.secret('who', spec, renew);
  await azm.version('who', 2);
  await azm.secret('who', { ...spec, pinnedVersion: 1 }, renew);
  const { status } = await azm.reason('who', 'VersionPinned');
  expect(status).toMatchObject({ version: 1, identityId: expect.stringMatching(/-1$/) });
  expect(await azm.world.get(types.identity, 'who-2')).toBeDefined();
});

const certificateSpec = (vaultSecretName: string) => ({
  kind: 'Certificate',
  home,
  regions: [{ location: 'northeurope', vault: vaultRef('azmpinsnorth') }],
  certificate: { subject: 'CN=web.example.com', keyType: 'EC', validity: '2160h' },
  rotation: { overlap: '0s', retain: '500h' },
  vaultSecretName,
});
const imports = (of: TestVault, name: string) =>
  of.requests('POST', `/certificates/${name}/import`).filter(({ effective }) => effective).length;
/** What the Key Vault extension gets: the newest version, by its number and its certificate. */
const newestOf = async (of: TestVault, name: string) => {
  const { body } = await of.send('GET', `/certificates/${name}`);
  return { number: body.tags['azimuth-version'], cer: body.cer as string };
};
const warningsOf = async (machine: string) => {
  const { items } = await azm.world.client.list<KubeObject>(events, { namespace: 'default' });
  const ofMachine = items.filter((each) => each['regarding'].name === machine);
  return ofMachine.filter((each) => each['reason'] === 'MachineWarning').map((each) => String(each['note']));
};

test('an extension, which reads the newest version, follows a pin and its removal', async () => {
  const spec = certificateSpec('polled');
  await azm.secret('polled', spec);
  const body = { ...machineSpec('polled', 'VaultExtension'), identity: { type: 'SystemAssigned' } };
  await azm.world.apply(machineType, 'vm-polled', body);
  await delivered(azm, 'vm-polled', 1);
  const { cer } = await newestOf(vault, 'polled');
  await azm.secret('polled', spec, renew);
  await delivered(azm, 'vm-polled', 2);
  await azm.version('polled', 2);
  const second = await newestOf(vault, 'polled');

  await azm.secret('polled', { ...spec, pinnedVersion: 1 }, renew);
  const { status } = await azm.reason('polled', 'VersionPinned');
  await delivered(azm, 'vm-polled', 1);
  for (const each of [vault, north]) expect(await newestOf(each, 'polled')).toEqual({ number: '1', cer });
  expect(status).toMatchObject({
    versions: [
      { number: 2, state: 'Waiting' },
      { number: 1, state: 'Current' },
    ],
  });
  await azm.restart();
  await azm.reason('polled', 'VersionPinned');
  await delivered(azm, 'vm-polled', 1);
  expect([imports(vault, 'polled'), imports(north, 'polled')]).toEqual([1, 3]);
  expect((await warningsOf('vm-polled')).join()).not.toContain('NewerVersionRead');

  // The vaults take the versions, and their answers are lost.
  azm.world.azure.faults.add({
    method: 'POST',
    path: '/certificates/polled/import',
    connection: 'dropAfter',
    times: 2,
  });
  await azm.secret('polled', spec, renew);
  await azm.version('polled', 2);
  azm.world.azure.faults.clear();
  for (const each of [vault, north]) expect(await newestOf(each, 'polled')).toEqual(second);
  expect([imports(vault, 'polled'), imports(north, 'polled')]).toEqual([2, 4]);
  await delivered(azm, 'vm-polled', 2);

  azm.clock.advance(501 * hour);
  const disabled = [
    ['1', false],
    ['1', false],
    ['2', true],
    ['2', true],
  ];
  await until('the first version and its reimport are disabled', async () => {
    await azm.poke('polled');
    return JSON.stringify(await numbered(vault, 'polled')) === JSON.stringify(disabled);
  });
});

test('a refused import shows in Ready of the ManagedSecret and in a warning of the machine', async () => {
  const spec = certificateSpec('refused');
  await azm.secret('refused', spec);
  await azm.world.apply(machineType, 'vm-refused', {
    ...machineSpec('refused', 'VaultExtension'),
    identity: { type: 'SystemAssigned' },
  });
  await azm.world.apply(machineType, 'vm-named', machineSpec('refused', 'OsProfile'));
  await delivered(azm, 'vm-refused', 1);
  await azm.secret('refused', spec, renew);
  await delivered(azm, 'vm-named', 2);
  await azm.version('refused', 2);
  const error = { code: 'BadParameter', message: 'The private key of the certificate is missing.' };
  const path = '/certificates/refused/import';
  azm.world.azure.faults.add({ method: 'POST', path, status: 400, times: 0, body: { error } });
  await azm.secret('refused', { ...spec, pinnedVersion: 1 }, renew);
  const held = await azm.reason('refused', 'NewestVersionDiffers');
  expect(conditionOf(held, 'Ready')?.message).toMatch(
    /^In the home vault version 1 could not .* private key .* missing/,
  );
  await delivered(azm, 'vm-named', 1);
  await until('the event names the version', async () =>
    (await warningsOf('vm-refused')).some((note) => /NewerVersionRead: .* version 2 of refused/.test(note)),
  );
  azm.world.azure.faults.clear();
  await azm.secret('refused', spec, renew);
  await azm.version('refused', 2);
});

test('a pin reverts a machine to a former version with one edit, and its removal goes forward again', async () => {
  const spec = {
    kind: 'Certificate',
    home,
    certificate: { subject: 'CN=web.example.com', keyType: 'EC', validity: '2160h' },
    rotation: { overlap: '0s', retain: '500h' },
    vaultSecretName: 'pinned',
  };
  await azm.secret('pinned', spec);
  await azm.world.apply(machineType, 'vm-pinned', machineSpec('pinned', 'OsProfile'));
  await delivered(azm, 'vm-pinned', 1);
  await azm.secret('pinned', spec, renew);
  await delivered(azm, 'vm-pinned', 2);
  await azm.version('pinned', 2);
  expect(await numbered(vault, 'pinned')).toEqual([
    ['1', true],
    ['2', true],
  ]);

  await azm.secret('pinned', { ...spec, pinnedVersion: 1 }, renew);
  await delivered(azm, 'vm-pinned', 1);
  const { status } = await azm.reason('pinned', 'VersionPinned');
  expect(conditionOf({ status } as never, 'Ready')?.status).toBe('True');
  expect(status).toMatchObject({
    version: 1,
    versions: [
      { number: 2, state: 'Waiting' },
      { number: 1, state: 'Current' },
    ],
  });
  expect(status?.nextRenewal).toBeUndefined();

  azm.clock.advance(2100 * hour);
  await azm.poke('pinned');
  await azm.reason('pinned', 'RenewalPaused');
  expect(await numbered(vault, 'pinned')).toEqual([
    ['1', true],
    ['1', true],
    ['2', true],
  ]);
  await azm.secret('pinned', spec, renew);
  await delivered(azm, 'vm-pinned', 3);
});

test('a pin to a version that is not there holds machines, and names the versions that are', async () => {
  const spec = { kind: 'SymmetricKey', home, vaultSecretName: 'gone' };
  await azm.secret('gone', spec);
  await azm.world.apply(machineType, 'vm-gone', machineSpec('gone', 'Endpoint'));
  await delivered(azm, 'vm-gone', 1);
  await azm.secret('gone', { ...spec, pinnedVersion: 9 });
  const held = await azm.reason('gone', 'PinnedVersionUnavailable');
  expect(conditionOf(held, 'Ready')?.message).toContain('Version 9 is pinned and does not exist; there are 1: set');
  await until('the machine says why it waits', async () => {
    const found = await azm.world.get(machineType, 'vm-gone');
    return conditionOf(found, 'SecretsDelivered')?.reason === 'PinnedVersionUnavailable';
  });
  await azm.secret('gone', { ...spec, pinnedVersion: 1 });
  await azm.reason('gone', 'VersionPinned');
  await delivered(azm, 'vm-gone', 1);
});
