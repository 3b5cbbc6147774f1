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
beforeAll(async () => {
  azm = await SecretWorld.start({ kinds: machineKindPattern });
  vault = await azm.vault('azmpins', 'westeurope');
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

test('a warning says that an extension, which reads the newest version, does not follow a pin', async () => {
  const spec = {
    kind: 'Certificate',
    home,
    certificate: { subject: 'CN=web.example.com', keyType: 'EC' },
    rotation: { retain: '500h' },
    vaultSecretName: 'polled',
  };
  await azm.secret('polled', spec);
  const body = { ...machineSpec('polled', 'VaultExtension'), identity: { type: 'SystemAssigned' } };
  await azm.world.apply(machineType, 'vm-polled', body);
  await delivered(azm, 'vm-polled', 1);
  await azm.secret('polled', spec, renew);
  await delivered(azm, 'vm-polled', 2);
  const warnings = async () => {
    const { items } = await azm.world.client.list<KubeObject>(events, { namespace: 'default' });
    const ofMachine = items.filter((each) => each['regarding'].name === 'vm-polled');
    return ofMachine.filter((each) => each['reason'] === 'MachineWarning').map((each) => String(each['note']));
  };
  expect((await warnings()).join()).not.toContain('NewerVersionRead');
  await azm.secret('polled', { ...spec, pinnedVersion: 1 }, renew);
  await delivered(azm, 'vm-polled', 1);
  await until('the event names the version', async () =>
    (await warnings()).some((note) => /NewerVersionRead: .* the vault has version 2 of polled/.test(note)),
  );
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
  expect(await numbered(vault, 'pinned')).toHaveLength(2);
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
