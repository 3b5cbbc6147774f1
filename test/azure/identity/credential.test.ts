import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CertificateExpiry } from '../../../runtime/azure/identity/certificate-expiry.ts';
import { authorizerFromEnvironment } from '../../../runtime/azure/identity/credential-from-environment.ts';
import { authorizerFromSecret } from '../../../runtime/azure/identity/credential-from-secret.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { fixtureBytes } from '../fixtures/client-certificates.ts';
import { CredentialWorld } from './credential-world.ts';

let world: CredentialWorld;
beforeAll(async () => {
  world = await CredentialWorld.start();
});
beforeEach(() => void world.server.requests.splice(0));
afterAll(() => world.close());

test('the environment is searched for a secret, a certificate, a token file and managed identity, in this order', async () => {
  const { AZURE_CLIENT_SECRET: _, ...noSecret } = world.everything;
  const { AZURE_CLIENT_CERTIFICATE: __, ...noCertificate } = noSecret;
  const { AZURE_FEDERATED_TOKEN_FILE: ___, ...noFile } = noCertificate;
  const seen = [];
  for (const env of [world.everything, noSecret, noCertificate, noFile, {}]) {
    seen.push(await world.proof(authorizerFromEnvironment(env, world.deps).authorizer));
  }
  expect(seen).toEqual(['secret s3cret', 'certificate', 'federated assertion', 'imds client', 'imds machine']);
});

test('AZURE_USE_MI wins over everything, a certificate may be a file', async () => {
  expect(
    await world.proof(authorizerFromEnvironment({ ...world.everything, AZURE_USE_MI: 'true' }, world.deps).authorizer),
  ).toBe('imds client');
  const path = world.file('client.p12', fixtureBytes('modern'));
  const env = {
    ...world.everything,
    AZURE_CLIENT_SECRET: '',
    AZURE_CLIENT_CERTIFICATE: '',
    AZURE_CLIENT_CERTIFICATE_PATH: path,
  };
  expect(await world.proof(authorizerFromEnvironment(env, world.deps).authorizer)).toBe('certificate');
});

test.each(['AZURE_TENANT_ID', 'AZURE_CLIENT_ID'])('a service principal without %s is refused, naming it', (name) => {
  expect(() => authorizerFromEnvironment({ ...world.everything, [name]: '' }, world.deps)).toThrow(
    new RegExp(`${name}.*AZURE_CLIENT_SECRET`),
  );
});

test('subscription and further tenants come along', () => {
  const env = { ...world.everything, AZURE_SUBSCRIPTION_ID: 'sub', AZURE_ADDITIONAL_TENANTS: 'a, b;c' };
  expect(authorizerFromEnvironment(env, world.deps)).toMatchObject({
    subscriptionId: 'sub',
    tenantId: 'tenant',
    clientId: 'client',
    additionalTenants: ['a', 'b', 'c'],
  });
});

test.each([
  ['', 'TENANT', true],
  ['', 'foreign', false],
  ['other, Foreign', 'foreign', true],
  ['other', 'foreign', false],
  ['*', 'foreign', true],
])('with further tenants %p a token of the tenant %s is requested: %p', async (further, tenantId, asked) => {
  const { authorizer } = authorizerFromEnvironment(
    { ...world.everything, AZURE_ADDITIONAL_TENANTS: further },
    world.deps,
  );
  const error = await authorizer.getToken({ audience: 'https://vault.azure.net', tenantId }).catch((e: Error) => e);
  const refused = error instanceof Error && /from the tenant foreign.*AZURE_ADDITIONAL_TENANTS/s.test(error.message);
  expect(refused).toBe(!asked);
});

const encode = (data: Record<string, string | Buffer>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
const base = { AZURE_SUBSCRIPTION_ID: 'sub', AZURE_TENANT_ID: 'tenant', AZURE_CLIENT_ID: 'client' };
const fromSecret = (data: Record<string, string | Buffer>, more = {}) =>
  authorizerFromSecret(encode(data), world.deps, { source: 'team/aso-credential', ...more });

test('a certificate that cannot be used is a failure to sign in, and a file that was half written is read again', async () => {
  const whole = fixtureBytes('withoutPassword');
  const path = world.file('rotating.pfx', whole.subarray(0, 500));
  const { AZURE_TENANT_ID, AZURE_CLIENT_ID } = world.everything;
  const env = { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_CERTIFICATE_PATH: path };
  const { authorizer } = authorizerFromEnvironment(env, world.deps);
  const failure = await authorizer.getToken({ audience: 'x' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'AZ_AUTH_FAILED', message: expect.stringContaining(path) });
  world.file('rotating.pfx', whole);
  expect(await world.proof(authorizer)).toBe('certificate');
  const inSecret = fromSecret({ ...base, AZURE_CLIENT_CERTIFICATE: 'nonsense' }).authorizer;
  await expect(inSecret.getToken({ audience: 'x' })).rejects.toMatchObject({ code: 'AZ_AUTH_FAILED' });
});

test('a certificate that expires within a month is warned of once a day, and the own one is a metric', async () => {
  const clock = new ManualClock(Date.now());
  const metrics = createMetrics();
  const lines: { readonly level: string; readonly certificate: string; readonly msg: string }[] = [];
  const log = createLogger('test', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const certificates = new CertificateExpiry(log, metrics, clock);
  const { cert, key } = issueCertificate({ commonName: 'ten days' });
  const env = { ...world.everything, AZURE_CLIENT_SECRET: '', AZURE_CLIENT_CERTIFICATE: cert + key };
  const { authorizer } = authorizerFromEnvironment(env, { ...world.deps, clock, certificates });
  for (let i = 0; i < 3; i++) await authorizer.getToken({ audience: 'x' });
  expect(lines).toEqual([expect.objectContaining({ level: 'warn', certificate: 'AZURE_CLIENT_CERTIFICATE' })]);
  expect(lines[0]?.msg).toContain('expires soon');
  const seconds = Math.floor(Date.parse(new X509Certificate(cert).validTo) / 1000);
  expect(await metrics.metrics()).toContain(`azimuth_credential_certificate_expiry_timestamp_seconds ${seconds}\n`);
  await clock.advance(10 * 86_400_000);
  await authorizer.getToken({ audience: 'x' });
  expect(lines[1]?.msg).toContain('has expired');
  const data = encode({ ...base, AZURE_CLIENT_CERTIFICATE: cert + key });
  const context2 = { ...world.deps, certificates: new CertificateExpiry(log, createMetrics(), clock) };
  const secret = authorizerFromSecret(data, context2, { source: 'team/x' });
  await secret.authorizer.getToken({ audience: 'x' });
  expect(lines[2]?.certificate).toBe('AZURE_CLIENT_CERTIFICATE of the Secret team/x');
});

test('the reference page names every setting that the code reads', () => {
  const page = readFileSync('docs/reference/azure-credentials.md', 'utf8');
  const sources = ['clouds', 'identity/credential-from-environment', 'identity/credential-from-secret', 'identity/imds']
    .map((name) => readFileSync(`runtime/azure/${name}.ts`, 'utf8'))
    .join();
  const settings = [...new Set(sources.match(/\b(?:AZURE_[A-Z_]*[A-Z]|USE_WORKLOAD_IDENTITY_AUTH|AUTH_MODE)\b/g))];
  expect(settings.length).toBeGreaterThan(15);
  expect(settings.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
