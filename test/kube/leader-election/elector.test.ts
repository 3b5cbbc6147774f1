import { beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { LeaseElector } from '../../../runtime/kube/leader-election/elector.ts';
import { type Lease, type LeaseOptions, leasesType } from '../../../runtime/kube/leader-election/lease-record.ts';
import { hanging, unreachable } from '../../fakes/kube-failures.ts';
import { pass, runtimeOf } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { type Replica, startReplica } from './replica.ts';

const key = { namespace: 'azimuth', name: 'operator' };
let kube: LocalKube;
let clock: ManualClock;

beforeEach(() => {
  kube = new LocalKube();
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  // The same jitter in every run: each replica tries every 2.2 s.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

const replica = (identity: string, options: Partial<LeaseOptions> = {}, own = clock, drainMs = 0) =>
  startReplica({ kube, clock: own }, { ...key, identity, ...options }, drainMs);
const stored = async () => (await kube.get<Lease>(leasesType, key)).spec;

test('the first replica takes the lease, renews it and writes what other tools read', async () => {
  const a = replica('a');
  await pass(clock, 5000);
  expect(a.working).toBe(true);
  expect(a.elector.leading).toBe(true);
  const spec = await stored();
  expect(spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
  expect(spec.renewTime).toMatch(/^2026-01-01T00:00:0[2-5]\.\d{6}Z$/);
  expect(spec.acquireTime).toMatch(/^2026-01-01T00:00:00\.\d{6}Z$/);
  const text = await a.runtime.metrics.metrics();
  expect(text).toContain('leader_election_master_status{name="operator"} 1');
  expect(a.events.map(({ reason, note }) => [reason, note])).toEqual([['StartedLeading', 'a leads']]);
  a.stop.abort();
  await pass(clock, 100);
  expect(await a.result).toBe('ended');
});

test('a standby is ready, and starts work right after the release', async () => {
  const a = replica('a');
  await pass(clock, 1000);
  const b = replica('b');
  // The standby's last try is at 60.4 s and its next one at 62.6 s.
  await pass(clock, 60_000);
  expect([a.working, b.working]).toEqual([true, false]);
  expect([a.elector.notReady(), b.elector.notReady()]).toEqual([undefined, undefined]);
  a.stop.abort();
  await pass(clock, 200);
  expect(await a.result).toBe('ended');
  expect((await stored()).holderIdentity).toBeUndefined();
  await pass(clock, 2500);
  expect(b.working).toBe(true);
  expect(await stored()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1, leaseDurationSeconds: 15 });
  b.stop.abort();
  await pass(clock, 200);
});

test('the lease is renewed while work drains, and released only afterwards', async () => {
  const a = replica('a', {}, clock, 40_000);
  await pass(clock, 1000);
  const b = replica('b');
  a.stop.abort();
  await pass(clock, 39_000);
  expect([a.working, b.working]).toEqual([true, false]);
  await pass(clock, 4000);
  expect([a.working, b.working]).toEqual([false, true]);
  b.stop.abort();
  await pass(clock, 200);
});

test.each([
  ['refused connections', () => unreachable()],
  ['requests that hang', hanging],
])('with %s work is aborted at the deadline, before another replica may begin', async (_, fault) => {
  const a = replica('a');
  await pass(clock, 3000);
  const renewed = Date.parse((await stored()).renewTime ?? '');
  for (const verb of ['get', 'replace', 'create']) kube.failNext(verb, fault, 1000);
  await pass(clock, 20_000);
  expect(a.working).toBe(false);
  expect(a.elector.leading).toBe(false);
  expect(await a.result).toMatchObject({ code: 'AZ_LEASE_LOST' });
  const lostAfter = (a.lostAt ?? 0) - renewed;
  expect(lostAfter).toBeLessThanOrEqual(10_000);
  expect(lostAfter).toBeGreaterThan(5000);
});

test('another replica follows a dead holder after the lease duration, measured from the observation of its last renewal', async () => {
  // Its clock is years ahead: the times in the lease say nothing.
  await kube.create<Lease>(leasesType, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: key,
    spec: {
      holderIdentity: 'dead',
      leaseDurationSeconds: 20,
      renewTime: '2031-01-01T00:00:00.000000Z',
      leaseTransitions: 4,
    },
  });
  const b = replica('b');
  await pass(clock, 19_900);
  expect(b.working).toBe(false);
  await pass(clock, 3000);
  expect(b.working).toBe(true);
  expect(await stored()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 5 });
  b.stop.abort();
  await pass(clock, 200);
});

test('setting the machine time forward neither ends a lease early for others nor keeps it too long for the holder', async () => {
  class JumpingClock extends ManualClock {
    jumpMs = 0;
    override now() {
      return super.now() + this.jumpMs;
    }
  }
  const jumping = new JumpingClock(Date.UTC(2026, 0, 1));
  const a = replica('a', {}, clock);
  await pass(clock, 1000);
  const b = replica('b', {}, jumping);
  await pass(jumping, 2500);
  jumping.jumpMs = 3_600_000;
  await pass(jumping, 5000);
  expect(b.working).toBe(false);
  a.stop.abort();
  await pass(clock, 200);
  await pass(jumping, 5000);
  expect(b.working).toBe(true);
  jumping.jumpMs = 7_200_000;
  expect(b.elector.leading).toBe(false);
  b.stop.abort();
  await pass(jumping, 200);
});

test('a holder that finds another one in the lease stops at its next renewal', async () => {
  const a = replica('a');
  await pass(clock, 1000);
  const lease = await kube.get<Lease>(leasesType, key);
  await kube.replace<Lease>(leasesType, { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } });
  await pass(clock, 3000);
  expect(await a.result).toMatchObject({
    code: 'AZ_LEASE_LOST',
    message: expect.stringContaining('thief holds the lease'),
  });
  expect((await stored()).holderIdentity).toBe('thief');
});

