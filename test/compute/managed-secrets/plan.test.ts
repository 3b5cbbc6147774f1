import { expect, test } from '@jest/globals';
import { copyState } from '../../../runtime/compute/managed-secrets/copy-state.ts';
import {
  home,
  planSecret,
  type SecretSituation,
  type VaultReading,
} from '../../../runtime/compute/managed-secrets/plan.ts';
import { observe, ownerTag, tagsOf, vaultSecretName } from '../../../runtime/compute/managed-secrets/vault-tags.ts';
import { day, hour, ours, situation, start, steps as stepsOf, version } from './support.ts';

const owner = { namespace: 'shop', name: 'web', uid: 'u1' };
const steps = (more: Partial<SecretSituation>) => stepsOf(situation(more));

test('the first version is generated, then copied to each region that lacks it', () => {
  const regions = new Map<string, VaultReading>([
    ['westeurope', { state: 'Absent' }],
    ['northeurope', ours(version(1, start))],
  ]);
  expect(steps({ regions })).toEqual(['generate 1']);
  expect(steps({ regions, home: ours(version(1, start)) })).toEqual(['copy 1 westeurope']);
});

test('a renewal that is due is done once, however long nobody ran', () => {
  const old = ours(version(4, start));
  expect(steps({ home: old, now: start + 22 * day })).toEqual([]);
  expect(steps({ home: old, now: start + 25 * day })).toEqual(['generate 5']);
  expect(steps({ home: old, now: start + 400 * day })).toEqual(['generate 5']);
  expect(
    steps({ home: ours(version(5, start + 400 * day), version(4, start)), now: start + 400 * day + hour }),
  ).toEqual([]);
});

test('a certificate is renewed before its end, and a person may ask for it earlier', () => {
  const rotation = { expires: true, overlap: day };
  const atHome = ours(version(1, start, { expires: start + 90 * day }));
  expect(steps({ home: atHome, rotation, now: start + 53 * day })).toEqual([]);
  expect(steps({ home: atHome, rotation, now: start + 60 * day })).toEqual(['generate 2']);
  expect(steps({ home: atHome, rotation, renewNow: true })).toEqual(['generate 2']);
});

test('the version before is disabled after its overlap, when every region has the new one and no machine names it', () => {
  const both = ours(version(2, start), version(1, start - 30 * day));
  const now = start + day;
  const regions = new Map([['westeurope', both]]);
  expect(planSecret(situation({ home: both, regions, now: start + hour })).nextDisable).toBe(start + day);
  expect(steps({ home: both, regions, now: start + hour })).toEqual([]);
  expect(steps({ home: both, regions, now })).toEqual([`disable 1 ${home}`, 'disable 1 westeurope']);
  expect(steps({ home: both, regions, now, inUse: new Set([1]) })).toEqual([]);
  const behind = new Map([['westeurope', ours(version(1, start - 30 * day))]]);
  expect(steps({ home: both, regions: behind, now })).toEqual(['copy 2 westeurope']);
});

test('a region that is away delays nothing but its own copy, and keeps old versions enabled', () => {
  const both = ours(version(2, start), version(1, start - 30 * day));
  const regions = new Map<string, VaultReading>([
    ['a', { state: 'Unreachable', message: 'timeout' }],
    ['b', { state: 'Absent' }],
  ]);
  expect(steps({ home: both, regions, now: start + 2 * day })).toEqual(['copy 2 b']);
});

test('without the home vault nothing is generated, copied or disabled', () => {
  const away = { state: 'Unreachable', message: 'timeout' } as const;
  expect(steps({ home: away, regions: new Map([['b', { state: 'Absent' }]]), now: start + 400 * day })).toEqual([]);
});

test('a copy with another value, or one that somebody disabled, is written again', () => {
  const atHome = ours(version(1, start));
  const other = ours(version(1, start, { hash: 'f'.repeat(16) }));
  const disabled = ours(version(1, start, { enabled: false }));
  expect(
    steps({
      home: atHome,
      regions: new Map([
        ['a', other],
        ['b', disabled],
      ]),
    }),
  ).toEqual(['copy 1 a', 'copy 1 b']);
});

