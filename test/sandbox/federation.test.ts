import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { TestClient } from './azure/client.ts';

let kube: EmbeddedKube;
let azure: EmbeddedAzure;
let client: TestClient;

beforeAll(async () => {
  kube = await startEmbeddedKube();
  azure = await startEmbeddedAzure();
  azure.trustIssuerCa(kube.caPem);
  client = new TestClient(azure);
});

afterAll(async () => {
  await client.close();
  await azure.close();
  await kube.close();
});

test('a service account of the embedded Kubernetes becomes a managed identity of the embedded Azure', async () => {
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/federation`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/workload`;
  const identity = (await client.arm('PUT', id, '2023-01-31', { location: 'westus2' })).body;
  const assertion = await kube.tokenFor(
    { namespace: 'default', name: 'default' },
    { audiences: ['api://AzureADTokenExchange'] },
  );
  const ask = () =>
    client.tokenRequest({
      grant_type: 'client_credentials',
      client_id: identity.properties.clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      scope: 'https://management.azure.com/.default',
    });
  expect((await ask()).body.error_codes).toEqual([70021]);
  await client.arm('PUT', `${id}/federatedIdentityCredentials/default`, '2023-01-31', {
    properties: {
      issuer: kube.issuerUrl,
      subject: 'system:serviceaccount:default:default',
      audiences: ['api://AzureADTokenExchange'],
    },
  });
  expect(await ask()).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  expect(azure.journal.tokenRequests().at(-1)).toMatchObject({
    credential: 'federated',
    principalId: identity.properties.principalId,
  });
  await client.arm('DELETE', `${id}/federatedIdentityCredentials/default`, '2023-01-31');
  expect((await ask()).body.error_codes).toEqual([70021]);
  azure.settings.expressionIssuers = [kube.issuerUrl];
  const trust = (accounts: string) =>
    client.arm('PUT', `${id}/federatedIdentityCredentials/accounts`, '2025-01-31-preview', {
      properties: {
        issuer: kube.issuerUrl,
        claimsMatchingExpression: { languageVersion: 1, value: `claims['sub'] matches '${accounts}'` },
        audiences: ['api://AzureADTokenExchange'],
      },
    });
  await trust('system:serviceaccount:default:d*');
  expect((await ask()).status).toBe(200);
  await trust('system:serviceaccount:default:e*');
  expect((await ask()).body.error_codes).toEqual([700213]);
});
