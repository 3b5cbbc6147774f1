/** Identities are on a machine about as long as their bindings have windows. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ManualClock, systemClock } from '../../runtime/base/clock.ts';
import { FairWork } from '../../runtime/base/fairness/fair-work.ts';
import { AvailabilityWindows, useAt } from '../../runtime/identity/assignments/availability-windows.ts';
import { bindingsType, World } from './support.ts';

const begin = Date.parse('2026-11-20T00:00:00Z');
const hourMs = 3_600_000;
const clock = new ManualClock(begin);
let world: World;
beforeAll(async () => {
  world = await World.start(clock);
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const at = (hours: number) => new Date(begin + hours * hourMs).toISOString();
const binding = (spec: object, annotations = {}) =>
  ({ apiVersion: '', kind: '', metadata: { namespace: 'a', name: 'b', annotations }, spec }) as Parameters<
    typeof useAt
  >[0];

test.each([
  ['open without end', {}, 0, 'attach', 12],
  ['opening in an hour', { notBefore: at(1) }, 0, 'keep', 1 - 1 / 6],
  ['opening in five minutes', { notBefore: at(1) }, 1 - 1 / 12, 'attach', 1],
  ['between two windows', { windows: [{ schedule: '0 3 * * *', duration: '1h' }] }, 5, 'keep', 27 - 1 / 6],
  ['in a window', { windows: [{ schedule: '0 3 * * *', duration: '1h' }] }, 3.5, 'attach', 4],
  ['after the last one', { notAfter: at(2) }, 3, 'none', undefined],
] as const)('a binding %s asks for what its windows say', (_, availability, hours, use, next) => {
  const found = useAt(binding({ availability }), begin + hours * hourMs, hourMs / 6);
  const nextHours = found.at === undefined ? undefined : (found.at - begin) / hourMs;
  expect([found.use, nextHours?.toFixed(3)]).toEqual([use, next?.toFixed(3)]);
});

test('a grant that ended asks for nothing', () => {
  const annotations = { 'azimuth.dev/grant-until': at(1) };
  expect(useAt(binding({}, annotations), begin, 0).use).toBe('attach');
  expect(useAt(binding({}, annotations), begin + 2 * hourMs, 0)).toEqual({ use: 'none', at: undefined });
});

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20_000) {
    await clock.advance(20_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an identity comes shortly before its window and goes after the last one', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  const windows = [{ schedule: '0 3,5 * * *', duration: '30m' }];
  const spec = { availability: { notBefore: at(2), notAfter: at(6), windows } };
  const key = { namespace: 'default', name: 'id1' };
  await world.client.patch(bindingsType, key, { type: 'merge', body: { spec } });
  await world.pod('web', 'id1', 'node-1');
  const controller = world.controller({ clock });
  // The daemon refuses at once where the assignment is there and the window is closed.
  await world.untilStates(['default/web-app-id1 Assigned']);
  expect((await world.attached(machine)).names).toEqual([]);
  const until = async (names: string[]) => {
    await world.until(async () => {
      await pass(60_000);
      const seen = (await world.attached(machine)).names;
      return { ok: JSON.stringify(seen) === JSON.stringify(names), seen };
    }, names);
    return (clock.now() - begin) / hourMs;
  };
  while (clock.now() < begin + 2.75 * hourMs) await pass(600_000);
  expect((await world.attached(machine)).names).toEqual([]);
  const attached = await until(['id1']);
  expect(attached).toBeGreaterThan(2.8);
  expect(attached).toBeLessThan(3);
  while (clock.now() < begin + 4.5 * hourMs) await pass(600_000);
  // Between two windows it stays.
  expect((await world.attached(machine)).names).toEqual(['id1']);
  while (clock.now() < begin + 5.4 * hourMs) await pass(600_000);
  expect(await until([])).toBeGreaterThan(5.5);
  expect(await world.states()).toEqual(['default/web-app-id1 Assigned']);
  const stopping = controller.stop();
  await pass(60_000);
  await stopping;
});

test('a standby follows no window, and a new leader computes them again', async () => {
  const manual = new ManualClock(begin);
  const work = new FairWork();
  const changes: string[] = [];
  const windows = new AvailabilityWindows({
    clock: manual,
    work,
    attachEarlyMs: 0,
    changed: (bindings) => changes.push(...bindings.map((each) => windows.of(each))),
  });
  const own = binding({ availability: { notBefore: at(1), notAfter: at(2) } });
  windows.of(own);
  await work.whenDone();
  await manual.advance(1.5 * hourMs);
  await work.whenDone();
  expect([changes, windows.of(own)]).toEqual([['keep'], 'keep']);
  const stop = new AbortController();
  const running = windows.run(stop.signal);
  await work.whenDone();
  expect(changes).toEqual(['keep', 'attach']);
  await manual.advance(0.6 * hourMs);
  await work.whenDone();
  expect(changes).toEqual(['keep', 'attach', 'none']);
  stop.abort();
  await running;
});

test('windows can be left to the node daemon alone', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  const body = { spec: { availability: { notAfter: at(-1) } } };
  await world.client.patch(bindingsType, { namespace: 'default', name: 'id1' }, { type: 'merge', body });
  await world.pod('web', 'id1', 'node-1');
  const controller = world.controller({ clock, attachEarlyMs: undefined });
  await world.until(async () => {
    await pass(20_000);
    const seen = (await world.attached(machine)).names;
    return { ok: seen.length === 1, seen };
  }, 'attached');
  const stopping = controller.stop();
  await pass(60_000);
  await stopping;
});

test.each([100])(
  'a namespace with %i bindings of 64 windows each delays the pod of a neighbour by no more than a slice',
  (count) => {
    const work = new FairWork();
    const order: string[] = [];
    const windows = new AvailabilityWindows({
      clock: systemClock,
      work,
      attachEarlyMs: 600_000,
      changed: (bindings) => order.push(...bindings.map(({ metadata }) => metadata.namespace ?? '')),
    });
    for (let i = 0; i < count; i++) {
      // Leap days of one minute, which take the longest to find.
      const schedules = Array.from({ length: 64 }, (_, j) => ({
        schedule: `${i % 60} ${j % 24} 29 2 *`,
        duration: '1m',
      }));
      const metadata = { namespace: 'greedy', name: `b${i}` };
      const spec = { availability: { windows: schedules, notAfter: at(1) } };
      const unchanged = { ...binding(spec), metadata };
      expect(windows.of(unchanged)).toBe('unknown');
      // An event that changes nothing about the windows computes nothing.
      expect([windows.of({ ...unchanged }), work.size]).toEqual(['unknown', i + 1]);
    }
    const own = {
      ...binding({ availability: { notBefore: at(-1) } }),
      metadata: { namespace: 'neighbour', name: 'b' },
    };
    windows.of(own);
    return work.whenDone().then(() => {
      expect(order.indexOf('neighbour')).toBeLessThanOrEqual(1);
      expect(windows.of(own)).toBe('attach');
    });
  },
);
