import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import {
  cloudByName,
  cloudFromEnvironment,
  cloudFromFile,
  clouds,
  graphEndpointOf,
  scopeOf,
} from '../../runtime/azure/clouds.ts';
import { scratch } from '../fakes/scratch.ts';

const place = scratch();
afterAll(() => place.remove());

test.each([
  ['', 'AzurePublicCloud'],
  ['AzurePublicCloud', 'AzurePublicCloud'],
  ['AZUREPUBLICCLOUD', 'AzurePublicCloud'],
  ['AzureCloud', 'AzurePublicCloud'],
  ['AzureUSGovernmentCloud', 'AzureUSGovernmentCloud'],
  ['AzureUSGovernment', 'AzureUSGovernmentCloud'],
  ['azurechinacloud', 'AzureChinaCloud'],
  ['AzureChina', 'AzureChinaCloud'],
  ['AzureGermanCloud', 'AzureGermanCloud'],
])('the cloud name %p means %s', (name, expected) => {
  expect(cloudByName(name).name).toBe(expected);
});

test.each(['AZUREWRONGCLOUD', 'AzureCloud1'])('an unknown cloud %s is refused with the names there are', (name) => {
  expect(() => cloudByName(name)).toThrow(/AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud/);
});

test('endpoints follow the cloud', () => {
  expect(clouds.AzureUSGovernmentCloud).toMatchObject({
    authorityHost: 'https://login.microsoftonline.us',
    resourceManagerEndpoint: 'https://management.usgovcloudapi.net',
    keyVaultDnsSuffix: 'vault.usgovcloudapi.net',
  });
  expect(clouds.AzureChinaCloud.keyVaultAudience).toBe('https://vault.azure.cn');
  expect(cloudFromEnvironment({ AZURE_CLOUD_ENV: 'AzureChinaCloud' })).toEqual(clouds.AzureChinaCloud);
  expect(cloudFromEnvironment({})).toEqual(clouds.AzurePublicCloud);
});

const custom = {
  AZURE_AUTHORITY_HOST: 'https://127.0.0.1:8443/',
  AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://127.0.0.1:8444/',
  AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.core.windows.net/',
};

test('three endpoints make a cloud of their own; the audience stays as it is, slash included', () => {
  expect(cloudFromEnvironment(custom)).toMatchObject({
    name: 'custom',
    authorityHost: 'https://127.0.0.1:8443',
    resourceManagerEndpoint: 'https://127.0.0.1:8444',
    resourceManagerAudience: 'https://management.core.windows.net/',
    keyVaultDnsSuffix: 'vault.azure.net',
  });
});

test('the vault part may be set apart', () => {
  const cloud = cloudFromEnvironment({ ...custom, AZURE_KEYVAULT_DNS_SUFFIX: '.vault.test:8445' });
  expect(cloud).toMatchObject({ keyVaultDnsSuffix: 'vault.test:8445', keyVaultAudience: 'https://vault.test' });
});

test('Microsoft Graph is that of the named cloud, or of the variable', () => {
  expect(graphEndpointOf(clouds.AzurePublicCloud)).toBe('https://graph.microsoft.com');
  expect(graphEndpointOf(clouds.AzureUSGovernmentCloud)).toBe('https://graph.microsoft.us');
  expect(graphEndpointOf(clouds.AzureChinaCloud)).toBe('https://microsoftgraph.chinacloudapi.cn');
  const named = cloudFromEnvironment({ ...custom, AZURE_MICROSOFT_GRAPH_ENDPOINT: 'https://graph.test:8446/' });
  expect(graphEndpointOf(named)).toBe('https://graph.test:8446');
  expect(() => graphEndpointOf(cloudFromEnvironment(custom))).toThrow(/set AZURE_MICROSOFT_GRAPH_ENDPOINT/);
  expect(() => cloudFromEnvironment({ AZURE_MICROSOFT_GRAPH_ENDPOINT: 'http://graph.test' })).toThrow(
    /AZURE_MICROSOFT_GRAPH_ENDPOINT/,
  );
});

test.each(Object.keys(custom).filter((name) => name !== 'AZURE_AUTHORITY_HOST'))(
  'leaving out %s is refused, naming it',
  (name) => {
    expect(() => cloudFromEnvironment({ ...custom, [name]: '' })).toThrow(new RegExp(`${name} is missing`));
  },
);

test('the authority that the workload identity webhook sets alone selects its cloud', () => {
  expect(cloudFromEnvironment({ AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/' }).name).toBe(
    'AzurePublicCloud',
  );
  expect(cloudFromEnvironment({ AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.us' }).name).toBe(
    'AzureUSGovernmentCloud',
  );
  expect(() => cloudFromEnvironment({ AZURE_AUTHORITY_HOST: 'https://login.example' })).toThrow(
    /AZURE_RESOURCE_MANAGER_ENDPOINT and AZURE_RESOURCE_MANAGER_AUDIENCE are missing/,
  );
});

test.each(['http://127.0.0.1', 'login.example', 'https://user:pass@login.example'])('%s is no endpoint', (value) => {
  const attempt = () => cloudFromEnvironment({ ...custom, AZURE_AUTHORITY_HOST: value });
  expect(attempt).toThrow(/AZURE_AUTHORITY_HOST/);
  expect(attempt).not.toThrow(/pass/);
});

test('AzureStackCloud comes from its file', () => {
  const path = join(place.path, 'stack.json');
  const file = {
    name: 'AzureStackCloud',
    activeDirectoryEndpoint: 'https://login.stack/',
    resourceManagerEndpoint: 'https://management.stack/',
    keyVaultEndpoint: 'https://vault.stack/',
    keyVaultDNSSuffix: 'vault.stack',
  };
  writeFileSync(path, JSON.stringify(file));
  expect(cloudFromEnvironment({ AZURE_CLOUD_ENV: 'AzureStackCloud', AZURE_ENVIRONMENT_FILEPATH: path })).toMatchObject({
    authorityHost: 'https://login.stack',
    keyVaultDnsSuffix: 'vault.stack',
    keyVaultAudience: 'https://vault.stack',
  });
  expect(() => cloudFromEnvironment({ AZURE_CLOUD_ENV: 'AzureStackCloud' })).toThrow(/AZURE_ENVIRONMENT_FILEPATH/);
  writeFileSync(path, JSON.stringify({ ...file, keyVaultDNSSuffix: undefined }));
  expect(() => cloudFromFile(path)).toThrow(/keyVaultDNSSuffix/);
});

test('a scope is the audience and /.default, its slash doubled where the audience ends in one', () => {
  expect(scopeOf('https://vault.azure.net')).toBe('https://vault.azure.net/.default');
  expect(scopeOf('https://vault.azure.net/.default')).toBe('https://vault.azure.net/.default');
  expect(scopeOf('https://vault.azure.net/')).toBe('https://vault.azure.net//.default');
});
