import { expect, test } from '@jest/globals';
import { selectKinds } from '../../runtime/api/kind-pattern.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';

const names = (pattern: string) => selectKinds(pattern, operatorKinds).map(({ group, kind }) => `${group}/${kind}`);

test('a star selects every kind', () => {
  expect(selectKinds('*', operatorKinds)).toEqual(operatorKinds);
});

test('globs over group and kind are separated by semicolons, and the order is that of the table', () => {
  expect(names('keyvault.azure.com/*; resources.azure.com/ResourceGroup;')).toEqual([
    'keyvault.azure.com/Vault',
    'resources.azure.com/ResourceGroup',
  ]);
  expect(names('sql.azure.com/Servers*Rule')).toEqual([
    'sql.azure.com/ServersFirewallRule',
    'sql.azure.com/ServersIPV6FirewallRule',
    'sql.azure.com/ServersOutboundFirewallRule',
    'sql.azure.com/ServersVirtualNetworkRule',
  ]);
  expect(names('cache.azure.com/redi?')).toEqual(['cache.azure.com/Redis']);
});

test('a dot is a dot', () => {
  expect(() => names('keyvaultXazure.com/*')).toThrow(/keyvaultXazure.com/);
});

test('a glob that selects nothing is refused by name, as it is a typing error', () => {
  expect(() => names('resources.azure.com/*;storge.azure.com/*')).toThrow(
    /^Expected `kinds \(AZIMUTH_KINDS\)` to be globs .* that each select a kind .*, got `storge.azure.com\/\*`/,
  );
  expect(() => names(' ; ')).toThrow(expect.objectContaining({ code: 'AZ_CONFIG_INVALID' }));
});
