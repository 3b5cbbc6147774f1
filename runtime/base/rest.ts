import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';

/** When a program counts as idle, so that it may collect garbage. */
export interface RestOptions {
  readonly clock: Clock;
  /** Requests so far. */
  readonly count: () => number;
  /** Looks this often, in milliseconds. @default 10000 */
  readonly everyMs?: number;
  /** Most requests between two looks that count as rest. @default 10 */
  readonly atMost?: number;
  /** Requests after which there is something to collect. @default 10000 */
  readonly after?: number;
  /** @default collectGarbage */
  readonly collect?: () => void;
}

/**
 * Gives back what a burst of requests left, once it is over: V8 collects for more room, and nobody who rests needs any. Ends when
 * the signal aborts.
 */
export async function collectAtRest(options: RestOptions, stop: AbortSignal): Promise<void> {
  const { clock, count, everyMs = 10_000, atMost = 10, after = 10_000, collect = collectGarbage } = options;
  let collected = count();
  let last = collected;
  while (!stop.aborted) {
    await clock.sleep(everyMs, stop).catch(() => undefined);
    const now = count();
    if (!stop.aborted && now - last <= atMost && now - collected >= after) {
      collect();
      collected = now;
    }
    last = now;
  }
}

/** Takes some 50 ms for 10 MB that are alive, in which nothing else runs; pages go back to the system. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