test('a replica does not hold a lease whose write is answered with the lease of somebody else', async () => {
  const a = replica('a');
  await pass(clock, 3000);
  const former = await kube.get<Lease>(leasesType, key);
  a.stop.abort();
  await pass(clock, 3000);
  const replace = jest.spyOn(kube, 'replace').mockImplementation(async () => structuredClone(former) as never);
  const b = replica('b');
  await pass(clock, 5000);
  expect([replace.mock.calls.length > 1, b.working, b.elector.leading]).toEqual([true, false, false]);
  expect(b.elector.notReady()).toMatch(/with another Lease/);
  replace.mockRestore();
  await pass(clock, 5000);
  expect(b.working).toBe(true);
  b.stop.abort();
  await pass(clock, 200);
});

test('other writers of the lease and single failures do not disturb the holder', async () => {
  const a = replica('a');
  await pass(clock, 1000);
  for (let i = 0; i < 5; i++) {
    await kube.patch(leasesType, key, { type: 'merge', body: { metadata: { annotations: { round: `${i}` } } } });
    kube.failNext('replace', unreachable());
    await pass(clock, 5000);
  }
  expect(a.working).toBe(true);
  expect((await kube.get(leasesType, key)).metadata.annotations).toEqual({ round: '4' });
  a.stop.abort();
  await pass(clock, 200);
});

test('of many replicas that start and stop at random at most one works at any time', async () => {
  const replicas: Replica[] = [];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  jest.spyOn(Math, 'random').mockImplementation(() => random(1000) / 1000);
  let leaders = 0;
  for (let round = 0; round < 150; round++) {
    const active = replicas.filter(({ stop }) => !stop.signal.aborted);
    if (active.length < 4) replicas.push(replica(`replica-${replicas.length}`));
    if (random(4) === 0) active[random(active.length)]?.stop.abort();
    if (random(5) === 0)
      kube.failNext(
        ['get', 'replace'][random(2)] ?? 'get',
        [unreachable(), hanging][random(2)] ?? hanging,
        1 + random(6),
      );
    for (let step = 0; step < 10; step++) {
      await pass(clock, 200, 200);
      const working = replicas.filter(({ working, lost }) => working && !lost?.aborted);
      expect(working.length).toBeLessThanOrEqual(1);
      leaders += working.length;
    }
  }
  expect(leaders).toBeGreaterThan(500);
  for (const { stop } of replicas) stop.abort();
  await pass(clock, 20_000);
});

test('a replica without answers is not ready and gives the reason', async () => {
  kube.failNext('get', () => unreachable(), 1000);
  const a = replica('a');
  await pass(clock, 500);
  expect(a.elector.notReady()).toContain('connection reset');
  a.stop.abort();
  await pass(clock, 100);
  expect(await a.result).toBe('ended');
});

test.each([
  [{ leaseDurationMs: 1500 }, 'leaseDurationMs'],
  [{ renewDeadlineMs: 15_000 }, 'renewDeadlineMs'],
  [{ retryPeriodMs: 9000 }, 'retryPeriodMs'],
  [{ retryPeriodMs: 0 }, 'retryPeriodMs'],
  [{ identity: '' }, 'identity'],
])('the timings %p are refused', (options, name) => {
  expect(() => new LeaseElector(runtimeOf(kube, clock), { ...key, ...options })).toThrow(`Expected \`${name}\``);
});
