import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { TestVault } from '../export/test-vault.ts';
import { managedSecrets, numbered, SecretWorld, vaultRef } from '../managed-secrets/secret-world.ts';
import { until } from '../support.ts';
import { conditionOf, machineKindPattern, machineType } from './machine-world.ts';
import { delivered, machineSpec } from './secret-machines.ts';

let azm: SecretWorld;
let vault: TestVault;
beforeAll(async () => {
  azm = await SecretWorld.start({ kinds: machineKindPattern });
  vault = await azm.vault('azmused', 'westeurope');
});
afterAll(() => azm?.close());

const machine = (secret: string) => machineSpec(secret, 'Endpoint');
const key = { kind: 'SymmetricKey', home: { vault: vaultRef('azmused') }, rotation: { every: '720h', overlap: '0s' } };

const renew = (name: string) =>
  azm.secret(name, { ...key, vaultSecretName: name }, { annotations: { 'azimuth.dev/renew': 'now' } });

test('the version before is disabled soon after the last machine has the new one', async () => {
  await azm.secret('one', { ...key, vaultSecretName: 'one' });
  await azm.world.apply(machineType, 'vm-one', machine('one'));
  await delivered(azm, 'vm-one', 1);
  await renew('one');
  await delivered(azm, 'vm-one', 2);
  await until('version 1 is disabled', async () => (await numbered(vault, 'one'))[0]?.[1] === false);
});

test('a machine that keeps an old version holds it, until its object is deleted', async () => {
  const { client } = azm.world;
  await azm.secret('two', { ...key, vaultSecretName: 'two' });
  await azm.world.apply(machineType, 'vm-two', machine('two'));
  await delivered(azm, 'vm-two', 1);
  const skip = { metadata: { annotations: { [annotations.reconcilePolicy]: 'skip' } } };
  await client.patch(machineType, { namespace: 'default', name: 'vm-two' }, { type: 'merge', body: skip });
  await until('the delivery is held', async () => {
    const found = await client.tryGet(machineType, { namespace: 'default', name: 'vm-two' });
    return conditionOf(found, 'SecretsDelivered')?.reason === 'DeliveryHeld';
  });
  await renew('two');
  await azm.version('two', 2);
  await azm.poke('two');
  await azm.ready('two');
  expect(await numbered(vault, 'two')).toEqual([
    ['1', true],
    ['2', true],
  ]);
  await client.delete(machineType, { namespace: 'default', name: 'vm-two' });
  await until('version 1 is disabled', async () => (await numbered(vault, 'two'))[0]?.[1] === false);
});

test('a machine that this process has not planned holds every version, and frees them once it has', async () => {
  await azm.secret('three', { ...key, vaultSecretName: 'three' });
  await azm.version('three', 1);
  await azm.operator.stop();
  await azm.world.apply(machineType, 'vm-three', machine('one'));
  await renew('three');
  await azm.restart();
  await azm.version('three', 2);
  await delivered(azm, 'vm-three', 2);
  await until('version 1 is disabled', async () => (await numbered(vault, 'three'))[0]?.[1] === false);
  const found = await azm.world.client.get(managedSecrets, { namespace: 'default', name: 'three' });
  expect(found['status']?.versions).toMatchObject([{ number: 2 }, { number: 1, state: 'Disabled' }]);
});
