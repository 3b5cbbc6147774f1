import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseCertificateBundle } from '../../../../runtime/azure/certificates/certificate-bundle.ts';
import { clientCertificateAuthorizer } from '../../../../runtime/azure/identity/authorizers/client-certificate.ts';
import { clientSecretAuthorizer } from '../../../../runtime/azure/identity/authorizers/client-secret.ts';
import { assertionFromFile, federatedAuthorizer } from '../../../../runtime/azure/identity/authorizers/federated.ts';
import { AuthError } from '../../../../runtime/azure/identity/entra-errors.ts';
import { afterwards } from '../../../fakes/afterwards.ts';
import type { FakeHandler } from '../../../fakes/azure-server.ts';
import { issueCertificate, testAuthority } from '../../../fakes/certificates.ts';
import { scratch } from '../../../fakes/scratch.ts';
import { fixture, fixtureBytes, fixturePassword, fixturePem } from '../../fixtures/client-certificates.ts';
import { CredentialWorld } from '../credential-world.ts';

const identity = { tenantId: 'tenant-1', clientId: 'client-1' };
const audience = 'https://management.test';
const place = scratch();
afterAll(() => place.remove());

const issued = { token_type: 'Bearer', expires_in: 3599, access_token: 'issued' };

/** Microsoft Entra ID until the test ends. */
async function entraServer(handler: FakeHandler = () => ({ body: issued })) {
  const world = await CredentialWorld.start(handler);
  afterwards(() => world.close());
  return { server: world.server, context: world.deps, forms: () => world.forms() };
}

test('a client secret becomes one POST per token, never less', async () => {
  const { server, context, forms } = await entraServer();
  const authorizer = clientSecretAuthorizer({ ...identity, clientSecret: 's3cret' }, context);
  const before = Date.now();
  const token = await authorizer.getToken({ audience });
  await authorizer.getToken({ audience });
  expect(token.token).toBe('issued');
  expect(token.expiresOn).toBeGreaterThanOrEqual(before + 3_599_000);
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(2).fill('POST /tenant-1/oauth2/v2.0/token'),
  );
  expect(forms()[0]).toEqual({
    client_id: 'client-1',
    client_secret: 's3cret',
    grant_type: 'client_credentials',
    scope: 'https://management.test/.default',
  });
  expect(authorizer.description).toBe('client secret of client client-1 in tenant tenant-1');
});

test('a request may name another tenant and carry claims', async () => {
  const { server, context, forms } = await entraServer();
  const authorizer = clientSecretAuthorizer({ ...identity, clientSecret: 's' }, context);
  await authorizer.getToken({ audience, tenantId: 'other.example', claims: '{"a":1}' });
  expect(server.requests[0]?.url).toBe('/other.example/oauth2/v2.0/token');
  expect(forms()[0]?.['claims']).toBe('{"a":1}');
});

test.each(['../x', 'a/b', '', 'a b', 'a?b'])('the tenant %p is refused before anything is sent', async (tenantId) => {
  const { server, context } = await entraServer();
  const authorizer = clientSecretAuthorizer({ ...identity, tenantId, clientSecret: 's' }, context);
  await expect(authorizer.getToken({ audience })).rejects.toThrow(/tenant/);
  expect(server.requests).toEqual([]);
});

test('a refusal names the AADSTS code, trace and correlation id and when to come back, never the secret', async () => {
  const { context } = await entraServer(() => ({
    status: 401,
    headers: { 'retry-after': '9' },
    body: {
      error: 'invalid_client',
      error_description:
        'AADSTS7000215: Invalid client secret hunter2-value provided. Trace ID: t-1 Correlation ID: c-1 Timestamp: now',
      error_codes: [7000215],
      trace_id: 't-1',
      correlation_id: 'c-1',
    },
  }));
  const authorizer = clientSecretAuthorizer({ ...identity, clientSecret: 'hunter2-value' }, context);
  const error = (await authorizer.getToken({ audience }).catch((caught: unknown) => caught)) as AuthError;
  expect(error).toBeInstanceOf(AuthError);
  expect(error).toMatchObject({
    code: 'AZ_AUTH_FAILED',
    retryAfterMs: 9000,
    info: {
      status: 401,
      entraCode: 'AADSTS7000215',
      oauthError: 'invalid_client',
      traceId: 't-1',
      correlationId: 'c-1',
    },
  });
  expect(error.message).toBe(
    'Microsoft Entra ID refused a token to the client secret of client client-1 in tenant tenant-1: AADSTS7000215 invalid_client: ' +
      'Invalid client secret *** provided. (trace id t-1, correlation id c-1)',
  );
});

