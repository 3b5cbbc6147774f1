import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { vaultSecret } from '../../../runtime/azure/key-vault/vault-items.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { readKeyAndChain } from '../../../runtime/volumes/vault/key-and-chain.ts';
import { providerSecretFiles } from '../../../runtime/volumes/vault/provider-objects.ts';
import { scratch } from '../../fakes/scratch.ts';

const place = scratch();
const text = (name: string) => readFileSync(join(place.path, name), 'utf8');
const openssl = (args: string) => {
  const { status, stderr } = spawnSync('openssl', args.split(' '), { cwd: place.path, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
let leaf: string;
let issuer: string;
let root: string;
let key: string;

/** A chain of three, made by OpenSSL. */
beforeAll(() => {
  writeFileSync(join(place.path, 'ca.cnf'), 'basicConstraints=CA:TRUE\nsubjectKeyIdentifier=hash\n');
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 3 -subj /CN=root');
  for (const [name, by] of [
    ['issuer', 'root'],
    ['leaf', 'issuer'],
  ]) {
    openssl(`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    const extensions = name === 'issuer' ? ' -extfile ca.cnf' : '';
    openssl(`x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -days 3 -out ${name}.pem${extensions}`);
  }
  [leaf, issuer, root, key] = [text('leaf.pem'), text('issuer.pem'), text('root.pem'), text('leaf.key')];
});
afterAll(() => place.remove());

const request = { name: 'web', type: 'secret', version: '', file: 'web', format: 'raw', encoding: 'utf-8' } as const;
async function file(value: string, contentType: string, format: 'pem' | 'pfx' = 'pem', read = readKeyAndChain) {
  const id = 'https://shop.vault.azure.net/secrets/web/v1';
  const secret = vaultSecret({ value, id, contentType, kid: 'https://shop.vault.azure.net/keys/web/v1' });
  const [only] = await providerSecretFiles(request, secret, format, false, read);
  return only?.content.toString();
}
const stored = (value: string, format?: 'pem' | 'pfx') => file(value, 'application/x-pem-file', format);

test('PKCS#12 becomes the key, the leaf, its issuer and the root, as the Azure provider writes it', async () => {
  writeFileSync(join(place.path, 'others.pem'), root + issuer);
  openssl('pkcs12 -export -inkey leaf.key -in leaf.pem -certfile others.pem -passout pass: -out web.pfx');
  const pfx = readFileSync(join(place.path, 'web.pfx')).toString('base64');
  expect(await file(pfx, 'application/x-pkcs12')).toBe(key + leaf + issuer + root);
});

test.each([
  ['the root first', () => root + issuer + leaf + key],
  ['the issuer before the leaf, after the key', () => key + issuer + leaf + root],
  ['the root before the issuer', () => key + leaf + root + issuer],
])('PEM that the vault keeps with %s gets the same order', async (_name, value) => {
  expect(await stored(value())).toBe(key + leaf + issuer + root);
});

test.each([
  ['the leaf first and the key last', () => leaf + issuer + root + key],
  ['lines of Windows', () => (key + leaf + issuer).replaceAll('\n', '\r\n')],
  ['one certificate and comments', () => `Bag Attributes\n${leaf}${key}`],
  ['a key of another certificate', () => text('root.key') + issuer + leaf],
])('PEM with %s stays as it is stored', async (_name, value) => {
  expect(await stored(value())).toBe(value());
});

test('PEM stays as it is stored where the class asks for PFX', async () => {
  expect(await stored(root + issuer + leaf + key, 'pfx')).toBe(root + issuer + leaf + key);
});

test('a reader that cannot start is an error, and no file in the wrong order', async () => {
  const broken = () => Promise.reject(new AzimuthError('AZ_VOLUME_AGENT', 'no process'));
  const value = root + issuer + leaf + key;
  await expect(file(value, 'application/x-pem-file', 'pem', broken)).rejects.toThrow('no process');
});
