import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { authorizerFromSecret } from '../../../runtime/azure/identity/credential-from-secret.ts';
import { fixture, fixtureBytes, fixturePassword } from '../fixtures/client-certificates.ts';
import { CredentialWorld } from './credential-world.ts';

let world: CredentialWorld;
beforeAll(async () => {
  world = await CredentialWorld.start();
});
beforeEach(() => void world.server.requests.splice(0));
afterAll(() => world.close());

const encode = (data: Record<string, string | Buffer>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
const base = { AZURE_SUBSCRIPTION_ID: 'sub', AZURE_TENANT_ID: 'tenant', AZURE_CLIENT_ID: 'client' };
const fromSecret = (data: Record<string, string | Buffer>, more = {}) =>
  authorizerFromSecret(encode(data), world.deps, { source: 'team/aso-credential', ...more });

test('a Secret is read in the same order and format as the reference system does', async () => {
  const certificate = {
    AZURE_CLIENT_CERTIFICATE: fixtureBytes('legacy'),
    AZURE_CLIENT_CERTIFICATE_PASSWORD: fixturePassword,
  };
  const identityFile = {
    AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: world.file(
      'identity.json',
      JSON.stringify({ client_secret: fixture('withoutPassword') }),
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
    const options = { tokenFile: world.everything.AZURE_FEDERATED_TOKEN_FILE, identityFileDirectories: [world.path] };
    seen.push(await world.proof(fromSecret(data, options).authorizer));
  }
  expect(seen).toEqual(['secret s3cret', 'certificate', 'certificate', 'imds client', 'federated assertion']);
});

test('a credential counts as the program’s own unless the Secret holds a secret or a certificate', () => {
  const certificate = fixtureBytes('legacy');
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
  const long = world.file('long.json', `{"client_secret": "${'x'.repeat(1_000_000)}"}`);
  const text = world.file('text.json', 'hunter2');
  const valid = JSON.stringify({ client_secret: fixture('withoutPassword') });
  const outside = join(`${world.path}-outside`, 'identity.json');
  mkdirSync(`${world.path}-outside`);
  writeFileSync(outside, valid);
  const link = join(world.path, 'link.json');
  symlinkSync(outside, link);
  const dots = `${world.path}/../${basename(world.path)}-outside/identity.json`;
  const failureOf = async (path: string, identityFileDirectories: string[]) => {
    const data = { ...base, AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: path };
    const { authorizer } = fromSecret(data, { identityFileDirectories });
    return authorizer.getToken({ audience: 'x' }).catch((error: unknown) => error);
  };
  // The size of /proc/self/pagemap is 0, and reading it never ends.
  const unreadable = ['/dev/zero', '/dev/null', '/proc/self/pagemap', '/proc/self', '/proc/nowhere', long, text, link];
  for (const path of unreadable) {
    const failure = await failureOf(path, ['/dev', '/proc/', world.path]);
    expect(failure).toMatchObject({
      code: 'AZ_AUTH_FAILED',
      message: `The identity file ${path} cannot be read as JSON`,
    });
    expect(inspect(failure)).not.toContain('hunter2');
  }
  for (const path of ['/dev/zero', outside, dots, `${world.path}`]) {
    expect(await failureOf(path, [world.path])).toMatchObject({
      code: 'AZ_AUTH_FAILED',
      message: expect.stringContaining('lies in none of the directories of --identity-file-directories'),
    });
  }
  expect(await failureOf(outside, [])).toMatchObject({ code: 'AZ_AUTH_FAILED' });
  expect(await failureOf(outside, [`${world.path}-outside`])).toMatchObject({ token: 't' });
  rmSync(`${world.path}-outside`, { recursive: true });
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
  const inSecrets = { tokenFile: world.everything.AZURE_FEDERATED_TOKEN_FILE };
  const { authorizer } = authorizerFromSecret(encode(base), { ...world.deps, inSecrets }, { source: 'team/x' });
  expect(await world.proof(authorizer)).toBe('federated assertion');
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
    AZURE_AUTHORITY_HOST: world.server.url,
    AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://management.other',
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.other',
  };
  const data = { ...base, AZURE_CLIENT_SECRET: 's', ...cloud };
  expect(() => fromSecret(data)).toThrow(/ALLOW_MULTI_ENV_MANAGEMENT/);
  const allowed = fromSecret(data, { allowMultiEnvironment: true });
  expect(allowed.cloud.resourceManagerEndpoint).toBe('https://management.other');
  expect(allowed.cloud.keyVaultDnsSuffix).toBe('vault.test');
  expect(await world.proof(allowed.authorizer)).toBe('secret s');
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
