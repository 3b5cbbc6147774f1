import { createHash, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { tryDecodeJwt } from '../../../sandbox/azure/entra/tokens.ts';
import { Ids } from '../../../sandbox/azure/ids.ts';
import { issueCertificate, type KeyAndCertificate } from '../../../sandbox/azure/pki.ts';
import { TestClient } from './client.ts';
import { TestIssuer } from './federation.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const scope = 'https://management.azure.com/.default';
let azure: EmbeddedAzure;
let client: TestClient;
let issuer: TestIssuer;
let material: KeyAndCertificate;
let certApp: RegisteredApp;
let federatedApp: RegisteredApp;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  azure = await startEmbeddedAzure({ clock, issuerCas: [issuer.caPem] });
  client = new TestClient(azure);
  const ids = new Ids(undefined, { counter: 0 });
  material = await issueCertificate({ commonName: 'app', ids, now: Date.now(), days: 30 });
  certApp = azure.registerApp({ secret: null, certificates: [material.certPem] });
  federatedApp = azure.registerApp({
    secret: null,
    federated: [
      { issuer: issuer.issuer, subject: 'system:serviceaccount:a:b', audiences: ['api://AzureADTokenExchange'] },
    ],
  });
});

afterAll(async () => {
  await client.close();
  await azure.close();
  await issuer.close();
});

const bySecret = (more: Record<string, string> = {}) => ({
  grant_type: 'client_credentials',
  client_id: azure.defaultApp.clientId,
  client_secret: azure.defaultApp.secret,
  scope,
  ...more,
});

const byAssertion = (app: RegisteredApp, assertion: string) => ({
  grant_type: 'client_credentials',
  client_id: app.clientId,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: assertion,
  scope,
});

function assertion(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): string {
  const now = Math.floor(clock.now() / 1000);
  const der = Buffer.from(material.certPem.replaceAll(/-----.*?-----|\s/g, ''), 'base64');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = { alg: 'RS256', 'x5t#S256': createHash('sha256').update(der).digest('base64url'), ...header };
  const body = {
    iss: certApp.clientId,
    sub: certApp.clientId,
    aud: `${azure.endpoints.aad}/${azure.tenantId}/oauth2/v2.0/token`,
    jti: randomUUID(),
    nbf: now,
    exp: now + 600,
    ...claims,
  };
  const signed = `${encode(head)}.${encode(body)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), material.keyPem).toString('base64url')}`;
}

test('discovery names the endpoints of the tenant, also under the names that skip instance discovery', async () => {
  const get = async (path: string) => (await client.send('GET', `${azure.endpoints.aad}${path}`)).body;
  const { aad } = azure.endpoints;
  expect(await get(`/${azure.tenantId}/v2.0/.well-known/openid-configuration`)).toMatchObject({
    token_endpoint: `${aad}/${azure.tenantId}/oauth2/v2.0/token`,
    issuer: `${aad}/${azure.tenantId}/v2.0`,
  });
  expect(await get('/adfs/adfs/.well-known/openid-configuration')).toMatchObject({
    token_endpoint: `${aad}/adfs/adfs/oauth2/token`,
  });
  expect(
    (await get('/common/discovery/instance?api-version=1.1&authorization_endpoint=x')).tenant_discovery_endpoint,
  ).toContain(azure.tenantId);
  expect((await client.tokenRequest(bySecret(), '/adfs/oauth2/v2.0/token')).status).toBe(200);
  const unknown = await client.send(
    'GET',
    `${aad}/11111111-1111-4111-8111-111111111111/v2.0/.well-known/openid-configuration`,
  );
  expect([unknown.status, unknown.body.error_codes]).toEqual([400, [90002]]);
});

