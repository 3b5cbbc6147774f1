import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { clouds } from '../../../runtime/azure/clouds.ts';
import { RequestPlaces } from '../../../runtime/nmi/request-places.ts';
import {
  type CredentialDefinition,
  type CredentialSources,
  defineCredential,
} from '../../../runtime/nmi/tokens/credential-definition.ts';
import { FakeAzure } from '../../fakes/azure-server.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { eventually } from '../../fakes/eventually.ts';
import {
  anyCredential,
  assigned,
  assignedType,
  claimsOf,
  identitiesType,
  identity,
  pod,
  podsType,
  resource,
  secretsType,
  simple,
  startNmi,
} from '../harness.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a service principal gets tokens of Entra with the secret, for each of its tenants', async () => {
  await using nmi = await startNmi();
  const spec = {
    type: 1,
    tenantID: 'tenant-1',
    auxiliaryTenantIDs: ['tenant-2'],
    clientPassword: { namespace: 'vaults', name: 's' },
  };
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'vaults', name: 's' },
    data: { clientSecret: base64('pw') },
  } as never);
  await simple(nmi, spec);
  const { status, json } = await nmi.token('127.0.0.5');
  expect(status).toBe(200);
  expect(json.map(({ access_token }: { access_token: string }) => claimsOf(access_token)['tid'])).toEqual([
    'tenant-1',
    'tenant-2',
  ]);
  const form = new URLSearchParams(nmi.aad.requests[0]?.body);
  expect(Object.fromEntries(form)).toEqual({
    client_id: 'client-id',
    client_secret: 'pw',
    grant_type: 'client_credentials',
    scope: `${resource}/.default`,
  });
});

test('credentials go to no authority that an identity invented', async () => {
  await using thief = await FakeAzure.start(anyCredential);
  await using nmi = await startNmi({ args: ['--authority-hosts=adfs.contoso.test'] });
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'vaults', name: 's' },
    data: { clientSecret: base64('pw') },
  } as never);
  const clientPassword = { namespace: 'vaults', name: 's' };
  await simple(nmi, { type: 1, tenantID: 't', clientPassword, adEndpoint: thief.url });
  const { status, body } = await nmi.token('127.0.0.5');
  expect(status).toBe(503);
  expect(body).toContain('an authority of Azure, or one of --authority-hosts');
  await nmi.kube.put(identitiesType, identity('id', { type: 3, tenantID: 't', adEndpoint: thief.url }));
  await eventually('the change arrived', async () => (await nmi.token('127.0.0.5')).status === 503);
  expect(thief.requests).toEqual([]);
  expect(nmi.kube.tokenRequests).toEqual([]);
});

test.each([
  'https://login.microsoftonline.us/',
  'https://LOGIN.partner.microsoftonline.cn',
  'https://adfs.contoso.test/',
])('an identity may name the authority %s', (adEndpoint) => {
  const sources = {
    entra: { cloud: clouds.AzurePublicCloud },
    authorityHosts: ['adfs.contoso.test'],
  } as unknown as CredentialSources;
  const spec = { type: 3, clientID: 'c', tenantID: 't', adEndpoint };
  const found = defineCredential(spec, 'app', { apiVersion: 'v1', kind: 'Pod', ...pod({ name: 'p' }) }, sources);
  const { principal } = found as CredentialDefinition;
  expect(JSON.parse(principal)[0]).toBe(adEndpoint.toLowerCase().replace(/\/$/, ''));
});

test('the certificate of an AzureIdentity is known to expire by namespace and client id, with each token it signs for', async () => {
  const used: unknown[][] = [];
  const { cert, key } = issueCertificate({ commonName: 'c' });
  const dispatcher = { request: () => Promise.reject(new Error('no answer')) };
  const certificates = { used: (...all: unknown[]) => void used.push(all) };
  const sources = {
    entra: { cloud: clouds.AzurePublicCloud, dispatcher, certificates },
    places: new RequestPlaces(),
  } as unknown as CredentialSources;
  const caller = { apiVersion: 'v1', kind: 'Pod', ...pod({ name: 'p' }) } as const;
  const spec = { type: 2, clientID: 'c', tenantID: 't', clientPassword: { namespace: 'app', name: 's' } };
  const define = defineCredential(spec, 'app', caller, sources);
  if (typeof define !== 'function') throw new Error('the credential needs its Secret');
  const content = { version: '1', value: Buffer.from(cert + key), password: undefined, problem: undefined };
  const token = define(content as never).open()('r', undefined, caller, new AbortController().signal);
  await expect(token).rejects.toThrow('no answer');
  const end = Date.parse(new X509Certificate(cert).validTo);
  expect(used).toEqual([['AzureIdentity of app with the client id c', end, false]]);
});

test("workload federation exchanges a token of the pod's own service account, bound to the pod", async () => {
  await using nmi = await startNmi();
  await simple(nmi, { type: 3, tenantID: 'tenant' });
  const { status } = await nmi.token('127.0.0.5');
  expect(status).toBe(200);
  const form = new URLSearchParams(nmi.aad.requests[0]?.body);
  expect(form.get('client_assertion')).toBe('sa-token-app-sa');
  expect(nmi.kube.tokenRequests).toEqual([
    {
      account: 'app/sa',
      body: expect.objectContaining({
        spec: {
          audiences: ['api://AzureADTokenExchange'],
          expirationSeconds: 3600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: expect.any(String) },
        },
      }),
    },
  ]);
});

test('two service accounts never share a federated token', async () => {
  await using nmi = await startNmi();
  await simple(nmi, { type: 3, tenantID: 'tenant' });
  const other = pod({ name: 'q', ip: '127.0.0.6', serviceAccount: 'sa2' });
  await nmi.kube.put(podsType, other);
  await nmi.kube.put(assignedType, assigned(other, identity('id', { type: 3, tenantID: 'tenant' })));
  await nmi.token('127.0.0.5');
  await eventually('the second pod has a token', async () => (await nmi.token('127.0.0.6')).status === 200);
  const assertions = nmi.aad.requests.map(({ body }) => new URLSearchParams(body).get('client_assertion'));
  expect(assertions).toEqual(['sa-token-app-sa', 'sa-token-app-sa2']);
});

test('an identity may change its client id and its type under a running pod', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  await nmi.token('127.0.0.5');
  await nmi.kube.put(identitiesType, identity('id', { type: 3, tenantID: 'tenant', clientID: 'new' }));
  await eventually('the new client', async () => {
    const { json } = await nmi.token('127.0.0.5');
    return claimsOf(json.access_token)['appid'] === 'new';
  });
});
