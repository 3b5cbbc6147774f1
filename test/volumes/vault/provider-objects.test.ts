import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { vaultSecret } from '../../../runtime/azure/key-vault/vault-items.ts';
import type { VolumeObject } from '../../../runtime/volumes/options/volume-spec.ts';
import {
  providerCertificate,
  providerEncoding,
  providerFormat,
  providerSecretFiles,
} from '../../../runtime/volumes/vault/provider-objects.ts';
import { scratch } from '../../fakes/scratch.ts';

// biome-ignore lint/suspicious/noExplicitAny: cases of many shapes
type Case = Record<string, any>;
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
const cases: any = JSON.parse(readFileSync(new URL('../key-vault.json', import.meta.url), 'utf8'));
const rows = (list: unknown) => list as Case[];
const place = scratch();
const text = (name: string) => readFileSync(join(place.path, name), 'utf8');
let pfx: string;

beforeAll(() => {
  const run = (args: string) => spawnSync('openssl', args.split(' '), { cwd: place.path });
  run('req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 3 -subj /CN=self');
  run('pkcs12 -export -inkey k.pem -in c.pem -passout pass: -out c.pfx');
  pfx = readFileSync(join(place.path, 'c.pfx')).toString('base64');
});
afterAll(() => place.remove());

test.each(rows(cases.objectFormat.cases))('objectFormat "$format" of a $type', ({ format, type, err }) => {
  if (err) expect(() => providerFormat(format, type)).toThrow(err);
  else expect(providerFormat(format, type)).toBe(format.toLowerCase() || 'pem');
});

test('PFX is refused for a certificate in any case', () => {
  expect(() => providerFormat('PFX', 'cert')).toThrow(/only supported for objectType: secret/);
});

test.each(rows(cases.objectEncoding.cases))('objectEncoding "$encoding" of a $type', ({ encoding, type, err }) => {
  if (err) expect(() => providerEncoding(encoding, type)).toThrow(err);
  else expect(providerEncoding(encoding, type)).toBe(encoding.toLowerCase() || 'utf-8');
});

const request: VolumeObject = {
  name: 'secret1',
  type: 'secret',
  version: '',
  file: 'secret1',
  format: 'raw',
  encoding: 'utf-8',
};

test.each(rows(cases.getSecret.cases).filter(({ kvError }) => !kvError))('getSecret: %j', async (row) => {
  const values: Record<string, string> = { 'application/x-pem-file': 'cert+key', 'application/x-pkcs12': pfx };
  const value = row['value'] === undefined ? (values[row['contentType']] ?? '') : row['value'];
  const id = row['id'] === undefined ? cases.getSecret.id : row['id'];
  const bundle = {
    value,
    id,
    contentType: row['contentType'],
    ...(row['kid'] && { kid: 'https://test/keys/secret1/v1' }),
  };
  const read = async () => {
    const secret = vaultSecret(bundle);
    return {
      secret,
      files: await providerSecretFiles(request, secret, row['objectFormat'] ?? 'pem', row['separateFiles']),
    };
  };
  if (row['err']) {
    await expect(read()).rejects.toThrow(row['err'] === true ? /cannot be (written|read)|without a value/ : row['err']);
    return;
  }
  const { secret, files } = await read();
  const contents: Record<string, string> = {
    'as is': value,
    'base64 as is': value,
    secret1value: 'secret1value',
    cert: text('c.pem'),
    key: text('k.pem'),
    'key+cert PEM': text('k.pem') + text('c.pem'),
    'key+cert': text('k.pem') + text('c.pem'),
  };
  expect(files.map(({ suffix, content }) => [suffix, content.toString()])).toEqual(
    row['files'].map(({ suffix, content }: Case) => [suffix, contents[content]]),
  );
  for (const { version } of row['files']) if (version) expect(secret.version).toBe(version);
});

test('a certificate is its leaf as PEM', () => {
  const der = Buffer.from(text('c.pem').replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const item = vaultSecret({ value: '', id: cases.getSecret.id });
  const certificate = {
    ...item,
    certificate: der,
    thumbprint: undefined,
    keyId: undefined,
    secretId: undefined,
    policy: {},
  };
  expect(providerCertificate(certificate).toString()).toBe(text('c.pem'));
});
