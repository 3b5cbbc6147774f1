import { expect, test } from '@jest/globals';
import { tryPortalOf } from '../../runtime/azure/clouds.ts';
import { uiConfig } from '../../runtime/ui/config.ts';
import { portalAddress } from '../../runtime/ui/page/portal.ts';

const id = '/subscriptions/s/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/photos';
const portalFor = (argv: string[], env = {}) => {
  const config = uiConfig(argv, env);
  return 'help' in config ? undefined : config.portal;
};

test('each cloud has its own portal, by flag and by variable, and a stack of somebody has none', () => {
  expect(portalFor([])).toBe('https://portal.azure.com');
  expect(portalFor(['--cloud', 'AzureUSGovernmentCloud'])).toBe('https://portal.azure.us');
  expect(portalFor([], { AZURE_ENVIRONMENT: 'azurechinacloud' })).toBe('https://portal.azure.cn');
  expect(['AzureStackCloud', 'AzureGermanCloud'].map(tryPortalOf)).toEqual(['', '']);
  const names = 'AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud, AzureGermanCloud';
  expect(() => portalFor(['--cloud', 'moon'])).toThrow(
    `Expected \`--cloud (AZURE_ENVIRONMENT)\` to be one of ${names}, or AzureStackCloud for no links, got \`moon\``,
  );
});

test('an ARM id becomes the fragment of an address of the portal', () => {
  const portal = 'https://portal.azure.cn';
  expect(portalAddress(portal, id)).toBe(`${portal}/#resource${id}`);
  expect(portalAddress(portal, '/providers/Microsoft.Management/managementGroups/all')).toMatch(/groups\/all$/i);
  expect(portalAddress('', id)).toBeUndefined();
});

test.each([
  '',
  'https://evil.example/',
  '//evil.example/subscriptions/s',
  'javascript:alert(1)',
  `${id}/../../x`,
  '/x',
])('the text %j of an object is no link', (text) =>
  expect(portalAddress('https://portal.azure.com', text)).toBeUndefined(),
);

test('whatever an id has, the address stays in the portal, and its fragment has no markup', () => {
  const address = portalAddress('https://portal.azure.com', `/subscriptions/"><b>@evil.example#?x=\ud800 /y`);
  expect(new URL(address ?? '').origin).toBe('https://portal.azure.com');
  expect(address).not.toMatch(/["<>\s?@]/);
});

test('a variable with a name of no cloud gives no links: other programs read it too', () => {
  expect(portalFor([], { AZURE_ENVIRONMENT: 'lab' })).toBe('');
  expect(portalFor(['--cloud', 'AzureChinaCloud'], { AZURE_ENVIRONMENT: 'lab' })).toBe('https://portal.azure.cn');
});
