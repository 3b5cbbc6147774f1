import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { resourceGroupPath, resourcePath } from '../../runtime/azure/arm/resource-ids.ts';
import { type AzureDeps, createAzureDeps } from '../../runtime/azure/azure-deps.ts';
import { authorizerFromEnvironment } from '../../runtime/azure/identity/credential-from-environment.ts';
import { KeyVault } from '../../runtime/azure/key-vault/client.ts';
import type { ArmClient, ArmRequest, Authorizer, PollResult } from '../../runtime/azure/types.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { issueCertificate } from '../fakes/certificates.ts';
import { scratch } from '../fakes/scratch.ts';
import { TestIssuer } from '../sandbox/azure/federation.ts';

// The programs' own path from environment variables to Azure, against an Azure that shares no code with it.
const place = scratch();
let azure: EmbeddedAzure;
let deps: AzureDeps;
let client: ArmClient;
let authorizer: Authorizer;
let group: string;
const storageVersion = '2023-01-01';

beforeAll(async () => {
  azure = await startEmbeddedAzure({
    seed: 'client',
    arm: { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true },
  });
  const env = { ...azure.env(), AZURE_KEYVAULT_DNS_SUFFIX: azure.endpoints.vaultSuffix };
  deps = createAzureDeps(env, { http: { proxy: 'none', ca: azure.caPem } });
  authorizer = authorizerFromEnvironment(env, deps).authorizer;
  client = createArmClient(deps);
  group = resourceGroupPath(azure.subscriptionId, 'client-rg');
});
beforeEach(async () => {
  azure.faults.clear();
  await run({ method: 'PUT', path: group, apiVersion: '2020-06-01', body: { location: 'westus2' } });
  azure.journal.clear();
});
afterAll(async () => {
  await client.close();
  await deps.close();
  await azure.close();
  place.remove();
});

/** Sends and polls to the end, through JSON between any two steps; the waits are the sandbox's own, cut short. */
async function run(request: Omit<ArmRequest, 'authorizer'>, who = authorizer) {
  const whole = { ...request, authorizer: who };
  const response = await client.send(whole);
  let operation = client.operationOf(whole, response);
  let result: PollResult = { done: true, outcome: 'succeeded', body: response.body };
  while (operation) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    result = await client.poll(JSON.parse(JSON.stringify(operation)), {
      authorizer: who,
      token: response.token,
    });
    operation = result.done ? undefined : result.operation;
  }
  return { status: response.status, result };
}

const account = (name: string) => resourcePath(group, 'Microsoft.Storage/storageAccounts', name);
const putAccount = (name: string) =>
  run({
    method: 'PUT',
    path: account(name),
    apiVersion: storageVersion,
    body: { kind: 'StorageV2', location: 'westus2', sku: { name: 'Standard_LRS' } },
  });

test('a storage account from create to delete takes a fresh token for every change and reuses none', async () => {
  const created = await putAccount('lifeofaccount');
  expect(created).toMatchObject({
    status: 202,
    result: { outcome: 'succeeded', body: { properties: { provisioningState: 'Succeeded' } } },
  });
  const keys = await run({ method: 'POST', path: `${account('lifeofaccount')}/listKeys`, apiVersion: storageVersion });
  expect(keys).toMatchObject({ status: 200, result: { body: { keys: [{ keyName: 'key1' }, { keyName: 'key2' }] } } });
  await run({ method: 'DELETE', path: account('lifeofaccount'), apiVersion: storageVersion });
  expect((await run({ method: 'DELETE', path: group, apiVersion: '2020-06-01' })).result).toMatchObject({
    outcome: 'succeeded',
  });

  const entries = azure.journal.entries();
  const changes = entries.filter(({ service, method }) => service === 'arm' && method !== 'GET');
  expect(changes.map(({ method }) => method)).toEqual(['PUT', 'POST', 'DELETE', 'DELETE']);
  const used = changes.map(({ tokenId }) => tokenId);
  const issued = entries.filter(({ service }) => service === 'aad').map(({ tokenId }) => tokenId);
  expect(new Set(used).size).toBe(4);
  expect(issued).toEqual(used);
});

test('an operation survives every kind of trouble at its poll URL with a single PUT', async () => {
  const path = 'asyncoperations|operations/';
  azure.faults.add({ service: 'arm', method: 'GET', path, status: 503, body: '<html><title>Busy</title></html>' });
  azure.faults.add({ service: 'arm', method: 'GET', path, connection: 'drop' });
  azure.faults.add({
    service: 'arm',
    method: 'GET',
    path,
    status: 404,
    body: { error: { code: 'NotFound', message: 'm' } },
  });
  azure.faults.add({ service: 'arm', method: 'GET', path, status: 429, headers: { 'retry-after': '0' } });
  expect((await putAccount('troubledaccount')).result).toMatchObject({ outcome: 'succeeded' });
  expect(azure.faults.list().map(({ hits }) => hits)).toEqual([1, 1, 1, 1]);
  expect(azure.journal.entries({ service: 'arm', method: 'PUT' })).toHaveLength(1);
});

