import { PriorityQueue } from '../../../runtime/base/scheduling/priority-queue.ts';
import type { BucketUse } from '../../../runtime/base/scheduling/token-bucket.ts';
import type { Gate } from '../../../runtime/engine/graph/gates.ts';
import {
  type GraphAction,
  GraphScheduler,
  type NodeRecord,
  TokenBuckets,
} from '../../../runtime/engine/graph/index.ts';
import { bucketsOf, type Fleet } from './graph-fleet.ts';

/** The result of a simulated run. */
export interface Simulated {
  /** Simulated milliseconds from the start to the end. */
  readonly elapsedMs: number;
  readonly effects: number;
  /** How often the engine asked a token bucket whether it has a token. */
  readonly questions: number;
  readonly records: readonly NodeRecord[];
}

class CountingBuckets extends TokenBuckets {
  questions = 0;

  override gate(use: BucketUse): Gate {
    const gate = super.gate(use);
    const waitMs = (now: number) => {
      this.questions++;
      return gate.waitMs(now);
    };
    return { ...gate, waitMs };
  }
}

/** Runs the engine to its end in simulated time, from a process that starts at 0. Throws if it does not succeed. */
export function simulate(fleet: Fleet, records: readonly NodeRecord[] = []): Simulated {
  const buckets = new CountingBuckets(0);
  const run = new GraphScheduler(fleet.goal, records, {
    buckets,
    bucketsOf: (key: string, action: GraphAction) => bucketsOf(fleet, key, action),
  });
  const ends = new PriorityQueue<{ readonly at: number; readonly key: string }>((a, b) => a.at < b.at);
  let now = 0;
  let effects = 0;
  for (;;) {
    for (let end = ends.peek(); end && end.at <= now; end = ends.peek()) {
      ends.pop();
      run.ended(end.key, { outcome: 'Succeeded' }, now);
    }
    const step = run.next(now);
    effects += step.effects.length;
    for (const { key } of step.effects) ends.push({ at: now + (fleet.nodes.get(key)?.durationMs ?? 0), key });
    const next = Math.min(ends.peek()?.at ?? Number.POSITIVE_INFINITY, step.askAt ?? Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) break;
    now = Math.max(now, next);
  }
  if (run.state !== 'Succeeded') throw new Error(`the run ended as ${run.state}`);
  return { elapsedMs: now, effects, questions: buckets.questions, records: [...run.records.values()] };
}