test('a token carries the claims of the app and is signed by a key of the key set', async () => {
  const token = await client.token();
  const jwt = tryDecodeJwt(token);
  const { keys } = (await client.send('GET', `${azure.endpoints.aad}/${azure.tenantId}/discovery/v2.0/keys`)).body;
  expect(keys.map((key: { kid: string }) => key.kid)).toContain(jwt?.header['kid']);
  const { defaultApp, tenantId } = azure;
  expect(jwt?.claims).toMatchObject({
    aud: 'https://management.azure.com',
    iss: `https://sts.windows.net/${tenantId}/`,
    appid: defaultApp.clientId,
    oid: defaultApp.objectId,
    tid: tenantId,
    exp: clock.now() / 1000 + 3599,
  });
  expect(azure.journal.tokenRequests().at(-1)).toMatchObject({
    credential: 'secret',
    clientId: defaultApp.clientId,
    audience: 'https://management.azure.com',
    tokenId: jwt?.claims['uti'],
  });
});

test('the version 1 endpoint takes a resource and answers with strings', async () => {
  const { scope: _scope, ...form } = bySecret({ resource: 'https://vault.azure.net' });
  const answer = await client.tokenRequest(form, `/${azure.tenantId}/oauth2/token`);
  expect(answer.body).toMatchObject({
    expires_in: '3599',
    resource: 'https://vault.azure.net',
    expires_on: String(clock.now() / 1000 + 3599),
  });
});

test('refusals carry the code, status and format of Microsoft Entra ID', async () => {
  const cases: [Record<string, string>, number, number, string][] = [
    [bySecret({ client_secret: 'wrong' }), 401, 7000215, 'invalid_client'],
    [bySecret({ client_id: randomUUID() }), 400, 700016, 'unauthorized_client'],
    [bySecret({ scope: 'https://management.azure.com/user' }), 400, 1002012, 'invalid_scope'],
    [bySecret({ scope: 'https://nowhere.example/.default' }), 400, 500011, 'invalid_resource'],
    [bySecret({ grant_type: 'password' }), 400, 70003, 'unsupported_grant_type'],
    [bySecret({ grant_type: '' }), 400, 900144, 'invalid_request'],
    [{ grant_type: 'client_credentials', client_id: azure.defaultApp.clientId, scope }, 401, 7000216, 'invalid_client'],
  ];
  for (const [form, status, number, error] of cases) {
    const answer = await client.tokenRequest(form);
    expect([answer.status, answer.body.error, answer.body.error_codes]).toEqual([status, error, [number]]);
    expect(answer.body.error_description).toMatch(new RegExp(`^AADSTS${number}: .* Trace ID: .* Correlation ID: `));
    expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(['timestamp', 'trace_id', 'correlation_id']));
  }
});

test('a secret that has expired is refused as such', async () => {
  const app = azure.registerApp({ secretExpiresAt: clock.now() - 1 });
  const answer = await client.tokenRequest(bySecret({ client_id: app.clientId, client_secret: app.secret }));
  expect(answer.body.error_codes).toEqual([7000222]);
});

test('an assertion of a certificate that has expired is refused as Entra does', async () => {
  const ids = new Ids(undefined, { counter: 9 });
  const old = await issueCertificate({ commonName: 'old', ids, now: clock.now() - 3 * 86_400_000, days: 2 });
  const app = azure.registerApp({ secret: null, certificates: [old.certPem] });
  const current = material;
  material = old;
  const signed = assertion({ iss: app.clientId, sub: app.clientId });
  material = current;
  const { status, body } = await client.tokenRequest(byAssertion(app, signed));
  expect(status).toBe(401);
  expect(body).toMatchObject({ error: 'invalid_client', error_codes: [700027] });
  expect(body.error_description).toContain('is expired on application');
});

test('a certificate assertion is accepted once, in its time, for this endpoint, from a registered certificate', async () => {
  const codes = async (text: string) =>
    (await client.tokenRequest(byAssertion(certApp, text))).body.error_codes ?? 'accepted';
  const good = assertion();
  expect(await codes(good)).toBe('accepted');
  expect(await codes(good)).toEqual([700027]);
  const now = clock.now() / 1000;
  expect(await codes(assertion({ exp: now - 301, nbf: now - 900 }))).toEqual([700024]);
  expect(await codes(assertion({ nbf: now + 400, exp: now + 900 }))).toEqual([700024]);
  expect(await codes(assertion({ aud: 'https://login.example/token' }))).toEqual([700027]);
  expect(await codes(assertion({ sub: 'somebody' }))).toEqual([700027]);
  expect(await codes(assertion({}, { 'x5t#S256': 'AAAA' }))).toEqual([700027]);
  expect(await codes(assertion({}, { alg: 'none' }))).toEqual([700027]);
  expect(await codes(`${assertion().slice(0, -8)}AAAAAAAA`)).toEqual([700027]);
  expect(await codes('garbage')).toEqual([50027]);
});