test('a failed operation has a code and a message', async () => {
  azure.faults.add({
    service: 'arm',
    method: 'PUT',
    path: 'virtualNetworks',
    operation: { state: 'failed', code: 'AllocationFailed', message: 'no room' },
  });
  const network = resourcePath(group, 'Microsoft.Network/virtualNetworks', 'net');
  const body = { location: 'westus2', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } };
  const { result } = await run({ method: 'PUT', path: network, apiVersion: '2023-11-01', body });
  expect(result).toMatchObject({
    outcome: 'failed',
    error: { code: 'AllocationFailed', message: 'no room', retryClass: 'slow' },
  });
});

test('client certificates, managed identities and wrong secrets are known for what they are', async () => {
  const certificate = issueCertificate({ commonName: 'app' });
  const app = azure.registerApp({ secret: null, certificates: [certificate.cert] });
  const env = { ...azure.env(app), AZURE_CLIENT_CERTIFICATE: certificate.cert + certificate.key };
  const audience = deps.cloud.resourceManagerAudience;
  await authorizerFromEnvironment(env, deps).authorizer.getToken({ audience });
  const identity = azure.addIdentity();
  await authorizerFromEnvironment({ AZURE_CLIENT_ID: identity.clientId }, deps).authorizer.getToken({ audience });
  const [byCertificate, byIdentity] = azure.journal.entries().slice(-2);
  expect(byCertificate).toMatchObject({
    service: 'aad',
    credential: 'certificate',
    clientId: app.clientId,
    status: 200,
  });
  expect(byIdentity).toMatchObject({ service: 'imds', clientId: identity.clientId, status: 200 });
  const wrong = authorizerFromEnvironment({ ...azure.env(), AZURE_CLIENT_SECRET: 'wrong' }, deps).authorizer;
  await expect(wrong.getToken({ audience })).rejects.toMatchObject({
    code: 'AZ_AUTH_FAILED',
    info: { entraCode: 'AADSTS7000215', oauthError: 'invalid_client' },
  });
});

test('a token of a federated issuer is exchanged for one of Azure', async () => {
  const issuer = await TestIssuer.start();
  azure.trustIssuerCa(issuer.caPem);
  const subject = 'system:serviceaccount:team:app';
  const audience = 'api://AzureADTokenExchange';
  const federated = [{ issuer: issuer.issuer, subject, audiences: [audience] }];
  const app = azure.registerApp({ secret: null, federated });
  const path = join(place.path, 'token');
  const env = { ...azure.env(app), AZURE_FEDERATED_TOKEN_FILE: path };
  const exchange = authorizerFromEnvironment(env, deps).authorizer;
  writeFileSync(path, issuer.token({ sub: subject, aud: audience }));
  await exchange.getToken({ audience: deps.cloud.resourceManagerAudience });
  expect(azure.journal.entries().at(-1)).toMatchObject({
    credential: 'federated',
    clientId: app.clientId,
    status: 200,
  });
  writeFileSync(path, issuer.token({ sub: 'somebody else', aud: audience }));
  await expect(exchange.getToken({ audience: deps.cloud.resourceManagerAudience })).rejects.toMatchObject({
    code: 'AZ_AUTH_FAILED',
    info: { entraCode: expect.stringMatching(/^AADSTS700/) },
  });
  await issuer.close();
});

test('a vault is made, filled, versioned, soft-deleted, recovered by writing, and purged', async () => {
  const path = resourcePath(group, 'Microsoft.KeyVault/vaults', 'client-kv');
  const properties = {
    tenantId: azure.tenantId,
    sku: { family: 'A', name: 'standard' },
    enableRbacAuthorization: true,
  };
  await run({ method: 'PUT', path, apiVersion: '2023-07-01', body: { location: 'westus2', properties } });
  const vault = new KeyVault({ vault: 'client-kv', cloud: deps.cloud, authorizer, dispatcher: deps.dispatcher });

  await expect(vault.getSecret('password')).rejects.toMatchObject({ status: 403, vaultCode: 'Forbidden' });
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', path);
  expect(await vault.tryGetSecret('password')).toBeUndefined();
  const first = await vault.setSecret('password', { value: 'one', contentType: 'text/plain', tags: { a: 'b' } });
  const second = await vault.setSecret('password', { value: 'two' });
  expect(await vault.getSecret('password')).toMatchObject({ value: 'two', version: second.version });
  expect(await vault.getSecret('password', first.version)).toMatchObject({
    value: 'one',
    contentType: 'text/plain',
    tags: { a: 'b' },
  });
  expect((await vault.listVersions('secrets', 'password')).map(({ version }) => version).sort()).toEqual(
    [first.version, second.version].sort(),
  );
  await vault.delete('secrets', 'password');
  expect(await vault.setSecret('password', { value: 'three' })).toMatchObject({ value: 'three' });
  expect(await vault.listVersions('secrets', 'password')).toHaveLength(3);
  await vault.delete('secrets', 'password');
  await vault.purge('secrets', 'password', { justDeleted: true });
  expect(await vault.tryGetSecret('password')).toBeUndefined();

  const tokens = azure.journal.entries({ service: 'vault' }).flatMap(({ tokenId }) => tokenId ?? []);
  expect(new Set(tokens).size).toBe(tokens.length);
});
