import { expect, test } from '@jest/globals';
import type { ArmKindDefinition } from '../../../runtime/api/kinds.ts';
import { kindOf } from '../../../runtime/api/kinds.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { keyVaultPlan, vaultSecrets } from '../../../runtime/arm-kinds/export/export-to-key-vault.ts';
import { clouds } from '../../../runtime/azure/clouds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { azureNames, vaultNameOf, vaultUrlIn } from '../../../runtime/operator/export/key-vault-clients.ts';

const object = (kind: string, keyVault?: object, name = 'orders'): KubeObject => ({
  apiVersion: 'x/v1',
  kind,
  metadata: { namespace: 'shop', name },
  spec: { ...(keyVault && { operatorSpec: { keyVault } }) },
});
const account = kindOf('storage.azure.com', 'StorageAccount');
const bus = kindOf('servicebus.azure.com', 'Namespace');

test('a kind of v1 has v1’s name, another one its group too', () => {
  const cosmos = kindOf('documentdb.azure.com', 'DatabaseAccount');
  expect(keyVaultPlan(cosmos, object('DatabaseAccount', { vault: 'v' }), undefined)?.name).toBe('cosmosdb-shop-orders');
  expect(keyVaultPlan(bus, object('Namespace', { vault: 'v' }), undefined)?.name).toBe(
    'servicebus-namespace-shop-orders',
  );
  expect(keyVaultPlan(account, object('StorageAccount', { vault: 'v', name: 'mine' }), undefined)?.name).toBe('mine');
});

test('the operator’s vault is taken by kinds of v1 without a word, by others when they ask, and never over another', () => {
  expect(keyVaultPlan(account, object('StorageAccount'), 'own')).toMatchObject({ vault: 'own', flatten: false });
  expect(keyVaultPlan(account, object('StorageAccount'), undefined)).toBeUndefined();
  expect(keyVaultPlan(bus, object('Namespace'), 'own')).toBeUndefined();
  expect(keyVaultPlan(bus, object('Namespace', {}), 'own')?.vault).toBe('own');
  expect(keyVaultPlan(bus, object('Namespace', { vault: 'other' }), 'own')?.vault).toBe('other');
  const vaultReference = { armId: '/x' };
  expect(keyVaultPlan(bus, object('Namespace', { vaultReference }), 'own')?.vault).toBeUndefined();
});

test.each([
  [undefined, undefined],
  ['720h', 720 * 3_600_000],
  ['1h30m', 5_400_000],
])('an expiry of %s is %s ms', (expires, ms) => {
  expect(keyVaultPlan(account, object('StorageAccount', { vault: 'v', expires }), undefined)?.expiresMs).toBe(ms);
});

test('a name that no vault takes is refused, with what to do', () => {
  const dotted = object('StorageAccount', { vault: 'v' }, 'a.b');
  expect(() => keyVaultPlan(account, dotted, undefined)).toThrow('needs a name: `storageaccount-shop-a.b`');
  const plan = { vault: 'v', name: 'n'.repeat(120), flatten: true, expiresMs: undefined };
  expect(() => vaultSecrets(plan, { connectionString: 'x' })).toThrow('needs a shorter name');
});

test('values are one JSON object in base64, sorted as v1 had them, or a secret each', () => {
  const plan = { vault: 'v', name: 'n', flatten: false, expiresMs: undefined };
  expect([...vaultSecrets(plan, { b: 'two', a: 'one' })]).toEqual([['n', '{"a":"b25l","b":"dHdv"}']]);
  expect([...vaultSecrets({ ...plan, flatten: true }, { b: 'two', a: 'one' })]).toEqual([
    ['n-a', 'one'],
    ['n-b', 'two'],
  ]);
});

test('only the actions of the keys that are asked for are sent', () => {
  const actions = (group: string, kind: string, keyVault: object) =>
    catalogueModel(kindOf(group, kind) as ArmKindDefinition)
      .exports(object(kind, { vault: 'v', ...keyVault }), '/id')
      .actions.map(({ path }) => path);
  const cosmos = ['documentdb.azure.com', 'DatabaseAccount'] as const;
  expect(actions(...cosmos, {})).toEqual(['/id/listKeys', '/id/listConnectionStrings']);
  expect(actions(...cosmos, { keys: ['connectionStrings'] })).toEqual(['/id/listConnectionStrings']);
  expect(actions(...cosmos, { keys: ['primaryEndpoint'] })).toEqual([]);
  const cluster = ['containerservice.azure.com', 'ManagedCluster'] as const;
  expect(actions(...cluster, { keys: ['userCredentials'] })).toEqual(['/id/listClusterUserCredential']);
});

test.each(Object.values(clouds))('a vault of $name is one below its own domain', (cloud) => {
  const domain = cloud.keyVaultDnsSuffix;
  expect(vaultUrlIn(cloud, 'shop').href).toBe(`https://shop.${domain}/`);
  expect(vaultUrlIn(cloud, `https://Shop.${domain}`).href).toBe(`https://shop.${domain}/`);
  for (const wrong of [`https://shop.${domain}.example.com`, `https://a.b.${domain}`, 'https://example.com']) {
    expect(() => vaultUrlIn(cloud, wrong)).toThrow(`is no vault of ${cloud.name}`);
  }
});

test('an ARM id gives the vault its name, and v1’s keys theirs', () => {
  const group = '/subscriptions/s/resourceGroups/rg/providers';
  expect(vaultNameOf(`${group}/Microsoft.KeyVault/vaults/shop`)).toBe('shop');
  expect(() => vaultNameOf(`${group}/Microsoft.Storage/storageAccounts/shop`)).toThrow('which is no Key Vault');
  const names = azureNames(`${group}/Microsoft.Sql/servers/one/failoverGroups/two`, clouds.AzureChinaCloud);
  expect(names).toMatchObject({
    name: 'two',
    names: { resourcegroups: 'rg', servers: 'one' },
    sqlDomain: 'database.chinacloudapi.cn',
    storageDomain: 'core.chinacloudapi.cn',
  });
});
