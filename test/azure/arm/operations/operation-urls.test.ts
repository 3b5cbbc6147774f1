import { expect, test } from '@jest/globals';
import { isOperationUrl, sameOperationUrl } from '../../../../runtime/azure/arm/operations/operation-urls.ts';
import { cloudFromEnvironment } from '../../../../runtime/azure/clouds.ts';

const cloud = cloudFromEnvironment({});
const host = 'https://management.azure.com';
const group = '/subscriptions/s1/resourceGroups/rg';
const account = `${group}/providers/Microsoft.Storage/storageAccounts/x`;

test.each([
  `${host}/subscriptions/s1/providers/Microsoft.Storage/locations/westus2/asyncoperations/1?monitor=true&api-version=2023-01-01`,
  `${host}/subscriptions/S1/providers/microsoft.storage/locations/West%20US%202/operationresults/1`,
  `https://westus2.management.azure.com/subscriptions/s1/operationresults/abc`,
  `${host}${group}/providers/Microsoft.Storage/operationResults/abc==`,
  `${host}${account}/operationResults/abc`,
  `${host}${account}`,
])('an operation of the resource is polled at %s', (url) => {
  expect(isOperationUrl(url, account, cloud)).toBe(true);
});

test.each([
  ['another subscription', `${host}/subscriptions/s2/providers/Microsoft.Storage/locations/x/operations/1`],
  ['another provider', `${host}/subscriptions/s1/providers/Microsoft.KeyVault/locations/x/operations/1`],
  ['another resource group', `${host}/subscriptions/s1/resourceGroups/rg2/providers/Microsoft.Storage/operations/1`],
  ['another resource', `${host}${group}/providers/Microsoft.KeyVault/vaults/v`],
  ['the tenant', `${host}/providers/Microsoft.Storage/operations`],
  ['the subscription itself', `${host}/subscriptions/s1`],
  ['another host', 'https://example.com/subscriptions/s1/operationresults/1'],
  ['no https', 'http://management.azure.com/subscriptions/s1/operationresults/1'],
  ['a way up', `${host}${account}/../../Microsoft.KeyVault/vaults/v`],
  ['a way up for who decodes twice', `${host}${account}/%252e%252e/vaults/v`],
  ['a hidden slash', `${host}/subscriptions/s1/operationresults%2f..%2fx`],
  ['no URL', 'x'],
])('%s is no poll URL', (_, url) => {
  expect(isOperationUrl(url, account, cloud)).toBe(false);
});

test('operations of a resource group are those of its subscription', () => {
  expect(isOperationUrl(`${host}/subscriptions/s1/operationresults/abc`, group, cloud)).toBe(true);
  expect(isOperationUrl(`${host}/subscriptions/s1/resourceGroups/rg2`, group, cloud)).toBe(false);
});

test.each([
  ['a signature', '?api-version=1&t=1&c=MII&s=x&h=y', '?api-version=1&t=2&c=MIJ&s=z&h=w', true],
  ['an operation', '?api-version=1&id=1&t=1', '?api-version=1&id=2&t=1', false],
  ['a path', '/1?t=1', '/2?t=1', false],
])('URLs that differ in %s are of one operation or not', (_, one, other, expected) => {
  const url = `${host}/subscriptions/s1/providers/Microsoft.Storage/locations/x/operations`;
  expect(sameOperationUrl(`${url}${one}`, `${url}${other}`)).toBe(expected);
});
