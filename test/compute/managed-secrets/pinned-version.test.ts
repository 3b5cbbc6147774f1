import { expect, test } from '@jest/globals';
import { copyState } from '../../../runtime/compute/managed-secrets/copy-state.ts';
import { planSecret, type SecretSituation } from '../../../runtime/compute/managed-secrets/plan.ts';
import { pinProblem } from '../../../runtime/compute/managed-secrets/version-in-use.ts';
import { day, ours, situation, start, steps, version } from './support.ts';

const old = version(1, start - 30 * day);
const bad = version(2, start);
const both = ours(bad, old);
const pinned = (more: Partial<SecretSituation>) => situation({ home: both, pinned: 1, now: start + day, ...more });

test('a pin to a former version brings it to each region, and disables neither it nor the newer one', () => {
  const regions = new Map([
    ['westeurope', both],
    ['northeurope', ours(bad)],
  ]);
  expect(steps(pinned({ regions }))).toEqual(['copy 1 northeurope']);
  expect(planSecret(pinned({ regions }))).toMatchObject({ current: { number: 1 }, newest: { number: 2 } });
  expect(steps(pinned({ regions: new Map([['westeurope', both]]), now: start + 3 * day }))).toEqual([]);
});

test('while a version is pinned, time makes no new version and a person does', () => {
  const late = pinned({ now: start + 90 * day });
  expect(steps(late)).toEqual([]);
  expect(planSecret(late)).toMatchObject({ nextRenewal: undefined, pausedRenewal: expect.any(Number) });
  expect(planSecret(late).pausedRenewal).toBeLessThan(start + 90 * day);
  expect(steps({ ...late, renewNow: true })).toEqual(['generate 3']);
  expect(steps({ ...late, pinned: undefined })).toEqual(['generate 3']);
  expect(steps(pinned({ home: { state: 'Absent' } }))).toEqual(['generate 1']);
});

test('the paused renewal of a pinned certificate is the one before its own end', () => {
  const ending = version(1, start - 80 * day, { expires: start + 10 * day });
  const fresh = version(2, start, { expires: start + 90 * day });
  const rotation = { expires: true, overlap: day };
  expect(planSecret(pinned({ home: ours(fresh, ending), rotation })).pausedRenewal).toBeLessThan(start);
});

test('a pin to a version that is disabled or gone changes nothing, and the problem names the versions', () => {
  const versions = [version(3, start), version(2, start, { enabled: false }), old];
  for (const [pin, state] of [
    [2, 'is disabled'],
    [7, 'does not exist'],
  ] as const) {
    const plan = planSecret(pinned({ home: ours(...versions), pinned: pin, now: start + 90 * day }));
    expect(plan).toMatchObject({ steps: [], current: undefined });
    expect(plan.pinProblem).toContain(`Version ${pin} is pinned and ${state}; there are 3, 2 (disabled), 1: set`);
  }
  expect(pinProblem([], 4)).toContain('there is none');
  expect(pinProblem(versions, 3)).toBeUndefined();
  expect(pinProblem(versions, undefined)).toBeUndefined();
});

test('a region that lacks the pinned version serves one before it, and never a later one', () => {
  const limits = { now: start, syncedAt: start, maxStaleness: day };
  const region = ours(version(3, start), old);
  expect(copyState(region, version(2, start), limits)).toMatchObject({ state: 'Stale', version: { number: 1 } });
  // The home vault does not answer, and no other vault has the pinned version.
  const away = copyState(ours(version(3, start)), undefined, { ...limits, pinned: 2 });
  expect(away.version).toBeUndefined();
});

test('former versions stay enabled for a revert as long as the spec retains them', () => {
  const rotation = { expires: false, overlap: day, retain: 10 * day };
  const at = (now: number) => steps(situation({ home: both, rotation, now }));
  expect(at(start + 9 * day)).toEqual([]);
  expect(at(start + 10 * day)).toEqual(['disable 1 home']);
  const shorter = { ...rotation, retain: day / 2 };
  expect(steps(situation({ home: both, rotation: shorter, now: start + day - 1 }))).toEqual([]);
});
