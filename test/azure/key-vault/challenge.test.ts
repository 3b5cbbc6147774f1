import { expect, test } from '@jest/globals';
import { parseChallenge } from '../../../runtime/azure/key-vault/challenge.ts';
import { bearer, secret, startVault as setup, usual } from '../key-vault-server.ts';

test('the challenge of the vault is read once; then every call has a token of its own', async () => {
  const { server, vault, authorizer } = await setup(() => ({ body: secret() }));
  const got = await vault.getSecret('name');
  await vault.getSecret('name', 'abc');
  expect(got).toMatchObject({
    value: 'v',
    name: 'name',
    version: 'a'.repeat(32),
    enabled: true,
    created: 1_700_000_000_000,
    expires: 1_800_000_000_000,
  });
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/secrets/name?api-version=7.4', undefined],
    ['/secrets/name?api-version=7.4', 'Bearer token-1'],
    ['/secrets/name/abc?api-version=7.4', 'Bearer token-2'],
  ]);
  expect(authorizer.asked).toEqual(Array(2).fill({ audience: 'https://vault.test', tenantId: 'tenant-9' }));
});

test('reads may share a token; whatever changes something has one of its own', async () => {
  const { server, vault } = await setup(() => ({ body: secret() }), { shareReadTokens: true });
  await vault.getSecret('name');
  await vault.setSecret('name', { value: 'x' });
  await vault.getSecret('name');
  await vault.updateSecret('name', 'abc', { tags: {} });
  await vault.delete('secrets', 'name');
  const authenticated = server.requests.filter(({ headers }) => headers.authorization !== undefined);
  expect(authenticated.map(({ method, headers }) => `${method} ${headers.authorization}`)).toEqual([
    'GET Bearer token-1',
    'PUT Bearer token-2',
    'GET Bearer token-1',
    'PATCH Bearer token-3',
    'DELETE Bearer token-4',
  ]);
});

test('no secret leaves before the vault has identified itself', async () => {
  const { server, vault } = await setup(() => ({ body: secret() }));
  await vault.setSecret('name', {
    value: 'precious',
    contentType: 'text/plain',
    expires: 1_800_000_000_999,
    tags: { a: 'b' },
  });
  expect(server.requests.map(({ method, body }) => [method, body === '' ? undefined : JSON.parse(body)])).toEqual([
    ['GET', undefined],
    ['PUT', { value: 'precious', contentType: 'text/plain', tags: { a: 'b' }, attributes: { exp: 1_800_000_000 } }],
  ]);
});

test.each([
  ['https://vault.evil.test', 'kv1.vault.test'],
  ['https://management.azure.com', 'kv1.vault.test'],
  ['https://1.vault.test', 'kv1.vault.test'],
  ['http://vault.test', 'kv1.vault.test'],
  ['https://kv1.vault.test', 'kv1.vault.test'],
  ['https://vault.test', 'kv1.elsewhere.test'],
])('a challenge for %s from %s gets no token', async (resource, host) => {
  const challenge = bearer(`authorization="https://login.test/t", resource="${resource}"`);
  const { vault, authorizer } = await setup(() => ({ body: secret() }), { challenge, host });
  await expect(vault.getSecret('name')).rejects.toMatchObject({ code: 'AZ_KEYVAULT_REFUSED', retryable: false });
  expect(authorizer.asked).toEqual([]);
});

test('the check of the domain can be switched off for emulators', async () => {
  const challenge = bearer('authorization="https://login.test/t", resource="https://vault.other"');
  const { vault, authorizer } = await setup(() => ({ body: secret() }), { challenge, verifyChallengeResource: false });
  await vault.getSecret('name');
  expect(authorizer.asked[0]).toMatchObject({ audience: 'https://vault.other' });
});

test.each([
  ['Bearer authorization="https://l/t", resource="https://v"', { audience: 'https://v', tenantId: 't' }],
  [
    'Bearer authorization_uri="https://l/t/oauth2", scope="https://v/.default"',
    { audience: 'https://v', tenantId: 't' },
  ],
  ['bearer resource=https://v,authorization=https://l/t', { audience: 'https://v', tenantId: 't' }],
  ['PoP nonce="x", Bearer resource="https://v"', { audience: 'https://v', tenantId: undefined }],
  [
    `Bearer resource="https://v", error="insufficient_claims", claims="${Buffer.from('{"c":1}').toString('base64')}"`,
    { audience: 'https://v', claims: '{"c":1}' },
  ],
])('the challenge %p is read', (header, expected) => {
  expect(parseChallenge(header)).toMatchObject(expected);
});

test.each([undefined, '', 'Basic realm="x"', 'Bearer authorization="https://l/t"'])('%p is no challenge', (header) => {
  expect(parseChallenge(header)).toBeUndefined();
});

test('a later challenge with claims is answered once with a token that carries them', async () => {
  const claims = Buffer.from('{"c":1}').toString('base64');
  const { vault, authorizer } = await setup(({ headers }) =>
    headers.authorization === 'Bearer token-1'
      ? bearer(
          `authorization="https://l/tenant-9", resource="https://vault.test", error="insufficient_claims", claims="${claims}"`,
        )
      : { body: secret() },
  );
  await vault.getSecret('name');
  await vault.getSecret('name');
  expect(authorizer.asked.map((asked) => asked.claims)).toEqual([undefined, '{"c":1}', undefined]);
});

test('a 401 that stays is an error and no loop', async () => {
  const { vault, server } = await setup(() => ({
    ...usual,
    body: { error: { code: 'Unauthorized', message: 'AKV10022' } },
  }));
  await expect(vault.getSecret('name')).rejects.toMatchObject({ status: 401 });
  expect(server.requests).toHaveLength(2);
});
