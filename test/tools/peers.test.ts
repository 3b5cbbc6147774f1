import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { buildPeer } from '../../tools/judges/peers.ts';
import { figureOf, type Pair } from '../bench/peers/pairs.ts';

const { PATH: path, AZIMUTH_JUDGES: judges } = process.env;
const directory = mkdtempSync(join(tmpdir(), 'azimuth-test-'));
afterEach(() => {
  process.env['PATH'] = path;
  if (judges === undefined) delete process.env['AZIMUTH_JUDGES'];
  else process.env['AZIMUTH_JUDGES'] = judges;
  rmSync(directory, { recursive: true, force: true });
});

const row = (...pairs: Pair[]) => ({ what: 'CPU', unit: 'us', pairs });

test.each([
  [100, true],
  [109, true],
  [111, false],
])('%i beside 100 of the peer: ok is %s', (ours, ok) => {
  expect(figureOf(row({ ours, theirs: 100 }))).toMatchObject({ ours: `${ours} us`, theirs: '100 us', ok });
});

test('the ratio is the median of the pairs, not the ratio of the medians', () => {
  const pairs = [row({ ours: 1, theirs: 2 }, { ours: 30, theirs: 20 }, { ours: 4, theirs: 10 })];
  expect(pairs.map(figureOf)).toMatchObject([{ ours: '4 us', theirs: '10 us', ratio: 2, ok: true }]);
});

test('no request is never behind', () => {
  expect(figureOf(row({ ours: 0, theirs: 0 })).ok).toBe(true);
});

test('a goal of our own takes the place of the peer', () => {
  const goal = { text: 'at most 65 MB', most: 65 };
  expect(figureOf({ ...row({ ours: 60, theirs: 20 }), goal })).toMatchObject({ goal: 'at most 65 MB', ok: true });
  expect(figureOf({ ...row({ ours: 66, theirs: 20 }), goal }).ok).toBe(false);
});

test('without Go a peer names Go', () => {
  process.env['AZIMUTH_JUDGES'] = directory;
  process.env['PATH'] = directory;
  expect(() => buildPeer('nmi')).toThrow(/needs Go, .*ENOENT/);
});
