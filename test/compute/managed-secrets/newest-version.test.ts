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
  steps(situation({ home: vault(2), now: start + day / 2, mayReimport: () => true, ...more }));

test('a pinned version is written again where another one is the newest of its vault, and only there', () => {
  const regions = new Map([
    ['northeurope', vault(2)],
    ['westeurope', vault(1)],
  ]);
  expect(read({ regions, pinned: 1 })).toEqual(['reimport 1 home', 'reimport 1 northeurope']);
  expect(read({ regions })).toEqual(['reimport 2 westeurope']);
  expect(read({ regions: new Map([['westeurope', vault(undefined)]]), home: vault(1), pinned: 1 })).toEqual([
    'reimport 1 westeurope',
  ]);
  expect(read({ regions, pinned: 1, mayReimport: undefined })).toEqual([]);
  const mayReimport = (location: string, number: number) => location === 'home' && number === 1;
  expect(read({ regions, pinned: 1, mayReimport })).toEqual(['reimport 1 home']);
});

test('a region that lacks the version gets one copy, which is the newest there', () => {
  const regions = new Map<string, VaultReading>([['northeurope', { state: 'Ours', versions: [bad], latest: 2 }]]);
  expect(read({ regions, home: vault(1), pinned: 1 })).toEqual(['copy 1 northeurope']);
});

test('a rollout has each vault keep the version of its region as the newest one', () => {
  const numberAt = (location: string) => (location === 'northeurope' ? 2 : 1);
  const rollout = { numberAt, numbers: new Set([1, 2]), at: start };
  const regions = new Map([['northeurope', vault(2)]]);
  expect(read({ regions, rollout })).toEqual(['reimport 1 home']);
  expect(read({ regions, rollout: { ...rollout, numberAt: () => 2 }, home: vault(1) })).toEqual(['reimport 2 home']);
});

test('a former version stays enabled while it is the newest one of its vault', () => {
  const over = start + 30 * day;
  const rotation = { expires: false, overlap: day };
  expect(read({ rotation, now: over, home: vault(1), mayReimport: () => false })).toEqual([]);
  expect(read({ rotation, now: over, home: vault(1) })).toEqual(['reimport 2 home']);
  expect(read({ rotation, now: over })).toEqual(['disable 1 home']);
});

test('the reimports of a version that somebody disabled are disabled at once', () => {
  const revoked = vault(2, { enabled: false, reimports: ['c'] });
  expect(read({ home: revoked })).toEqual(['disable 1 home']);
  expect(read({ home: vault(2, { enabled: false }) })).toEqual([]);
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
const reimport = (ofId: string, original: string, created: number, more: object = {}) =>
  item(ofId, 1, created, {
    tags: { ...tagsOf(owner, { number: 1, created: start }), [versionTags.reimportOf]: id(original) },
    ...more,
  });
const other = { thumbprint: Buffer.alloc(20, 9).toString('base64url') };

test('a reimport is the newest of its vault, and its original keeps number and id', () => {
  const found = observe(owner, [reimport('c', 'a', 9000), item('a', 1, 1000), item('b', 2, 5000, other)]);
  expect(found).toMatchObject({
    latest: 1,
    versions: [{ number: 2 }, { number: 1, version: id('a'), reimports: [id('c')] }],
  });
  expect(observe(owner, [item('a', 1, 1000), item('b', 2, 5000, other)])).toMatchObject({ latest: 2 });
});

test('a reimport counts only while enabled, with the number and value of its original', () => {
  const versions = [item('a', 1, 1000), item('b', 2, 5000, other)];
  for (const last of [reimport('c', 'a', 9000, { enabled: false }), reimport('c', 'a', 9000, other)]) {
    const found = observe(owner, [...versions, last]);
    expect(found).toMatchObject({ versions: [{ number: 2 }, { number: 1, version: id('a') }] });
    expect(found).not.toHaveProperty('latest');
    expect(JSON.stringify(found)).not.toContain('reimports');
  }
  expect(observe(owner, [reimport('c', 'a', 9000)])).toEqual({ state: 'Ours', versions: [] });
});

test('the vault says which of two versions of one second is the newest, and where there is a reimport', () => {
  const versions = [reimport('c', 'a', 9000), item('a', 1, 1000), item('b', 2, 9000, other)];
  expect(isNewestUnclear(versions)).toBe(true);
  expect(isNewestUnclear(versions.slice(0, 2))).toBe(true);
  expect(isNewestUnclear(versions.slice(1))).toBe(false);
  expect(isNewestUnclear([])).toBe(false);
  expect(observe(owner, versions, id('c'))).toMatchObject({ latest: 1 });
  expect(observe(owner, versions, id('b'))).toMatchObject({ latest: 2 });
});

test('a reimport belongs to its number and value where the original was disabled and copied again', () => {
  const versions = [
    item('d', 1, 9500),
    reimport('c', 'a', 9000),
    item('b', 2, 5000, other),
    item('a', 1, 1000, { enabled: false }),
  ];
  expect(observe(owner, versions)).toMatchObject({
    versions: [{ number: 2 }, { number: 1, version: id('d'), reimports: [id('c')] }],
  });
});
