import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { types, until } from '../support.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

let azm: SecretWorld;
beforeAll(async () => {
  azm = await SecretWorld.start();
});
afterAll(() => azm?.close());

const owner = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' };

test('an identity is an object of the namespace, and a renewal makes the next one before the old one goes', async () => {
  const spec = { kind: 'Identity', identity: { location: 'westeurope', owner } };
  await azm.secret('who', spec);
  const { status, metadata } = await azm.version('who', 1);
  expect(status?.identityId).toMatch(/userAssignedIdentities\/default-who-[0-9a-f]{10}-1$/);
  const first = await azm.world.get(types.identity, 'who-1');
  expect(first.metadata.ownerReferences).toContainEqual(
    expect.objectContaining({ kind: 'ManagedSecret', uid: metadata.uid }),
  );
  azm.clock.advance(120_000);
  await azm.secret('who', spec, { annotations: { 'azimuth.dev/renew': 'once' } });
  const next = await until('the second identity is current', async () => {
    const found = await azm.ready('who');
    return found['status']?.version === 2 && found['status'];
  });
  expect(next.identityId).toMatch(/-2$/);
  expect(await azm.world.get(types.identity, 'who-1')).toBeDefined();
});

test("a key of another resource is copied, and a new key of somebody's makes a new version", async () => {
  const { world } = azm;
  const vault = await azm.vault('azmkeys', 'westeurope');
  const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
  const annotations = { 'azimuth.dev/rotation-overlap': '1s' };
  await world.apply(types.account, 'azmkeyed', account, { annotations });
  const resource = { group: 'storage.azure.com', kind: 'StorageAccount', name: 'azmkeyed' };
  const home = { vault: vaultRef('azmkeys') };
  const spec = { kind: 'ResourceKey', home, vaultSecretName: 'key', resourceKey: { resource, key: 'key1' } };
  await azm.secret('key', spec);
  await azm.version('key', 1);
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/azmkeyed`;
  const first = (await vault.secret('key'))?.value;
  expect(first).toMatch(/==$/);
  const token = await world.portal.token('https://management.azure.com/.default');
  const renewed = await world.portal.send(
    'POST',
    `${world.azure.endpoints.arm}${id}/regenerateKey?api-version=2023-05-01`,
    {
      token,
      body: { keyName: 'key1' },
    },
  );
  expect(renewed.status).toBe(200);
  await azm.poke('key');
  await azm.version('key', 2);
  expect((await vault.secret('key'))?.value).not.toBe(first);
  expect(await numbered(vault, 'key')).toHaveLength(2);
  // A renewal that is due asks the resource's own rotation, whose end makes the next version.
  azm.clock.advance(120_000);
  await azm.secret('key', spec, { annotations: { 'azimuth.dev/renew': 'due' } });
  await until('the rotation of the account is asked for', async () => {
    const { metadata } = await world.get(types.account, 'azmkeyed');
    return metadata.annotations?.['azimuth.dev/rotate-keys'] === 'key-3';
  });
  await until('the new key is a version', async () => {
    azm.clock.advance(120_000);
    await azm.poke('key');
    return (await numbered(vault, 'key')).length === 3;
  });
  await azm.secret('key', { ...spec, resourceKey: { resource, key: 'key9' } });
  const { status, metadata } = await azm.reason('key', 'KeyUnknown');
  expect(status).toMatchObject({
    observedGeneration: metadata.generation,
    conditions: [
      { type: 'Ready', status: 'False', severity: 'Error' },
      { type: 'Stalled', status: 'True' },
    ],
  });
  expect(JSON.stringify(status)).toContain('it has');
  // Each request for this value makes another kubeconfig.
  const armId = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.RedHatOpenShift/hcpOpenShiftClusters/hosted`;
  await azm.secret('key', { ...spec, resourceKey: { resource: { armId }, key: 'adminCredentials' } });
  await until('a value that is made anew is no key', async () => {
    const found = await azm.reason('key', 'KeyUnknown');
    return JSON.stringify(found['status']).includes('no key adminCredentials: it has none');
  });
});
