import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { Ids } from '../../../sandbox/azure/ids.ts';
import { issueCertificate } from '../../../sandbox/azure/pki.ts';
import { TestClient } from './client.ts';
import { TestIssuer } from './federation.ts';

/** Azure's own clients, unmodified, in one process of their own: certificates are trusted at the start of a process. */
let azure: EmbeddedAzure;
let client: TestClient;
let issuer: TestIssuer;
let directory: string;
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes
let results: any;
let identity: { id: string; properties: { clientId: string; principalId: string } };
let certApp: { clientId: string; objectId: string };

beforeAll(async () => {
  issuer = await TestIssuer.start();
  azure = await startEmbeddedAzure({ issuerCas: [issuer.caPem], arm: { operationMs: 300 } });
  client = new TestClient(azure);
  directory = mkdtempSync(join(tmpdir(), 'azimuth-sdk-'));
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/base`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const identityId = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/workload`;
  identity = (await client.arm('PUT', identityId, '2023-01-31', { location: 'westus2' })).body;
  const federated = {
    properties: {
      issuer: issuer.issuer,
      subject: 'system:serviceaccount:ns:app',
      audiences: ['api://AzureADTokenExchange'],
    },
  };
  await client.arm('PUT', `${identityId}/federatedIdentityCredentials/app`, '2023-01-31', federated);
  const tokenFile = join(directory, 'token');
  writeFileSync(tokenFile, issuer.token({ sub: 'system:serviceaccount:ns:app', aud: ['api://AzureADTokenExchange'] }));
  const material = await issueCertificate({
    commonName: 'app',
    ids: new Ids(undefined, { counter: 0 }),
    now: Date.now(),
    days: 30,
  });
  const certFile = join(directory, 'app.pem');
  writeFileSync(certFile, material.keyPem + material.certPem);
  certApp = azure.registerApp({ secret: null, certificates: [material.certPem] });
  const vault = await client.arm('PUT', `${group}/providers/Microsoft.KeyVault/vaults/sdkvault`, '2023-07-01', {
    location: 'westus2',
    properties: { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
  });
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', vault.body.id);
  const child = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'sdk', 'oracle.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...azure.env(),
      TEST_VAULT_URL: vault.body.properties.vaultUri,
      TEST_CERT_FILE: certFile,
      TEST_CERT_CLIENT_ID: certApp.clientId,
      TEST_TOKEN_FILE: tokenFile,
      TEST_WORKLOAD_CLIENT_ID: identity.properties.clientId,
      TEST_IDENTITY_CLIENT_ID: identity.properties.clientId,
      TEST_IDENTITY_ID: identity.id,
    },
    maxBuffer: 10_000_000,
  });
  results = JSON.parse(child.stdout);
});

afterAll(async () => {
  await client?.close();
  await azure?.close();
  await issuer?.close();
  rmSync(directory, { recursive: true, force: true });
});

test('@azure/identity gets tokens by secret, certificate, federation and managed identity', () => {
  const { defaultApp, tenantId } = azure;
  const aud = 'https://management.azure.com';
  const managed = {
    aud,
    tid: tenantId,
    appid: identity.properties.clientId,
    oid: identity.properties.principalId,
    mirid: identity.id,
  };
  expect(results.identity).toEqual({
    secret: { aud, tid: tenantId, appid: defaultApp.clientId, oid: defaultApp.objectId },
    wrongSecret: expect.stringMatching(/AADSTS7000215: Invalid client secret provided/),
    certificate: { aud, tid: tenantId, appid: certApp.clientId, oid: certApp.objectId },
    workload: managed,
    managed,
    managedByResource: managed,
  });
});

test('@azure/arm-resources and @azure/arm-storage create, poll, list and delete', () => {
  expect(results.resources).toMatchObject({
    group: { name: 'sdk-rg', location: 'westus2', properties: { provisioningState: 'Succeeded' } },
    names: ['base', 'sdk-rg'],
    account: { state: 'Succeeded', blob: 'https://sdkaccount.blob.core.windows.net/', tier: 'Standard' },
    keys: [
      ['key1', expect.stringMatching(/full/i)],
      ['key2', expect.stringMatching(/full/i)],
    ],
    renewed: { first: true, second: true, listed: true, refusal: expect.stringContaining('keyName') },
    container: 'things',
    accounts: ['sdkaccount'],
    available: false,
    missing: expect.stringContaining('was not found'),
    groupExists: expect.stringContaining('could not be found'),
  });
});

test('@azure/keyvault-secrets sets, pages, disables, deletes, recovers and purges', () => {
  expect(results.secrets).toEqual({
    contentType: 'text/plain',
    tags: { a: 'b' },
    recoverable: ['Recoverable+Purgeable', 90],
    values: ['value one', 'value two'],
    count: 28,
    versions: 2,
    disabled: expect.stringContaining('not allowed on a disabled secret'),
    deleted: ['first', true, true],
    reuse: expect.stringContaining('deleted but recoverable state'),
    recovered: 'first',
    gone: expect.stringContaining('was not found in this key vault'),
  });
});

test('@azure/keyvault-keys signs, verifies, encrypts and wraps, and its local checks agree', () => {
  expect(results.keys.failed).toBeUndefined();
  expect(Object.entries(results.keys.results).filter(([, fine]) => !fine)).toEqual([]);
  expect(Object.keys(results.keys.results)).toHaveLength(11);
  expect(results.keys).toMatchObject({ kty: 'RSA', newVersion: true });
});

test('@azure/keyvault-certificates issues, exports, imports and deletes', () => {
  expect(results.certificates).toEqual({
    name: 'web',
    policy: ['CN=web.example', 'Self'],
    cer: true,
    thumbprint: 20,
    pem: [true, true],
    imported: ['copy', 'copy-pem'],
    deleted: 'web',
    secretGone: expect.stringContaining('was not found in this key vault'),
  });
});

test('a vault with RBAC refuses a caller without a role', () => {
  expect(results.denied).toMatch(/Caller is not authorized to perform action on resource/);
});