test.each([
  ['HTML', { status: 503, body: '<html></html>' }, /it failed \(HTTP 503\)/],
  ['throttling', { status: 429, headers: { 'retry-after': '9' } }, /it throttles requests \(HTTP 429\)/],
  ['a redirect', { status: 302, headers: { location: 'https://portal.example' } }, /a redirect \(HTTP 302\)/],
  ['a success without a token', { status: 200, body: {} }, /HTTP 200 without a token/],
  ['a body without end', { status: 200, body: 'x'.repeat(2_000_000) }, /longer than 1 MiB/],
])('%s of Microsoft Entra ID is no refusal', async (_, got, message) => {
  const { context } = await entraServer(() => got);
  const attempt = clientSecretAuthorizer({ ...identity, clientSecret: 's' }, context).getToken({ audience });
  await expect(attempt).rejects.toMatchObject({
    code: 'AZ_AUTH_UNREACHABLE',
    message: expect.stringMatching(message),
    retryable: true,
    retryAfterMs: got.status === 429 ? 9000 : undefined,
  });
  await expect(attempt).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining('refused') }));
});

test('silence is AZ_AUTH_UNREACHABLE, an abort is the reason of the abort', async () => {
  const { context } = await entraServer(() => ({ destroy: true }));
  const authorizer = clientSecretAuthorizer({ ...identity, clientSecret: 's' }, context);
  await expect(authorizer.getToken({ audience })).rejects.toMatchObject({ code: 'AZ_AUTH_UNREACHABLE' });
  const reason = new Error('stopping');
  await expect(authorizer.getToken({ audience, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

const forms: [string, Buffer | string, string | undefined][] = [
  ['PEM', fixturePem('certificate') + fixturePem('plainKey'), undefined],
  ['PEM, key first', fixturePem('plainKey') + fixturePem('certificate'), undefined],
  ['PEM with an encrypted PKCS#8 key', fixturePem('certificate') + fixturePem('encryptedKey'), fixturePassword],
  [
    'PEM with a traditionally encrypted key',
    fixturePem('certificate') + fixturePem('traditionalEncryptedKey'),
    fixturePassword,
  ],
  ['PKCS#12 with AES and SHA-256', fixtureBytes('modern'), fixturePassword],
  ['PKCS#12 with RC2-40 and 3DES', fixtureBytes('legacy'), fixturePassword],
  ['PKCS#12 without a password', fixtureBytes('withoutPassword'), undefined],
  ['PKCS#12 in base64', fixture('modern'), fixturePassword],
  ['PEM in base64', Buffer.from(fixturePem('certificate') + fixturePem('plainKey')).toString('base64'), undefined],
];

test.each(forms)('a client certificate may be %s', async (_, certificate, secret) => {
  const { context, forms: sent } = await entraServer();
  const options = { ...identity, certificate, ...(secret ? { password: secret } : {}) };
  await clientCertificateAuthorizer(options, context).getToken({ audience });
  const form = sent()[0] as Record<string, string>;
  expect(form['client_assertion_type']).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
  expect(form).not.toHaveProperty('client_secret');
  const [head, body, signature] = (form['client_assertion'] as string).split('.') as [string, string, string];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as {
    alg: string;
    x5t: string;
    'x5t#S256': string;
    x5c: string[];
  };
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, number | string>;
  const leaf = new X509Certificate(Buffer.from(header.x5c[0] as string, 'base64'));
  expect(header.alg).toBe('RS256');
  expect(Buffer.from(header['x5t#S256'], 'base64url').toString('hex')).toBe(fixture('sha256'));
  expect(header.x5t).toBe(createHash('sha1').update(leaf.raw).digest('base64url'));
  expect(
    verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      createPublicKey(leaf.publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true);
  expect(claims).toMatchObject({
    iss: 'client-1',
    sub: 'client-1',
    aud: `${context.cloud.authorityHost}/tenant-1/oauth2/v2.0/token`,
  });
  expect(Number(claims['exp']) - Number(claims['nbf'])).toBe(600);
  expect(Number(claims['exp']) * 1000).toBeGreaterThan(Date.now());
});

test('the chain goes from the leaf to its issuers, whatever the order and whatever else is there', async () => {
  const root = testAuthority();
  const leaf = issueCertificate({ commonName: 'leaf', issuer: root });
  const other = issueCertificate({ commonName: 'other' });
  const bundle = await parseCertificateBundle(other.cert + root.cert + leaf.key + leaf.cert, undefined, 'test');
  expect(bundle.chain.map(({ subject }) => subject)).toEqual(['CN=leaf', 'CN=azimuth test authority']);
});

test.each<[string, Buffer | string, string | undefined, RegExp]>([
  [
    'an encrypted key without a password',
    fixturePem('certificate') + fixturePem('encryptedKey'),
    undefined,
    /encrypted and no password is set/,
  ],
  [
    'an encrypted key with a wrong one',
    fixturePem('certificate') + fixturePem('encryptedKey'),
    'wrong-password',
    /cannot be decrypted/,
  ],
  ['PKCS#12 with a wrong password', fixtureBytes('modern'), 'wrong-password', /is the password right/],
  ['no key', fixturePem('certificate'), undefined, /no private key/],
  ['no certificate', fixturePem('plainKey'), undefined, /no certificate/],
  [
    'a key of another certificate',
    issueCertificate({ commonName: 'x' }).cert + fixturePem('plainKey'),
    undefined,
    /none of its certificates belongs/,
  ],
  ['rubbish', 'not a certificate!', undefined, /neither PEM nor PKCS#12/],
  ['nothing', '', undefined, /neither PEM nor PKCS#12/],
  ['a file that is too large', '-----BEGIN A-----'.repeat(4000), undefined, /68000 bytes, more than 65536/],
  ['a key that Microsoft Entra ID does not accept', fixtureBytes('ec'), fixturePassword, /expected an RSA key, got ec/],
])('%s is refused with the reason and without the password', async (_, certificate, secret, reason) => {
  const { server, context } = await entraServer();
  const options = { ...identity, certificate, source: 'Secret a/b', ...(secret ? { password: secret } : {}) };
  const error = (await clientCertificateAuthorizer(options, context)
    .getToken({ audience })
    .catch((caught: unknown) => caught)) as Error;
  expect(error).toMatchObject({ code: 'AZ_CONFIG_INVALID' });
  expect(error.message).toMatch(reason);
  expect(error.message).toContain('Secret a/b');
  expect(error.message).not.toMatch(/wrong-password|fixture-password/);
  expect(server.requests).toEqual([]);
});

test('a certificate file is read again for every token', async () => {
  const { context, forms: sent } = await entraServer();
  const path = join(place.path, 'client.pem');
  const thumbprint = (index: number) => {
    const [head = ''] = (sent()[index]?.['client_assertion'] ?? '').split('.');
    return (JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, string>)['x5t#S256'];
  };
  const authorizer = clientCertificateAuthorizer({ ...identity, certificate: { path } }, context);
  await expect(authorizer.getToken({ audience })).rejects.toMatchObject({ code: 'AZ_AUTH_FAILED' });
  writeFileSync(path, fixturePem('certificate') + fixturePem('plainKey'));
  await authorizer.getToken({ audience });
  const renewed = issueCertificate({ commonName: 'renewed' });
  writeFileSync(path, renewed.cert + renewed.key);
  await authorizer.getToken({ audience });
  expect(thumbprint(0)).not.toBe(thumbprint(1));
});

test('a federated token file is read again for every token', async () => {
  const { context, forms: sent } = await entraServer();
  const path = join(place.path, 'token');
  const authorizer = federatedAuthorizer({ ...identity, assertion: assertionFromFile(path) }, context);
  await expect(authorizer.getToken({ audience })).rejects.toThrow(/cannot be read/);
  writeFileSync(path, ' \n');
  await expect(authorizer.getToken({ audience })).rejects.toThrow(/is empty/);
  for (const value of ['first', 'second']) {
    writeFileSync(path, `${value}\n`);
    await authorizer.getToken({ audience });
  }
  expect(sent().map((form) => form['client_assertion'])).toEqual(['first', 'second']);
});
