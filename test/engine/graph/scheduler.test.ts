import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BucketUse, TokenBucket } from '../../../runtime/base/scheduling/token-bucket.ts';
import { type Gate, TokenBuckets } from '../../../runtime/engine/graph/gates.ts';
import { Scheduler } from '../../../runtime/engine/graph/scheduler.ts';
import { fleet } from '../../bench/deployments/graph-fleet.ts';
import { lowerBoundMs } from '../../bench/deployments/graph-ideal.ts';
import { simulate } from '../../bench/deployments/graph-simulation.ts';

const uses: readonly BucketUse[] = [
  { key: 'slow', size: { capacity: 1, refillPerSecond: 0.5 } },
  { key: 'fast', size: { capacity: 3, refillPerSecond: 4 } },
  { key: 'own', size: { capacity: 2, refillPerSecond: 1 } },
];

/** Two places that are taken by each item, and given back. */
class Slots implements Gate {
  readonly id = 'slots';
  free = 2;
  waitMs(): number {
    return this.free > 0 ? 0 : Number.POSITIVE_INFINITY;
  }
  take(): void {
    this.free--;
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('push' as const), priority: fc.nat(3), gates: fc.subarray([0, 1, 2, 3]) }),
  fc.record({ do: fc.constant('take' as const) }),
  fc.record({ do: fc.constant('drop' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('free' as const), by: fc.nat(1) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(1500) }),
);

test('the item taken is the one that a scan of all items finds, and no open gate goes unnoticed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const waiting: { id: number; priority: number; gates: readonly Gate[] }[] = [];
      const scheduler = new Scheduler<number>((id) => waiting.some((item) => item.id === id));
      const buckets = new TokenBuckets(0);
      const slots = new Slots();
      const gates = [...uses.map((use) => buckets.gate(use)), slots];
      let now = 0;
      for (const [id, each] of steps.entries()) {
        if (each.do === 'push') {
          const own = each.gates.flatMap((index) => gates[index] ?? []);
          waiting.push({ id, priority: each.priority, gates: own });
          scheduler.push(id, each.priority, own);
        } else if (each.do === 'drop') waiting.splice(each.which, 1);
        else if (each.do === 'wait') now += each.ms;
        else if (each.do === 'free') {
          slots.free = Math.min(2, slots.free + each.by);
          scheduler.opened(slots, now);
        } else {
          const open = waiting.filter((item) => item.gates.every((gate) => gate.waitMs(now) === 0));
          const [best] = open.sort((a, b) => b.priority - a.priority || a.id - b.id);
          expect(scheduler.take(now)).toBe(best?.id);
          if (best) waiting.splice(waiting.indexOf(best), 1);
          // Nothing can start now, so the next time at which something may is that of the first gate that opens.
          const waits = waiting.map((item) => Math.max(0, ...item.gates.map((gate) => gate.waitMs(now))));
          const soonest = Math.min(...waits);
          if (!best && soonest < Number.POSITIVE_INFINITY) expect(scheduler.wakeAt).toBeLessThanOrEqual(now + soonest);
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('buckets are empty when a process starts, whenever they are first used, and full ones are forgotten', () => {
  const buckets = new TokenBuckets(1000);
  const [slow] = uses.map((use) => buckets.gate(use));
  expect(slow?.waitMs(1000)).toBe(2000);
  expect(slow?.waitMs(3000)).toBe(0);
  for (let index = 0; index < 5000; index++) {
    buckets.gate({ key: `vm${index}`, size: { capacity: 2, refillPerSecond: 1 } }).take(5000 + index * 10);
  }
  expect(buckets.size).toBeLessThan(2100);
  const late = new TokenBuckets(0).gate(uses[1] as BucketUse);
  for (let taken = 0; taken < 3; taken++) late.take(60_000);
  expect(late.waitMs(60_000)).toBe(250);
  expect(new TokenBucket({ capacity: 1, refillPerSecond: 1 }, 0).waitMs(0)).toBe(0);
});

test('a large graph takes little longer than an ideal scheduler would, and the work per node does not grow', () => {
  const options = { regions: ['east'], speed: 0.05, seed: 1, rest: { parallelism: 64 } };
  const small = fleet({ ...options, nodes: 1000 });
  const large = fleet({ ...options, nodes: 8000 });
  const [few, many] = [simulate(small), simulate(large)];
  for (const [of, { elapsedMs }] of [[small, few] as const, [large, many] as const]) {
    expect(elapsedMs).toBeGreaterThanOrEqual(lowerBoundMs(of));
    expect(elapsedMs).toBeLessThan(1.11 * lowerBoundMs(of));
  }
  for (const { questions, effects } of [few, many]) expect(questions / effects).toBeLessThan(6);
});