test('a federated assertion must match issuer, subject and audience, and be signed by the issuer', async () => {
  const good = { sub: 'system:serviceaccount:a:b', aud: ['api://AzureADTokenExchange'] };
  const codes = async (claims: Record<string, unknown>, app = federatedApp, change = (text: string) => text) =>
    (await client.tokenRequest(byAssertion(app, change(issuer.token(claims, clock.now()))))).body.error_codes ??
    'accepted';
  expect(await codes(good)).toBe('accepted');
  expect(await codes(good)).toBe('accepted');
  expect(await codes({ ...good, sub: 'system:serviceaccount:a:other' })).toEqual([700213]);
  expect(await codes({ ...good, aud: 'other' })).toEqual([700212]);
  expect(await codes({ ...good, iss: 'https://elsewhere.example' })).toEqual([700211]);
  expect(await codes({ ...good, exp: clock.now() / 1000 - 400 })).toEqual([700024]);
  expect(await codes(good, azure.defaultApp)).toEqual([70021]);
  const forged = (text: string) => `${text.slice(0, -8)}AAAAAAAA`;
  expect(await codes(good, federatedApp, forged)).toEqual([50027]);
});

test('the metadata endpoint serves managed identities by every kind of id, and refuses what IMDS refuses', async () => {
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/imds`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/one-id`;
  const { properties, id: shown } = (await client.arm('PUT', id, '2023-01-31', { location: 'westus2' })).body;
  const get = (
    query: string,
    headers: Record<string, string> = { Metadata: 'true' },
    path = '/metadata/identity/oauth2/token',
  ) => client.send('GET', `${azure.endpoints.imds}${path}${query}`, { headers });
  const base = '?api-version=2018-02-01&resource=https://vault.azure.net';
  for (const query of [
    '',
    `&client_id=${properties.clientId}`,
    `&object_id=${properties.principalId}`,
    `&msi_res_id=${shown}`,
  ]) {
    const { status, body } = await get(base + query);
    expect([status, body.client_id, body.token_type, body.resource]).toEqual([
      200,
      properties.clientId,
      'Bearer',
      'https://vault.azure.net',
    ]);
    expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true);
    expect(Number(body.expires_on) - Number(body.not_before)).toBe(86_399);
  }
  expect((await get(base, undefined, '/metadata/identity/oauth2/token/')).status).toBe(200);
  const refused = async (...call: Parameters<typeof get>) => {
    const { status, body } = await get(...call);
    return [status, body.error, body.error_description];
  };
  expect(await refused(base, {})).toEqual([400, 'invalid_request', 'Required metadata header not specified']);
  expect((await refused(base, { Metadata: 'true', 'X-Forwarded-For': '10.0.0.1' }))[0]).toBe(400);
  expect(await refused(`${base}&client_id=${randomUUID()}`)).toEqual([400, 'invalid_request', 'Identity not found']);
  expect((await refused('?api-version=2018-02-01'))[2]).toContain('resource');
  await client.arm('PUT', `${id}-two`, '2023-01-31', { location: 'westus2' });
  expect((await refused(base))[2]).toMatch(/^Multiple user assigned identities exist/);
  azure.imds.identities = [properties.clientId];
  expect((await get(base)).body.client_id).toBe(properties.clientId);
  const system = azure.addIdentity({ systemAssigned: true });
  expect((await get(base)).body.client_id).toBe(system.clientId);
  const instance = await get(
    '/compute/location?api-version=2021-02-01&format=text',
    { Metadata: 'true' },
    '/metadata/instance',
  );
  expect(instance.text).toBe('westus2');
});
