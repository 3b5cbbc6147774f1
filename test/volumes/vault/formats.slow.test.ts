import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAzureDeps } from '../../../runtime/azure/azure-deps.ts';
import { clientSecretAuthorizer } from '../../../runtime/azure/identity/authorizers/client-secret.ts';
import { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { readFlexOptions } from '../../../runtime/volumes/options/flex-options.ts';
import { type FetchedObject, fetchObjects } from '../../../runtime/volumes/vault/fetch.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench, vaultName } from '../support.ts';

/** OpenSSL makes the certificates and judges what comes out. */
let bench: VolumeBench;
let vault: KeyVault;
let context: ReturnType<typeof createAzureDeps>;
const path = (name: string) => join(bench.directory, name);

function openssl(args: string, input?: string | Buffer): string {
  const { status, stdout, stderr } = spawnSync('openssl', args.split(' '), { input, cwd: bench.directory });
  if (status !== 0) throw new Error(`openssl ${args}: ${stderr}`);
  return stdout.toString('latin1');
}

const kinds = {
  'aes-256': '-keypbe AES-256-CBC -certpbe AES-256-CBC -macalg sha256',
  'aes-128': '-keypbe AES-128-CBC -certpbe AES-128-CBC -macalg sha1',
  '3des': '-legacy -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1',
  'rc2-40': '-legacy -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-RC2-40 -macalg sha1',
  'no-mac': '-nomac',
  'key-in-clear': '-keypbe NONE -certpbe NONE',
} as const;
const keys = ['rsa', 'ec'] as const;

beforeAll(async () => {
  bench = await startVolumeBench();
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.crt -days 30 -subj /CN=root');
  writeFileSync(path('ca.cnf'), 'basicConstraints=critical,CA:TRUE\n');
  const issue = (name: string, algorithm: string, issuer: string, extra = '') => {
    openssl(`req -newkey ${algorithm} -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    openssl(
      `x509 -req -in ${name}.csr -CA ${issuer}.crt -CAkey ${issuer}.key -CAcreateserial -days 20 -out ${name}.crt${extra}`,
    );
  };
  issue('middle', 'rsa:2048', 'root', ' -extfile ca.cnf');
  issue('rsa', 'rsa:2048', 'middle');
  issue('ec', 'ec -pkeyopt ec_paramgen_curve:P-256', 'middle');
  // The order that importers often leave: issuers first.
  writeFileSync(path('chain.pem'), readFileSync(path('root.crt'), 'utf8') + readFileSync(path('middle.crt'), 'utf8'));
  const secrets: { name: string; value: string; contentType: string }[] = [];
  const contentType = 'application/x-pkcs12';
  for (const key of keys) {
    for (const [kind, options] of Object.entries(kinds)) {
      const file = `${key}-${kind}.pfx`;
      openssl(
        `pkcs12 -export -inkey ${key}.key -in ${key}.crt -certfile chain.pem ${options} -passout pass: -out ${file}`,
      );
      secrets.push({ name: `${key}-${kind}`, value: readFileSync(path(file)).toString('base64'), contentType });
    }
  }
  const text = (name: string) => readFileSync(path(name), 'utf8');
  issue('koblitz', 'ec -pkeyopt ec_paramgen_curve:secp256k1', 'root');
  secrets.push(
    {
      name: 'pem',
      value: text('chain.pem') + text('rsa.key') + text('rsa.crt'),
      contentType: 'application/x-pem-file',
    },
    { name: 'sec1', value: openssl('ec -in ec.key') + text('ec.crt'), contentType: 'application/x-pem-file' },
    { name: 'koblitz', value: text('koblitz.key') + text('koblitz.crt'), contentType: 'application/x-pem-file' },
    { name: 'plain', value: 'only text', contentType: 'text/plain' },
    { name: 'broken', value: Buffer.from('0\x82\x01\x00 this is no file of any kind').toString('base64'), contentType },
    { name: 'mismatch', value: text('rsa.key') + text('ec.crt'), contentType: 'application/x-pem-file' },
  );
  const self = openssl('req -x509 -newkey rsa:2048 -nodes -keyout self.key -days 30 -subj /CN=self');
  await bench.write({
    secrets,
    keys: [
      { name: 'rsa-key', kty: 'RSA' },
      { name: 'hsm-key', kty: 'RSA-HSM' },
      ...['P-256', 'P-384', 'P-521'].map((crv) => ({ name: `ec-${crv}`, kty: 'EC', crv })),
    ],
    certificates: [
      { name: 'cert-pfx', value: secrets[0]?.value ?? '' },
      { name: 'cert-pem', value: text('rsa.key') + text('rsa.crt') + text('chain.pem'), pem: true },
      { name: 'cert-self', value: text('self.key') + self, pem: true },
    ],
  });
  context = createAzureDeps(bench.azure.env(), { http: { proxy: 'none', ca: bench.azure.caPem } });
  const { clientId, secret } = bench.app;
  const authorizer = clientSecretAuthorizer(
    { tenantId: bench.azure.tenantId, clientId, clientSecret: secret },
    context,
  );
  vault = new KeyVault({ ...context, vault: vaultName, authorizer, presumeTenant: bench.azure.tenantId });
});

afterAll(async () => {
  await context?.close();
  await bench?.[Symbol.asyncDispose]();
});

const mostBytes = 16 * 1024 * 1024;

async function fetchAll(names: string, types: string, formats: string): Promise<FetchedObject[]> {
  const aliases = names
    .split(';')
    .map((_, index) => `f${index}`)
    .join(';');
  const { objects } = readFlexOptions(
    bench.options({
      keyvaultobjectnames: names,
      keyvaultobjecttypes: types,
      keyvaultobjectformats: formats,
      keyvaultobjectaliases: aliases,
    }),
  );
  const deadline = systemClock.monotonic() + 60_000;
  return fetchObjects(objects, mostBytes, { vault, clock: systemClock, signal: AbortSignal.timeout(60_000), deadline });
}

async function fetchOne(name: string, type: string, format: string): Promise<Buffer> {
  const [fetched] = await fetchAll(name, type, format);
  return fetched?.content ?? Buffer.alloc(0);
}

/** Subjects of the certificates in a PEM, in order. */
function subjects(pem: Buffer): string[] {
  const blocks = pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => openssl('x509 -noout -subject -nameopt RFC2253', block).trim());
}

const chainOf = (leaf: string) => [`subject=CN=${leaf}`, 'subject=CN=middle', 'subject=CN=root'];

describe.each(keys)('PKCS#12 with a key of the kind %s', (key) => {
  test.each(Object.keys(kinds))('of the kind %s becomes PKCS#8 and a chain that OpenSSL takes', async (kind) => {
    const pem = await fetchOne(`${key}-${kind}`, 'secret', 'pem');
    expect(pem.toString()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(subjects(pem)).toEqual(chainOf(key));
    const publicKey = openssl('pkey -pubout', pem);
    expect(publicKey).toBe(openssl(`x509 -in ${key}.crt -noout -pubkey`));
    writeFileSync(path('out.pem'), pem);
    expect(openssl('verify -CAfile root.crt -untrusted out.pem out.pem')).toContain('OK');
  });
});

test('pfx is the file itself, which OpenSSL opens', async () => {
  const content = await fetchOne('rsa-rc2-40', 'secret', 'pfx');
  expect(content.equals(readFileSync(path('rsa-rc2-40.pfx')))).toBe(true);
  expect(openssl('pkcs12 -legacy -passin pass: -nodes', content)).toContain('PRIVATE KEY');
});

test.each([
  ['pem', 'rsa'],
  ['sec1', 'ec'],
])('a secret kept as PEM (%s) gets its key first, as PKCS#8, and its chain in order', async (name, key) => {
  const pem = await fetchOne(name, 'secret', 'pem');
  expect(pem.toString()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  expect(subjects(pem)).toEqual(name === 'pem' ? chainOf(key) : [`subject=CN=${key}`]);
});

test('raw is what upstream writes, byte for byte', async () => {
  const [secret, key, cert] = await fetchAll('pem;rsa-key;cert-pfx', 'secret;key;cert', 'raw');
  const text = (name: string) => readFileSync(path(name), 'utf8');
  expect(secret?.content.toString()).toBe(text('chain.pem') + text('rsa.key') + text('rsa.crt'));
  expect(key?.content.toString()).toBe((await vault.getKey('rsa-key')).key['n']);
  expect(cert?.content.toString('base64')).toBe(
    Buffer.from(openssl('x509 -in rsa.crt -outform DER'), 'latin1').toString('base64'),
  );
  expect([secret, key, cert].map((each) => each?.version)).toEqual(
    Array(3).fill(expect.stringMatching(/^[0-9a-f]{32}$/)),
  );
});

test.each(['cert-pfx', 'cert-pem'])('a certificate as pem (%s) has its chain and no key', async (name) => {
  const pem = await fetchOne(name, 'cert', 'pem');
  expect(subjects(pem)).toEqual(chainOf('rsa'));
  expect(pem.toString()).not.toContain('PRIVATE');
});

test('a self-signed certificate needs no read of its secret', async () => {
  bench.azure.journal.clear();
  expect(subjects(await fetchOne('cert-self', 'cert', 'pem'))).toEqual(['subject=CN=self']);
  const paths = bench.azure.journal
    .entries()
    .filter(({ service }) => service === 'vault')
    .map(({ path: asked }) => asked);
  expect(paths).toEqual([expect.stringContaining('/certificates/cert-self')]);
});

test('a certificate as der is the leaf', async () => {
  const der = await fetchOne('cert-pem', 'cert', 'der');
  expect(openssl('x509 -inform DER -noout -subject -nameopt RFC2253', der).trim()).toBe('subject=CN=rsa');
});

describe.each(['rsa-key', 'hsm-key', 'ec-P-256', 'ec-P-384', 'ec-P-521'])('the key %s', (name) => {
  test('as pem and der is a public key that OpenSSL reads, and jwk names the same', async () => {
    const type = name.startsWith('ec') ? 'EC' : 'RSA';
    const [pem, der, jwk] = await fetchAll(`${name};${name};${name}`, 'key;key;key', 'pem;der;jwk');
    expect(pem?.content.toString()).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const fromPem = openssl('pkey -pubin -pubout', pem?.content);
    expect(openssl('pkey -pubin -inform DER -pubout', der?.content)).toBe(fromPem);
    const { key } = await vault.getKey(name);
    const { x, y, n, e, crv } = key;
    expect(JSON.parse(String(jwk?.content))).toEqual({
      kty: type,
      ...(type === 'EC' ? { crv, x, y } : { n, e }),
      kid: expect.stringContaining(`/keys/${name}/`),
    });
  });
});

test.each([
  ['plain', 'secret', 'pem', /neither PEM nor PKCS#12; use raw/],
  ['plain', 'secret', 'pfx', /not as PKCS#12/],
  ['pem', 'secret', 'pfx', /not as PKCS#12/],
  ['broken', 'secret', 'pem', /"broken" cannot be written as pem: it cannot be read/],
  ['mismatch', 'secret', 'pem', /none of its certificates belongs to its private key/],
  ['ec-P-256', 'key', 'raw', /EC has no modulus.*use pem, jwk or der/],
])('%s as %s in %s says why not, and shows nothing of it', async (name, type, format, reason) => {
  const failure = await fetchOne(name, type, format).catch((error: Error) => error);
  expect(failure).toMatchObject({ code: 'AZ_VOLUME_CONTENT', message: expect.stringMatching(reason) });
  expect(String(failure)).not.toMatch(/only text|no file of any kind|BEGIN/);
});

test.each([
  ['secret', 'jwk'],
  ['secret', 'der'],
  ['key', 'pfx'],
  ['cert', 'pfx'],
  ['cert', 'jwk'],
])('a %s has no format %s, which is an error before the first request', (type, format) => {
  const options = { keyvaultobjectnames: 'a', keyvaultobjecttypes: type, keyvaultobjectformats: format };
  expect(() => readFlexOptions(bench.options(options))).toThrow(`the format ${format} of "a" is not one of a ${type}`);
});

test('many objects are read at a limited number at a time', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `many-${index}`);
  await bench.write({ secrets: names.map((name) => ({ name, value: `value of ${name}` })) });
  let now = 0;
  let most = 0;
  const counting = new Proxy(vault, {
    get(target, member) {
      if (member !== 'getSecret') return Reflect.get(target, member, target);
      return async (...args: Parameters<KeyVault['getSecret']>) => {
        most = Math.max(most, ++now);
        try {
          return await target.getSecret(...args);
        } finally {
          now--;
        }
      };
    },
  });
  const types = names.map(() => 'secret').join(';');
  const { objects } = readFlexOptions(
    bench.options({ keyvaultobjectnames: names.join(';'), keyvaultobjecttypes: types }),
  );
  const options = {
    vault: counting,
    clock: systemClock,
    signal: AbortSignal.timeout(60_000),
    deadline: systemClock.monotonic() + 60_000,
  };
  const fetched = await fetchObjects(objects, mostBytes, { ...options, concurrency: 5 });
  expect(fetched.map(({ content }) => content.toString())).toEqual(names.map((name) => `value of ${name}`));
  expect(most).toBe(5);
});

(canMount ? describe : describe.skip)('the executable without an agent', () => {
  const mount = (names: string, types: string, formats: string) => {
    const aliases = names.split(';').map((_, index) => `f${index}`);
    const options = {
      keyvaultobjectnames: names,
      keyvaultobjecttypes: types,
      keyvaultobjectformats: formats,
      keyvaultobjectaliases: aliases.join(';'),
    };
    return bench.kv('mount', bench.volume(`v${aliases.length}`), bench.options(options));
  };

  test('writes the very bytes that the agent sends', async () => {
    const secrets = keys.flatMap((key) => Object.keys(kinds).map((kind) => `${key}-${kind}`));
    const objects = [
      ...[...secrets, 'pem', 'sec1'].map((name) => [name, 'secret', 'pem']),
      ...secrets.map((name) => [name, 'secret', 'pfx']),
      ...['rsa-key', 'hsm-key'].map((name) => [name, 'key', 'raw']),
      ...['rsa-key', 'hsm-key', 'ec-P-256', 'ec-P-384', 'ec-P-521'].flatMap((name) =>
        ['pem', 'der', 'jwk'].map((format) => [name, 'key', format]),
      ),
      ...['cert-pfx', 'cert-pem', 'cert-self'].flatMap((name) =>
        ['raw', 'pem', 'der'].map((format) => [name, 'cert', format]),
      ),
    ];
    const [names = '', types = '', formats = ''] = [0, 1, 2].map((at) => objects.map((one) => one[at]).join(';'));
    expect(await mount(names, types, formats)).toMatchObject({ code: 0, stderr: '', document: { status: 'Success' } });
    const expected = await fetchAll(names, types, formats);
    const files = filesOf(bench.volume(`v${objects.length}`));
    expect(Object.keys(files)).toHaveLength(objects.length);
    for (const [index, { content }] of expected.entries()) {
      expect([objects[index], files[`f${index}`]]).toEqual([objects[index], content.toString('latin1')]);
    }
  });

  test('says that a curve it lacks takes the agent, which has it', async () => {
    expect((await fetchOne('koblitz', 'secret', 'pem')).toString()).toMatch(/PRIVATE KEY[\s\S]+CERTIFICATE/);
    const call = await mount('koblitz', 'secret', 'pem');
    expect(call).toMatchObject({ code: 0, stderr: '' });
    expect(call.document.message).toMatch(/P-256K and RSA-PSS take the node agent/);
  });
});
