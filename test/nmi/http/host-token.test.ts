import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { HostProof } from '../../../runtime/nmi/http/host-token.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('the proof is made for its owner alone, outlives the daemon, and nothing else is accepted', () => {
  const root = mkdtempSync(join(tmpdir(), 'azimuth-proof-'));
  const path = join(root, 'nmi', 'token');
  HostProof.open(path);
  expect([mode(path), mode(join(root, 'nmi'))]).toEqual(['600', '700']);
  const secret = readFileSync(path, 'utf8').trim();
  const again = HostProof.open(path);
  expect(again.accepts(`Bearer ${secret}`)).toBe(true);
  for (const wrong of [
    undefined,
    '',
    secret,
    'Bearer ',
    `Bearer ${secret}x`,
    `Bearer ${secret.slice(1)}`,
    `Basic ${secret}`,
  ])
    expect(again.accepts(wrong)).toBe(false);
  rmSync(root, { recursive: true });
});

test('a proof that others could read is closed to them, and one too short to be one is made anew', () => {
  const root = mkdtempSync(join(tmpdir(), 'azimuth-proof-'));
  const path = join(root, 'token');
  writeFileSync(path, 'x'.repeat(43));
  chmodSync(path, 0o644);
  expect(HostProof.open(path).accepts(`Bearer ${'x'.repeat(43)}`)).toBe(true);
  expect(mode(path)).toBe('600');
  writeFileSync(path, 'short');
  expect(HostProof.open(path).accepts('Bearer short')).toBe(false);
  rmSync(root, { recursive: true });
});
