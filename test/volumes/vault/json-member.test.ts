import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { providerFiles } from '../../../runtime/volumes/csi/provider-files.ts';
import { readProviderObjects } from '../../../runtime/volumes/csi/provider-object.ts';
import { readFlexOptions } from '../../../runtime/volumes/options/flex-options.ts';
import { fetchObjects } from '../../../runtime/volumes/vault/fetch.ts';

const document = {
  user: 'app',
  'a.b': 'dotted',
  'x/y': { '~z': 'escaped' },
  db: { password: 'p"w\n', port: 5432, tls: true, hosts: ['one', 'two'] },
  key: Buffer.from('bytes').toString('base64'),
  nothing: null,
};

/** The text of each file of these objects, read from a vault whose only secret has `value`. */
async function files(objects: readonly string[], value = JSON.stringify(document)) {
  const vault = {
    getSecret: async (name: string) => ({ id: 'i', name, version: 'v1', value, keyId: undefined }),
  } as unknown as KeyVault;
  const text = `array:\n${objects.map((each) => `- |\n${each.replaceAll(/^/gm, '    ')}\n`).join('')}`;
  const read = await readProviderObjects(text, 0o644);
  const options = { vault, clock: systemClock, signal: new AbortController().signal, deadline: Infinity };
  const answer = await providerFiles(read, { ...options, separate: false });
  return Object.fromEntries(answer.files.map(({ path, contents }) => [path, contents.toString()]));
}
const object = (key: string, more = '') =>
  `objectName: shop\nobjectType: secret\nobjectAlias: file\nobjectJsonKey: ${JSON.stringify(key)}${more}`;
const fileOf = async (key: string, more = '') => (await files([object(key, more)]))['file'];

test.each([
  ['user', 'app'],
  ['a.b', 'dotted'],
  ['/x~1y/~0z', 'escaped'],
  ['/db/password', 'p"w\n'],
  ['/db/port', '5432'],
  ['/db/tls', 'true'],
  ['/db/hosts/1', 'two'],
  ['/db/hosts', '["one","two"]'],
])('the key %s of a secret is a file', async (key, expected) => {
  expect(await fileOf(key)).toBe(expected);
});

test('members of one secret are files beside each other, and beside the whole', async () => {
  const whole = 'objectName: shop\nobjectType: secret';
  const user = `${whole}\nobjectAlias: user\nobjectJsonKey: user`;
  expect(await files([whole, user])).toEqual({ shop: JSON.stringify(document), user: 'app' });
});

test('the encoding counts for the member', async () => {
  expect(await fileOf('key', '\nobjectEncoding: base64')).toBe('bytes');
});

test.each([
  'none',
  'db.password',
  '/db/none',
  '/db/hosts/2',
  '/db/hosts/length',
  'constructor',
  '__proto__',
  '/nothing',
])('the key %s is not there, and the error names it and no value', async (key) => {
  const error = await fileOf(key).catch((thrown: Error) => thrown);
  expect(String(error)).toContain(
    `objectName:shop, objectVersion:: The secret "shop" has no text for the JSON key "${key}"`,
  );
  expect(String(error)).not.toMatch(/app|dotted|5432/);
});

test.each([
  ['no JSON', 'hidden-value'],
  ['half of a document', '{"user": "hidden-value'],
  ['lists in lists', `${'['.repeat(50_000)}hidden-value`],
  ['a number that is not exact', '{"user": 12345678901234567890}'],
  ['too many characters', JSON.stringify({ user: 'hidden-value'.repeat(6000) })],
])('a secret with %s is an error without its text', async (_name, value) => {
  const error = await files([object('user')], value).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: 'AZ_VOLUME_CONTENT' });
  expect(`${error} ${(error as Error).cause}`).not.toMatch(/hidden|123456/);
});

test.each([
  ['a key', object('user').replace('secret', 'key'), 'objectJsonKey is for objectType: secret'],
  ['PFX', object('user', '\nobjectFormat: pfx'), 'objectJsonKey is for objectType: secret'],
  ['a bad pointer', object('/a~2'), 'objectJsonKey is no JSON Pointer'],
  ['a long name', object('a'.repeat(257)), 'objectJsonKey has more than 256 characters'],
])('objectJsonKey of %s is refused', async (_name, text, message) => {
  await expect(files([text])).rejects.toThrow(message);
});

const flex = (options: Record<string, string>) =>
  readFlexOptions(
    JSON.stringify({
      tenantid: 'contoso.com',
      keyvaultname: 'contoso',
      keyvaultobjectnames: 'shop;shop;shop',
      keyvaultobjecttypes: 'secret;secret;secret',
      keyvaultobjectaliases: 'whole;user;password',
      usevmmanagedidentity: 'true',
      ...options,
    }),
  );

test('a FlexVolume writes members of one secret, which it reads once, beside the whole', async () => {
  let reads = 0;
  const vault = {
    getSecret: async (name: string) => {
      reads++;
      return { id: 'i', name, version: 'v1', value: JSON.stringify(document), keyId: undefined };
    },
  } as unknown as KeyVault;
  const { objects } = flex({ keyvaultobjectjsonkeys: ';user;/db/password' });
  const options = { vault, clock: systemClock, signal: new AbortController().signal, deadline: Infinity };
  const fetched = await fetchObjects(objects, 1_000_000, options);
  expect(fetched.map(({ request, content }) => [request.file, content.toString()])).toEqual([
    ['whole', JSON.stringify(document)],
    ['user', 'app'],
    ['password', 'p"w\n'],
  ]);
  expect(reads).toBe(1);
});

test.each([
  [{ keyvaultobjectjsonkeys: 'user' }, 'keyvaultobjectjsonkeys has 1 value for 3 names'],
  [{ keyvaultobjectjsonkeys: ';/a~2;' }, 'the key of "shop" in keyvaultobjectjsonkeys is no JSON Pointer'],
  [
    { keyvaultobjectjsonkeys: 'user;;', keyvaultobjecttypes: 'key;secret;secret' },
    'the key of "shop" in keyvaultobjectjsonkeys is for a secret in the format raw',
  ],
  [{ keyvaultobjectjsonkeys: 'user;;', keyvaultobjectformats: 'pem' }, 'is for a secret in the format raw'],
])('a FlexVolume with %j is refused', (options, message) => {
  expect(() => flex(options)).toThrow(message);
});
