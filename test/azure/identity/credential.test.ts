import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CertificateExpiry } from '../../../runtime/azure/identity/certificate-expiry.ts';
import type { CredentialContext } from '../../../runtime/azure/identity/credential.ts';
import { authorizerFromEnvironment } from '../../../runtime/azure/identity/credential-from-environment.ts';
import { authorizerFromSecret } from '../../../runtime/azure/identity/credential-from-secret.ts';
import { createImds } from '../../../runtime/azure/identity/imds.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { FakeAzure } from '../../fakes/azure-server.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { scratch } from '../../fakes/scratch.ts';
import { cloudAt, dispatcherFor } from '../support.ts';

const fixtures = JSON.parse(readFileSync('test/azure/fixtures/client-certificates.json', 'utf8')) as Record<
  string,
  string
>;
const place = scratch();
let server: FakeAzure;
let context: CredentialContext;
beforeAll(async () => {
  server = await FakeAzure.start(() => ({ body: { access_token: 't', expires_in: 60 } }));
  const dispatcher = dispatcherFor(server.ca);
  context = { cloud: cloudAt(server.url), dispatcher, imds: createImds({ dispatcher, endpoint: server.url }) };
});
beforeEach(() => void server.requests.splice(0));
afterAll(async () => {
  await context.dispatcher.close();
  await server[Symbol.asyncDispose]();
  place.remove();
});

const file = (name: string, content: string | Buffer) => {
  const path = join(place.path, name);
  writeFileSync(path, content);
  return path;
};
/** The request of a credential to Microsoft Entra ID or IMDS. */
async function proof(authorizer: { getToken(request: { audience: string }): Promise<unknown> }): Promise<string> {
  await authorizer.getToken({ audience: 'a' });
  const { method, body, url } = server.requests.at(-1) as FakeAzure['requests'][number];
  if (method === 'GET') return `imds ${new URL(url, 'http://x').searchParams.get('client_id') ?? 'machine'}`;
  const form = new URLSearchParams(body);
  if (form.has('client_secret')) return `secret ${form.get('client_secret')}`;
  const assertion = form.get('client_assertion') as string;
  return assertion.split('.').length === 3 ? 'certificate' : `federated ${assertion}`;
}
const all = {
  AZURE_TENANT_ID: 'tenant',
  AZURE_CLIENT_ID: 'client',
  AZURE_CLIENT_SECRET: 's3cret',
  AZURE_CLIENT_CERTIFICATE: fixtures['modern'],
  AZURE_CLIENT_CERTIFICATE_PASSWORD: fixtures['password'],
  AZURE_FEDERATED_TOKEN_FILE: file('token', 'assertion'),
};

test('the environment is searched for a secret, a certificate, a token file and managed identity, in this order', async () => {
  const { AZURE_CLIENT_SECRET: _, ...noSecret } = all;
  const { AZURE_CLIENT_CERTIFICATE: __, ...noCertificate } = noSecret;
  const { AZURE_FEDERATED_TOKEN_FILE: ___, ...noFile } = noCertificate;
  const seen = [];
  for (const env of [all, noSecret, noCertificate, noFile, {}]) {
    seen.push(await proof(authorizerFromEnvironment(env, context).authorizer));
  }
  expect(seen).toEqual(['secret s3cret', 'certificate', 'federated assertion', 'imds client', 'imds machine']);
});

test('AZURE_USE_MI wins over everything, a certificate may be a file', async () => {
  expect(await proof(authorizerFromEnvironment({ ...all, AZURE_USE_MI: 'true' }, context).authorizer)).toBe(
    'imds client',
  );
  const path = file('client.p12', Buffer.from(fixtures['modern'] as string, 'base64'));
  const env = { ...all, AZURE_CLIENT_SECRET: '', AZURE_CLIENT_CERTIFICATE: '', AZURE_CLIENT_CERTIFICATE_PATH: path };
  expect(await proof(authorizerFromEnvironment(env, context).authorizer)).toBe('certificate');
});

test.each(['AZURE_TENANT_ID', 'AZURE_CLIENT_ID'])('a service principal without %s is refused, naming it', (name) => {
  expect(() => authorizerFromEnvironment({ ...all, [name]: '' }, context)).toThrow(
    new RegExp(`${name}.*AZURE_CLIENT_SECRET`),
  );
});

