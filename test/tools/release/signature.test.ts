import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { writeSignature } from '../../../tools/release/signature.ts';
import { scratch } from '../../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());

const pem = { type: 'pkcs8', format: 'pem' } as const;
const keyFile = files.write(
  'key.pem',
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem) as string,
);

test('OpenSSL accepts the signature of the checksums, and refuses it for others', () => {
  const sums = files.write('release/SHA256SUMS', 'a  b\n');
  const folder = join(files.path, 'release');
  writeSignature(folder, keyFile);
  const binary = join(files.path, 'signature');
  writeFileSync(binary, Buffer.from(readFileSync(join(folder, 'SHA256SUMS.sig'), 'utf8'), 'base64'));
  const args = ['dgst', '-sha256', '-verify', join(folder, 'SHA256SUMS.pub'), '-signature', binary, sums];
  expect(spawnSync('openssl', args, { encoding: 'utf8' }).stdout).toBe('Verified OK\n');
  writeFileSync(sums, 'c  b\n');
  expect(spawnSync('openssl', args).status).toBe(1);
});

test('a key of another kind is refused, by the name of its file', () => {
  const rsa = files.write(
    'rsa.pem',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem) as string,
  );
  expect(() => writeSignature(files.path, rsa)).toThrow(
    `Expected ${rsa} to have a private key of the curve P-256, got rsa`,
  );
});
