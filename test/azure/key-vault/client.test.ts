import { expect, test } from '@jest/globals';
import { KeyVaultError } from '../../../runtime/azure/key-vault/error.ts';
import { vaultUrl } from '../../../runtime/azure/key-vault/vault-names.ts';
import { secret, startVault as setup } from '../key-vault-server.ts';
import { cloudAt } from '../support.ts';

test('a refusal names vault, object, permission, inner code, request id and time to wait', async () => {
  const { vault } = await setup(() => ({
    status: 403,
    headers: { 'x-ms-request-id': 'r1', 'retry-after': '4' },
    body: {
      error: { code: 'Forbidden', message: 'Caller is not\r\nauthorized', innererror: { code: 'ForbiddenByRbac' } },
    },
  }));
  const error = (await vault.getSecret('name').catch((caught: unknown) => caught)) as KeyVaultError;
  expect(error).toBeInstanceOf(KeyVaultError);
  expect(error).toMatchObject({
    code: 'AZ_KEYVAULT_REFUSED',
    status: 403,
    vaultCode: 'Forbidden',
    innerCode: 'ForbiddenByRbac',
    retryAfterMs: 4000,
  });
  expect(error.message).toBe(
    'Key Vault kv1.vault.test refused to get secrets "name": 403 Forbidden (ForbiddenByRbac): Caller is not authorized; ' +
      "the identity needs the permission 'get' on secrets (request r1)",
  );
});

test('an error never repeats the value that was to be written', async () => {
  const { vault } = await setup(({ body }) => ({
    status: 400,
    body: { error: { code: 'BadParameter', message: `bad ${body}` } },
  }));
  const error = (await vault.setSecret('name', { value: 'precious' }).catch((caught: unknown) => caught)) as Error;
  expect(error.message).toContain('BadParameter');
  expect(error.message).not.toContain('precious');
  // A value made of parts that are secret by themselves, of which the vault repeats one.
  const { vault: partial } = await setup(() => ({
    status: 400,
    body: { error: { code: 'A', message: 'bad precious' } },
  }));
  const failing = partial.setSecret('name', { value: '{"key":"precious"}' }, { hidden: ['precious'] });
  const part = (await failing.catch((caught: unknown) => caught)) as Error;
  expect(part.message).toContain('bad ***');
});

test('what does not exist is undefined for the try form and an error otherwise', async () => {
  const { vault } = await setup(() => ({ status: 404, body: { error: { code: 'SecretNotFound', message: 'no' } } }));
  expect(await vault.tryGetSecret('name')).toBeUndefined();
  expect(await vault.tryGetCertificate('name')).toBeUndefined();
  await expect(vault.getSecret('name')).rejects.toMatchObject({ status: 404, vaultCode: 'SecretNotFound' });
  await vault.delete('secrets', 'name');
});

test('throttling and timeouts are distinguished, and both can be retried', async () => {
  const { vault } = await setup(({ url }) =>
    url.includes('slow') ? { status: 429, headers: { 'retry-after': '1' } } : { destroy: true },
  );
  await expect(vault.getSecret('slow')).rejects.toMatchObject({ status: 429, retryable: true, retryAfterMs: 1000 });
  await expect(vault.getSecret('gone')).rejects.toMatchObject({ code: 'AZ_KEYVAULT_UNREACHABLE', retryable: true });
});

test('an answer that is no secret never becomes an empty secret', async () => {
  const { vault } = await setup(({ url }) => ({ body: url.includes('html') ? '<html>Sign in</html>' : { id: 'x' } }));
  await expect(vault.getSecret('html')).rejects.toMatchObject({ code: 'AZ_KEYVAULT_UNREACHABLE' });
  await expect(vault.getSecret('name')).rejects.toThrow(/without a value/);
});

test('a firewall that refuses even the question is reported as what it is', async () => {
  const challenge = {
    status: 403,
    body: { error: { code: 'Forbidden', innererror: { code: 'ForbiddenByFirewall' } } },
  };
  const { vault } = await setup(() => ({ body: secret() }), { challenge });
  await expect(vault.getSecret('name')).rejects.toMatchObject({ innerCode: 'ForbiddenByFirewall' });
});

test('versions come from all pages, newest first', async () => {
  const item = (version: string, created: number) => ({
    id: `https://kv1.vault.test/secrets/name/${version}`,
    attributes: { created },
  });
  const { server, vault, authorizer } = await setup(({ url }, origin) =>
    url.includes('skip')
      ? { body: { value: [item('c', 30), item('d', 5)], nextLink: null } }
      : {
          body: {
            value: [item('a', 10), item('b', 20)],
            nextLink: `${origin}/secrets/name/versions?api-version=7.4&$skiptoken=skip`,
          },
        },
  );
  const versions = await vault.listVersions('secrets', 'name');
  expect(versions.map(({ version, created }) => [version, created])).toEqual([
    ['c', 30_000],
    ['b', 20_000],
    ['a', 10_000],
    ['d', 5000],
  ]);
  expect(server.requests).toHaveLength(3);
  expect(authorizer.asked).toHaveLength(2);
});