test('subscription and further tenants come along', () => {
  const env = { ...all, AZURE_SUBSCRIPTION_ID: 'sub', AZURE_ADDITIONAL_TENANTS: 'a, b;c' };
  expect(authorizerFromEnvironment(env, context)).toMatchObject({
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
  const { authorizer } = authorizerFromEnvironment({ ...all, AZURE_ADDITIONAL_TENANTS: further }, context);
  const error = await authorizer.getToken({ audience: 'https://vault.azure.net', tenantId }).catch((e: Error) => e);
  const refused = error instanceof Error && /from the tenant foreign.*AZURE_ADDITIONAL_TENANTS/s.test(error.message);
  expect(refused).toBe(!asked);
});

const encode = (data: Record<string, string | Buffer>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
const base = { AZURE_SUBSCRIPTION_ID: 'sub', AZURE_TENANT_ID: 'tenant', AZURE_CLIENT_ID: 'client' };
const fromSecret = (data: Record<string, string | Buffer>, more = {}) =>
  authorizerFromSecret(encode(data), context, { source: 'team/aso-credential', ...more });

test('a Secret is read in the same order and format as the reference system does', async () => {
  const certificate = {
    AZURE_CLIENT_CERTIFICATE: Buffer.from(fixtures['legacy'] as string, 'base64'),
    AZURE_CLIENT_CERTIFICATE_PASSWORD: fixtures['password'] as string,
  };
  const identityFile = {
    AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: file(
      'identity.json',
      JSON.stringify({ client_secret: fixtures['withoutPassword'] }),
    ),
  };
  const seen = [];
  for (const data of [
    { ...base, AZURE_CLIENT_SECRET: 's3cret\n', ...certificate },
    { ...base, ...certificate, ...identityFile },
    { ...base, ...identityFile, AUTH_MODE: 'podidentity' },
    { ...base, AUTH_MODE: 'podidentity' },
    base,
  ]) {
    const options = { tokenFile: all.AZURE_FEDERATED_TOKEN_FILE, identityFileDirectories: [place.path] };
    seen.push(await proof(fromSecret(data, options).authorizer));
  }
  expect(seen).toEqual(['secret s3cret', 'certificate', 'certificate', 'imds client', 'federated assertion']);
});

test('a credential counts as the program’s own unless the Secret holds a secret or a certificate', () => {
  const certificate = Buffer.from(fixtures['legacy'] as string, 'base64');
  expect(fromSecret({ ...base, AZURE_CLIENT_SECRET: 'x' }).ambient).toBe(false);
  expect(fromSecret({ ...base, AZURE_CLIENT_CERTIFICATE: certificate }).ambient).toBe(false);
  const without: readonly Record<string, string>[] = [
    {},
    { AZURE_CLIENT_SECRET: ' ' },
    { AZURE_CLIENT_CERTIFICATE: '' },
    { AUTH_MODE: 'podidentity' },
    { AUTH_MODE: 'workloadidentity' },
    { AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/x' },
  ];
  for (const each of without) expect(fromSecret({ ...base, ...each }).ambient).toBe(true);
});

test('a file that a Secret names is read if it is a small file in a configured directory, and is not quoted', async () => {
  const long = file('long.json', `{"client_secret": "${'x'.repeat(1_000_000)}"}`);
  const text = file('text.json', 'hunter2');
  const valid = JSON.stringify({ client_secret: fixtures['withoutPassword'] });
  const outside = join(`${place.path}-outside`, 'identity.json');
  mkdirSync(`${place.path}-outside`);
  writeFileSync(outside, valid);
  const link = join(place.path, 'link.json');
  symlinkSync(outside, link);
  const dots = `${place.path}/../${basename(place.path)}-outside/identity.json`;
  const failureOf = async (path: string, identityFileDirectories: string[]) => {
    const data = { ...base, AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: path };
    const { authorizer } = fromSecret(data, { identityFileDirectories });
    return authorizer.getToken({ audience: 'x' }).catch((error: unknown) => error);
  };
  // The size of /proc/self/pagemap is 0, and reading it never ends.
  const unreadable = ['/dev/zero', '/dev/null', '/proc/self/pagemap', '/proc/self', '/proc/nowhere', long, text, link];
  for (const path of unreadable) {
    const failure = await failureOf(path, ['/dev', '/proc/', place.path]);
    expect(failure).toMatchObject({
      code: 'AZ_AUTH_FAILED',
      message: `The identity file ${path} cannot be read as JSON`,
    });
    expect(inspect(failure)).not.toContain('hunter2');
  }
  for (const path of ['/dev/zero', outside, dots, `${place.path}`]) {
    expect(await failureOf(path, [place.path])).toMatchObject({
      code: 'AZ_AUTH_FAILED',
      message: expect.stringContaining('lies in none of the directories of --identity-file-directories'),
    });
  }
  expect(await failureOf(outside, [])).toMatchObject({ code: 'AZ_AUTH_FAILED' });
  expect(await failureOf(outside, [`${place.path}-outside`])).toMatchObject({ token: 't' });
  rmSync(`${place.path}-outside`, { recursive: true });
});

test('a misspelt key of a Secret is named beside the keys that are expected', () => {
  expect(() => fromSecret({ ...base, AZURE_CLIENT_SECRE: 's3cret' })).toThrow(
    'The Secret team/aso-credential holds no credential that is known: expected AZURE_CLIENT_SECRET, ' +
      'AZURE_CLIENT_CERTIFICATE, or AUTH_MODE with podidentity or workloadidentity; it has the keys ' +
      'AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRE',
  );
  const { AZURE_CLIENT_ID: _, ...rest } = base;
  expect(() => fromSecret({ ...rest, AZURE_CLIENTID: 'client' })).toThrow(
    /has no AZURE_CLIENT_ID; it has the keys AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENTID$/,
  );
  expect(() => fromSecret({ ...base, more: 'x', AUTH_MODE: 'workloadidentity' })).not.toThrow();
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${'k'.repeat(200)}${index}`, 'x']));
  expect(() => fromSecret({ ...base, ...many })).toThrow(/^.{1,2000}$/);
});

test('the setting of the program for credentials in Secrets holds where a call has none', async () => {
  const inSecrets = { tokenFile: all.AZURE_FEDERATED_TOKEN_FILE };
  const { authorizer } = authorizerFromSecret(encode(base), { ...context, inSecrets }, { source: 'team/x' });
  expect(await proof(authorizer)).toBe('federated assertion');
});

test('a certificate that cannot be used is a failure to sign in, and a file that was half written is read again', async () => {
  const whole = Buffer.from(fixtures['withoutPassword'] as string, 'base64');
  const path = file('rotating.pfx', whole.subarray(0, 500));
  const { AZURE_TENANT_ID, AZURE_CLIENT_ID } = all;
  const env = { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_CERTIFICATE_PATH: path };
  const { authorizer } = authorizerFromEnvironment(env, context);
  const failure = await authorizer.getToken({ audience: 'x' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'AZ_AUTH_FAILED', message: expect.stringContaining(path) });
  file('rotating.pfx', whole);
  expect(await proof(authorizer)).toBe('certificate');
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
  const env = { ...all, AZURE_CLIENT_SECRET: '', AZURE_CLIENT_CERTIFICATE: cert + key };
  const { authorizer } = authorizerFromEnvironment(env, { ...context, clock, certificates });
  for (let i = 0; i < 3; i++) await authorizer.getToken({ audience: 'x' });
  expect(lines).toEqual([expect.objectContaining({ level: 'warn', certificate: 'AZURE_CLIENT_CERTIFICATE' })]);
  expect(lines[0]?.msg).toContain('expires soon');
  const seconds = Math.floor(Date.parse(new X509Certificate(cert).validTo) / 1000);
  expect(await metrics.metrics()).toContain(`azimuth_credential_certificate_expiry_timestamp_seconds ${seconds}\n`);
  await clock.advance(10 * 86_400_000);
  await authorizer.getToken({ audience: 'x' });
  expect(lines[1]?.msg).toContain('has expired');
  const data = encode({ ...base, AZURE_CLIENT_CERTIFICATE: cert + key });
  const context2 = { ...context, certificates: new CertificateExpiry(log, createMetrics(), clock) };
  const secret = authorizerFromSecret(data, context2, { source: 'team/x' });
  await secret.authorizer.getToken({ audience: 'x' });
  expect(lines[2]?.certificate).toBe('AZURE_CLIENT_CERTIFICATE of the Secret team/x');
});

test.each([
  ['AZURE_SUBSCRIPTION_ID', 's/resourceGroups/rg?x='],
  ['AZURE_SUBSCRIPTION_ID', '..'],
  ['AZURE_TENANT_ID', 't/oauth2?'],
])('a Secret whose %s would change a path is refused', (key, value) => {
  expect(() => fromSecret({ ...base, [key]: value })).toThrow(new RegExp(`${key} of the Secret team/aso-credential`));
});

test.each(Object.keys(base))('a Secret without %s is refused, naming Secret and key', (key) => {
  expect(() => fromSecret({ ...base, [key]: '' })).toThrow(new RegExp(`team/aso-credential .*${key}`));
});

test('a Secret chooses another cloud only where that is allowed, and only as a whole', async () => {
  const cloud = {
    AZURE_AUTHORITY_HOST: server.url,
    AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.other',
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.other',
  };
  const data = { ...base, AZURE_CLIENT_SECRET: 's', ...cloud };
  expect(() => fromSecret(data)).toThrow(/ALLOW_MULTI_ENV_MANAGEMENT/);
  const allowed = fromSecret(data, { allowMultiEnvironment: true });
  expect(allowed.cloud.resourceManagerEndpoint).toBe('https://management.other');
  expect(allowed.cloud.keyVaultDnsSuffix).toBe('vault.test');
  expect(await proof(allowed.authorizer)).toBe('secret s');
  // Without a secret of its own such a Secret would have the program's own token sent to an authority of its choice.
  for (const AUTH_MODE of ['', 'workloadidentity']) {
    const ambient = { ...data, AZURE_CLIENT_SECRET: '', AUTH_MODE };
    expect(() => fromSecret(ambient, { allowMultiEnvironment: true })).toThrow(
      /none of Azure's own: expected AZURE_CLIENT_SECRET/,
    );
  }
  expect(() => fromSecret(data, { allowMultiEnvironment: true, onlyAzureClouds: true })).toThrow(
    /none of Azure's own clouds, which the operator refuses under --multi-tenant/,
  );
  const china = {
    AZURE_AUTHORITY_HOST: 'https://login.chinacloudapi.cn',
    AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.chinacloudapi.cn',
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.chinacloudapi.cn',
  };
  const inChina = fromSecret({ ...data, ...china }, { allowMultiEnvironment: true, onlyAzureClouds: true });
  expect(inChina.authorizer.cloud?.name).toBe('AzureChinaCloud');
  const { AZURE_AUTHORITY_HOST: _, ...partly } = data;
  expect(() => fromSecret(partly, { allowMultiEnvironment: true })).toThrow(/together or not at all/);
});

test('an unknown AUTH_MODE is refused', () => {
  expect(() => fromSecret({ ...base, AUTH_MODE: 'magic' })).toThrow(/AUTH_MODE.*podidentity or workloadidentity/);
});

test.each([...Object.keys(base), 'AUTH_MODE', 'AZURE_AUTHORITY_HOST', 'AZURE_RESOURCE_MANAGER_ENDPOINT'])(
  'no error shows the value of %s, under which somebody may have put the secret',
  (key) => {
    const other = 'https://other.example';
    const cloud = {
      AZURE_AUTHORITY_HOST: other,
      AZURE_RESOURCE_MANAGER_ENDPOINT: other,
      AZURE_RESOURCE_MANAGER_AUDIENCE: other,
    };
    const data = { ...base, ...(key in cloud && cloud), [key]: 'hunter2~secret' };
    const refused = () => fromSecret(data, { allowMultiEnvironment: true });
    expect(refused).toThrow(new RegExp(`${key}.* of the Secret team/aso-credential`));
    expect(refused).not.toThrow(/hunter2/);
  },
);

test('a client id of a megabyte, which is a part of keys in memory, is refused', () => {
  expect(() => fromSecret({ ...base, AZURE_CLIENT_ID: 'x'.repeat(129) })).toThrow(/AZURE_CLIENT_ID.* at most 128 /);
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
