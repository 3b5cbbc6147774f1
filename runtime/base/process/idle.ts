import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../clock.ts';

/** When a program counts as idle, so that it may collect garbage. */
export interface IdleOptions {
  readonly clock: Clock;
  /** Requests so far. */
  readonly count: () => number;
  /** Time between two checks, milliseconds. @default 10000 */
  readonly everyMs?: number;
  /** Most requests between two checks that count as idle. @default 10 */
  readonly atMost?: number;
  /** Requests after which there is something to collect. @default 10000 */
  readonly after?: number;
  /** @default collectGarbage */
  readonly collect?: () => void;
}

/**
 * Collects the garbage of a burst of requests once it is over, since V8 collects only when it needs room. Ends when the
 * signal aborts.
 */
export async function collectWhenIdle(options: IdleOptions, stop: AbortSignal): Promise<void> {
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

/** Collects all garbage and returns pages to the system. Blocks for some 50 ms with 10 MB alive. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