test.each([
  ['https://evil.test/secrets?x', /another host/],
  ['http://kv1.vault.test/secrets', /another host/],
  ['SAME', /read already/],
])('a list that continues at %s is not followed', async (link, reason) => {
  const { server, vault } = await setup(({ url }, origin) => ({
    body: { value: [], nextLink: link === 'SAME' ? origin + url : link },
  }));
  await expect(vault.list('secrets')).rejects.toThrow(reason);
  expect(server.requests).toHaveLength(2);
});

test('a list without end is given up at 4 MiB, and the message names it', async () => {
  const value = Array.from({ length: 25 }, (_, index) => ({ id: `v${index}`, tags: { text: 't'.repeat(8000) } }));
  let pages = 0;
  const { vault } = await setup((_, origin) => ({ body: { value, nextLink: `${origin}/secrets/x?page=${++pages}` } }));
  await expect(vault.listVersions('secrets', 'x')).rejects.toMatchObject({
    code: 'AZ_KEYVAULT_REFUSED',
    message: expect.stringMatching(/^Key Vault kv1.* has more at \/secrets\/x\/versions than the 4 MiB that are read/),
  });
  expect(pages).toBe(21);
});

test('what is no list of objects has none', async () => {
  for (const value of ['x', [1, null, ['a']], { a: 1 }]) {
    const { vault } = await setup(() => ({ body: { value } }));
    expect(await vault.list('secrets')).toEqual([]);
  }
});

test('keys and certificates are read', async () => {
  const { vault } = await setup(({ url }) =>
    url.startsWith('/keys')
      ? {
          body: {
            key: { kid: 'https://kv1.vault.test/keys/k/v1', kty: 'RSA', n: 'x', e: 'AQAB' },
            attributes: { enabled: false },
            managed: true,
          },
        }
      : {
          body: {
            id: 'https://kv1.vault.test/certificates/c/v2',
            kid: 'k',
            sid: 's',
            x5t: 't',
            cer: Buffer.from('der').toString('base64'),
            attributes: {},
          },
        },
  );
  expect(await vault.getKey('k')).toMatchObject({
    name: 'k',
    version: 'v1',
    enabled: false,
    managed: true,
    key: { kty: 'RSA' },
  });
  const certificate = await vault.getCertificate('c');
  expect(certificate).toMatchObject({ name: 'c', version: 'v2', keyId: 'k', secretId: 's', thumbprint: 't' });
  expect(certificate.certificate.toString()).toBe('der');
});

test.each(['a/b', '..', '', 'a b', 'ä', 'x'.repeat(128)])(
  'the object name %p is refused before anything is sent',
  async (name) => {
    const { server, vault } = await setup(() => ({ body: secret() }));
    await expect(vault.tryGetSecret(name)).rejects.toThrow(/name of a vault object/);
    expect(server.requests).toEqual([]);
  },
);

test('a vault is a name or an https URL', () => {
  const cloud = cloudAt('https://unused.test');
  expect(vaultUrl('kv1', cloud).href).toBe('https://kv1.vault.test/');
  expect(vaultUrl('https://kv1.vault.test:8443', cloud).host).toBe('kv1.vault.test:8443');
  for (const bad of [
    'kv',
    'kv_test',
    'longkeyvaultnamewhichisnotvalid',
    'http://kv1.vault.test',
    'https://kv1.vault.test/x',
    'kv1.evil.test',
  ]) {
    expect(() => vaultUrl(bad, cloud)).toThrow(/`vault`/);
  }
});

test('no write reaches the vault when it may not any more; reads do', async () => {
  const mayWrite = () => {
    throw new Error('The lease is not held');
  };
  const { server, vault } = await setup(() => ({ body: secret() }), { mayWrite });
  await expect(vault.setSecret('name', { value: 'v' })).rejects.toThrow('The lease is not held');
  await vault.getSecret('name');
  expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test.each([
  [1e300, '9999-12-31T23:59:59.000Z'],
  [8_640_000_000_001, '9999-12-31T23:59:59.000Z'],
  [-1e300, '1970-01-01T00:00:00.000Z'],
])(
  'an expiry of %d seconds, which is no date for JavaScript, is the nearest one that objects can have',
  async (exp, date) => {
    const { vault } = await setup(() => ({ body: { ...secret(), attributes: { enabled: true, exp } } }));
    expect(new Date((await vault.getSecret('name')).expires ?? 0).toISOString()).toBe(date);
  },
);
