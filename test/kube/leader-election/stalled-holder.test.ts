import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { LeaseElector } from '../../../runtime/kube/leader-election/elector.ts';
import { type Lease, type LeaseOptions, leasesType } from '../../../runtime/kube/leader-election/lease-record.ts';
import { pass, runtimeOf } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { startReplica } from './replica.ts';

const key = { namespace: 'azimuth', name: 'operator' };
let kube: LocalKube;
let clock: ManualClock;

beforeEach(() => {
  kube = new LocalKube();
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  // The same jitter in every run: each replica tries every 2.2 s.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  jest.restoreAllMocks();
});

const replica = (identity: string, options: Partial<LeaseOptions> = {}, own = clock, drainMs = 0) =>
  startReplica({ kube, clock: own }, { ...key, identity, ...options }, drainMs);
const stored = async () => (await kube.get<Lease>(leasesType, key)).spec;

/** A clock whose sleepers were asleep with the machine: time passes, timers do not. */
class StallingClock extends ManualClock {
  stalledMs = 0;
  override now(): number {
    return super.now() + this.stalledMs;
  }
}

test('after a stall every write is refused, even before any timer has fired', async () => {
  const stalling = new StallingClock(Date.UTC(2026, 0, 1));
  const a = replica('a', {}, stalling);
  await pass(stalling, 3000);
  expect(() => a.elector.check()).not.toThrow();
  stalling.stalledMs = 20_000;
  expect(a.lost?.aborted).toBe(false);
  expect(() => a.elector.check()).toThrow(expect.objectContaining({ code: 'AZ_LEASE_LOST' }));
  a.stop.abort();
  await pass(stalling, 200);
});

test('a machine that slept ends the work within about a second, although timers know nothing of it', async () => {
  const sleeping = new StallingClock(Date.UTC(2026, 0, 1));
  const a = replica('a', { retryPeriodMs: 7000 }, sleeping);
  await pass(sleeping, 500);
  expect(a.working).toBe(true);
  sleeping.stalledMs = 60_000;
  await pass(sleeping, 1200);
  expect(a.lost?.aborted).toBe(true);
  expect(await a.result).toMatchObject({ code: 'AZ_LEASE_LOST' });
});

test('a lease whose work left something running is not released', async () => {
  const elector = new LeaseElector(runtimeOf(kube, clock), { ...key, identity: 'a' });
  const left = new AzimuthError('AZ_LEASE_LOST', 'still working');
  const result = elector.lead(new AbortController().signal, () => Promise.reject(left)).catch((error) => error);
  await pass(clock, 500);
  expect(await result).toBe(left);
  expect((await stored()).holderIdentity).toBe('a');
});
