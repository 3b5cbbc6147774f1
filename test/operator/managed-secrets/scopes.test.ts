import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namespaces } from '../../conformance/resources.ts';
import type { TestVault } from '../export/test-vault.ts';
import { types, untilReady } from '../support.ts';
import { SecretWorld } from './secret-world.ts';

let azm: SecretWorld;
let ours: TestVault;
let theirs: TestVault;
const vaultId = (name: string) =>
  `/subscriptions/${azm.world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${name}`;

beforeAll(async () => {
  azm = await SecretWorld.start();
  [ours, theirs] = await Promise.all([azm.vault('azmours', 'westeurope'), azm.vault('azmtheirs', 'northeurope')]);
  await azm.operator.stop();
  const metadata = { name: 'tenant' };
  await azm.world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const scopes = `default=/subscriptions/${azm.world.azure.subscriptionId};tenant=${vaultId('azmours')}`;
  await azm.restart({ AZURE_OPERATOR_CREDENTIAL_SCOPES: scopes });
  await untilReady(azm.world, types.vault, 'azmtheirs');
});
afterAll(() => azm?.close());

test('under scopes a vault of another namespace is neither read nor written, as home or as region', async () => {
  const at = (name: string) => ({ vault: { armId: vaultId(name) } });
  await azm.secret('steal', { kind: 'SymmetricKey', home: at('azmtheirs') }, { namespace: 'tenant' });
  await azm.reason('steal', 'ScopeNotAllowed', 'tenant');
  const regions = [{ location: 'northeurope', ...at('azmtheirs') }];
  await azm.secret(
    'leak',
    { kind: 'SymmetricKey', home: at('azmours'), regions, vaultSecretName: 'leak' },
    {
      namespace: 'tenant',
    },
  );
  const { status } = await azm.reason('leak', 'ScopeNotAllowed', 'tenant');
  expect(status?.copies).toMatchObject([{ state: 'Current' }, { location: 'northeurope', state: 'Expired' }]);
  expect((await ours.secret('leak'))?.value).toBeDefined();
  expect(theirs.requests('.*', '.*')).toEqual([]);
  // The object of the vault itself is read in another API version.
  const reads = azm.world.azure.journal.entries({ service: 'arm', path: /azmtheirs/ });
  expect(reads.filter(({ apiVersion }) => apiVersion === '2024-11-01')).toEqual([]);
});

test('under scopes an object of another namespace cannot be named, and no key of a foreign resource is read', async () => {
  const { world } = azm;
  const home = { vault: { armId: vaultId('azmours') } };
  const byName = { vault: { group: 'keyvault.azure.com', kind: 'Vault', name: 'azmtheirs' } };
  await azm.secret('named', { kind: 'SymmetricKey', home: byName }, { namespace: 'tenant' });
  await azm.reason('named', 'ReferenceNotFound', 'tenant');
  const account = vaultId('x').replace('Microsoft.KeyVault/vaults', 'Microsoft.Storage/storageAccounts');
  const resourceKey = { resource: { armId: account }, key: 'key1' };
  await azm.secret('keys', { kind: 'ResourceKey', home, resourceKey }, { namespace: 'tenant' });
  await azm.reason('keys', 'ScopeNotAllowed', 'tenant');
  expect(world.azure.journal.entries({ service: 'arm', path: /listKeys/ })).toEqual([]);
});
