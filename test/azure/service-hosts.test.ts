import { expect, test } from '@jest/globals';
import { clouds } from '../../runtime/azure/clouds.ts';
import { ServiceHosts } from '../../runtime/azure/service-hosts.ts';

const hosts = new ServiceHosts(clouds.AzurePublicCloud);
const found = (text: string, from = hosts) =>
  from.in(text).map(({ type, name }) => `${type.armType.split('/')[1]} ${name ?? '?'}`);

test.each([
  ['https://theirs.blob.core.windows.net/vhds/a.vhd', 'storageAccounts theirs'],
  ['HTTPS://Theirs.FILE.Core.Windows.Net:443', 'storageAccounts theirs'],
  ['theirs.dfs.core.windows.net', 'storageAccounts theirs'],
  ['https://theirs-secondary.table.core.windows.net.', 'storageAccounts theirs'],
  ['https://theirs-microsoftrouting.blob.core.windows.net/', 'storageAccounts theirs'],
  ['https://theirs.z13.web.core.windows.net/', 'storageAccounts theirs'],
  ['https://theirs.z5.blob.storage.azure.net/', 'storageAccounts theirs'],
  ['https://theirs.privatelink.queue.core.windows.net', 'storageAccounts theirs'],
  ['abfss://files@theirs.dfs.core.windows.net/x', 'storageAccounts theirs'],
  ['https://theirs.blob.core.usgovcloudapi.net/', 'storageAccounts theirs'],
  ['https://theirs.blob.core.chinacloudapi.cn/', 'storageAccounts theirs'],
  ['https://ｔｈｅｉｒｓ．blob。core.windows.net/', 'storageAccounts theirs'],
  ['https://the\u00adirs.blob.co\tre.windows.net/x', 'storageAccounts theirs'],
  ['https://a.theirs.blob.core.windows.net/', 'storageAccounts ?'],
  ['https://md-hdd-x1.z12.blob.storage.azure.net/', 'storageAccounts ?'],
  ['https://my-vault.vault.azure.net/keys/k/1', 'vaults my-vault'],
  ['https://my-vault.vaultcore.azure.net/', 'vaults my-vault'],
  ['https://my-vault.vault.usgovcloudapi.net/', 'vaults my-vault'],
  ['@Microsoft.KeyVault(SecretUri=https://my-vault.vault.azure.cn/secrets/s/)', 'vaults my-vault'],
  ['https://hsm-1.managedhsm.azure.net/keys/k', 'managedHSMs hsm-1'],
])('a host names its resource: %s', (text, expected) => {
  expect(found(text)).toContain(expected);
});

test('of two hosts in one URL both count', () => {
  const url = 'https://mine.blob.core.windows.net@theirs.blob.core.windows.net/?x=third.blob.core.windows.net';
  expect(found(url)).toEqual(
    expect.arrayContaining(['mine', 'theirs', 'third'].map((each) => `storageAccounts ${each}`)),
  );
});

test.each([
  'privatelink.blob.core.windows.net',
  'privatelink.vaultcore.azure.net',
  '*.blob.core.windows.net',
  'core.windows.net',
  'https://x.blob.core.windows.network/',
  'https://example.com/blob.html',
  'https://x.documents.azure.com/',
])('a text names no such resource: %s', (text) => {
  expect(found(text)).toEqual([]);
});

test('clouds that are described by their endpoints have services of their own', () => {
  const stack = new ServiceHosts({
    ...clouds.AzurePublicCloud,
    resourceManagerEndpoint: 'https://management.local.azurestack.external',
    keyVaultDnsSuffix: 'vault.localhost:8443',
  });
  expect(found('https://theirs.blob.local.azurestack.external/', stack)).toContain('storageAccounts theirs');
  expect(found('https://my-vault.vault.localhost:8443/', stack)).toContain('vaults my-vault');
});

test('a text of a megabyte is read at once', () => {
  const text = `${'a'.repeat(1_000_000)}.blob.core.windows.net`;
  expect(found(text)).toContain('storageAccounts ?');
  expect(found('.blob.core.windows.net'.repeat(20_000)).length).toBeGreaterThan(0);
});
