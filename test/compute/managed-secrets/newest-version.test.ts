/** The version in use is the newest one of its vault where readers name no version, such as the Key Vault extension. */
import { expect, test } from '@jest/globals';
import type { SecretSituation, VaultReading } from '../../../runtime/compute/managed-secrets/plan.ts';
import {
  isNewestUnclear,
  type ListedVersion,
  observe,
  tagsOf,
  versionTags,
} from '../../../runtime/compute/managed-secrets/vault-tags.ts';
import { day, situation, start, steps, version } from './support.ts';

const former = version(1, start - 30 * day);
const bad = version(2, start);
const vault = (latest: number | undefined, more: object = {}): VaultReading => ({
  state: 'Ours',
  versions: [bad, { ...former, ...more }],
  ...(latest !== undefined && { latest }),
});
const read = (more: Partial<SecretSituation>) =>
  steps(situation({ home: vault(2), now: start + day / 2, mayRepeat: () => true, ...more }));

test('a pinned version is written again where another one is the newest of its vault, and only there', () => {
  const regions = new Map([
    ['northeurope', vault(2)],
    ['westeurope', vault(1)],
  ]);
  expect(read({ regions, pinned: 1 })).toEqual(['repeat 1 home', 'repeat 1 northeurope']);
  expect(read({ regions })).toEqual(['repeat 2 westeurope']);
  expect(read({ regions: new Map([['westeurope', vault(undefined)]]), home: vault(1), pinned: 1 })).toEqual([
    'repeat 1 westeurope',
  ]);
  expect(read({ regions, pinned: 1, mayRepeat: undefined })).toEqual([]);
  const mayRepeat = (location: string, number: number) => location === 'home' && number === 1;
  expect(read({ regions, pinned: 1, mayRepeat })).toEqual(['repeat 1 home']);
});

test('a region that lacks the version gets one copy, which is the newest there', () => {
  const regions = new Map<string, VaultReading>([['northeurope', { state: 'Ours', versions: [bad], latest: 2 }]]);
  expect(read({ regions, home: vault(1), pinned: 1 })).toEqual(['copy 1 northeurope']);
});

test('a rollout has each vault keep the version of its region as the newest one', () => {
  const numberAt = (location: string) => (location === 'northeurope' ? 2 : 1);
  const rollout = { numberAt, numbers: new Set([1, 2]), at: start };
  const regions = new Map([['northeurope', vault(2)]]);
  expect(read({ regions, rollout })).toEqual(['repeat 1 home']);
  expect(read({ regions, rollout: { ...rollout, numberAt: () => 2 }, home: vault(1) })).toEqual(['repeat 2 home']);
});

test('a former version stays enabled while it is the newest one of its vault', () => {
  const over = start + 30 * day;
  const rotation = { expires: false, overlap: day };
  expect(read({ rotation, now: over, home: vault(1), mayRepeat: () => false })).toEqual([]);
  expect(read({ rotation, now: over, home: vault(1) })).toEqual(['repeat 2 home']);
  expect(read({ rotation, now: over })).toEqual(['disable 1 home']);
});

const owner = { namespace: 'shop', name: 'web', uid: 'u1' };
const id = (text: string) => text.padStart(32, '0');
const thumbprint = Buffer.alloc(20, 7).toString('base64url');
const item = (ofId: string, number: number, created: number, more: object = {}): ListedVersion => ({
  version: id(ofId),
  enabled: true,
  created,
  expires: undefined,
  tags: tagsOf(owner, { number, created: start }),
  thumbprint,
  ...more,
});
const repeat = (ofId: string, original: string, created: number, more: object = {}) =>
  item(ofId, 1, created, {
    tags: { ...tagsOf(owner, { number: 1, created: start }), [versionTags.repeats]: id(original) },
    ...more,
  });
const other = { thumbprint: Buffer.alloc(20, 9).toString('base64url') };

test('a version that repeats another one takes neither its place nor a number, and is the latest', () => {
  const found = observe(owner, [repeat('c', 'a', 9000), item('a', 1, 1000), item('b', 2, 5000, other)]);
  expect(found).toMatchObject({
    latest: 1,
    versions: [{ number: 2 }, { number: 1, version: id('a'), repeats: [id('c')] }],
  });
  expect(observe(owner, [item('a', 1, 1000), item('b', 2, 5000, other)])).toMatchObject({ latest: 2 });
});

test('a repeat that is disabled, has another value or number, or whose original is not there makes nothing the latest', () => {
  const versions = [item('a', 1, 1000), item('b', 2, 5000, other)];
  for (const last of [
    repeat('c', 'a', 9000, { enabled: false }),
    repeat('c', 'a', 9000, other),
    repeat('c', 'b', 9000),
    repeat('c', 'd', 9000),
  ]) {
    const found = observe(owner, [...versions, last]);
    expect(found).toMatchObject({ versions: [{ number: 2 }, { number: 1, version: id('a') }] });
    expect(found).not.toHaveProperty('latest');
    expect(JSON.stringify(found)).not.toContain('repeats');
  }
  expect(observe(owner, [repeat('c', 'a', 9000)])).toEqual({ state: 'Ours', versions: [] });
});

test('of two versions of one second the vault says which is the newest', () => {
  const versions = [repeat('c', 'a', 9000), item('a', 1, 1000), item('b', 2, 9000, other)];
  expect(isNewestUnclear(versions)).toBe(true);
  expect(isNewestUnclear(versions.slice(0, 2))).toBe(false);
  expect(isNewestUnclear([])).toBe(false);
  expect(observe(owner, versions, id('c'))).toMatchObject({ latest: 1 });
  expect(observe(owner, versions, id('b'))).toMatchObject({ latest: 2 });
});