test('when somebody disabled every version, a new number is generated and none is used twice', () => {
  expect(steps({ home: ours(version(3, start, { enabled: false })) })).toEqual(['generate 4']);
});

test('a copy is stale while it is behind, and expired after maxStaleness', () => {
  const current = version(2, start);
  const at = (now: number) => ({ now, syncedAt: start, maxStaleness: 7 * day });
  expect(copyState(ours(current), current, at(start)).state).toBe('Current');
  const behind = ours(version(1, start - day));
  expect(copyState(behind, current, at(start + 6 * day))).toMatchObject({
    state: 'Stale',
    version: { number: 1 },
    age: 6 * day,
  });
  expect(copyState(behind, current, at(start + 8 * day)).state).toBe('Expired');
  expect(copyState({ state: 'Unreachable', message: 'x' }, current, at(start + hour)).state).toBe('Stale');
  expect(copyState({ state: 'Absent' }, current, { now: start, syncedAt: undefined, maxStaleness: day }).state).toBe(
    'Expired',
  );
});

test('versions are read from tags, the newer of two writes of one number counts, and broken tags count for nothing', () => {
  const item = (number: number, created: number, more: object = {}) => ({
    version: `${created}`.padStart(32, '0'),
    enabled: true,
    created,
    expires: undefined,
    tags: tagsOf(owner, { number, hash: 'a'.repeat(16), created: start }),
    ...more,
  });
  const found = observe(owner, [
    item(1, 5),
    item(1, 9),
    item(2, 7, { tags: { ...tagsOf(owner, version(2, start)), 'azimuth-version': '1e3' } }),
  ]);
  expect(found).toMatchObject({
    state: 'Ours',
    versions: [{ number: 1, version: '9'.padStart(32, '0'), created: start }],
  });
});

test('a number that no counting reaches makes a secret foreign, as no version could follow it', () => {
  const tags = tagsOf(owner, version(999_999_999, start));
  const listed = { version: 'a'.repeat(32), enabled: true, created: 1, expires: undefined };
  expect(observe(owner, [{ ...listed, tags }])).toEqual({ state: 'Foreign', owner: 'shop/web/u1' });
});

test('a version from a year beyond 9999 counts as one without a time', () => {
  const tags = { ...tagsOf(owner, version(1, start)), 'azimuth-created': '+275760-09-13T00:00:00.000Z' };
  const listed = { version: 'a'.repeat(32), enabled: true, created: 1, expires: undefined };
  expect(observe(owner, [{ ...listed, tags }])).toEqual({ state: 'Ours', versions: [] });
});

test('a certificate whose CA is about to end is not renewed again and again', () => {
  const rotation = { expires: true, overlap: 0 };
  const leaf = (minutes: number) => ours(version(2, start, { expires: start + minutes * 60_000 }));
  expect(steps({ rotation, home: leaf(30), now: start + 29 * 60_000 })).toEqual([]);
  expect(steps({ rotation, home: leaf(30), now: start + hour })).toEqual(['generate 3']);
  expect(steps({ rotation, home: leaf(180), now: start + 2 * hour })).toEqual(['generate 3']);
});

test('a secret of another object, or of none, is foreign whatever its versions are', () => {
  const tags = tagsOf({ ...owner, uid: 'u2' }, version(1, start));
  const listed = { version: 'a', enabled: true, created: 1, expires: undefined };
  expect(observe(owner, [{ ...listed, tags }])).toEqual({ state: 'Foreign', owner: 'shop/web/u2' });
  expect(observe(owner, [{ ...listed, tags: {} }])).toEqual({ state: 'Foreign' });
  expect(observe(owner, [])).toEqual({ state: 'Absent' });
  expect(ownerTag(owner)).toBe('shop/web/u1');
});

test('default names of different objects differ, and fit the names of Key Vault', () => {
  const names = [
    vaultSecretName({ namespace: 'a-b', name: 'c' }),
    vaultSecretName({ namespace: 'a', name: 'b-c' }),
    vaultSecretName({ namespace: 'n'.repeat(63), name: `${'x'.repeat(200)}.y` }),
  ];
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[0-9A-Za-z-]{1,127}$/);
  expect(vaultSecretName(owner, 'own')).toBe('own');
});
