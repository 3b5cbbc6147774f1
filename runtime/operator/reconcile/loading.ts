import type { Wait } from '../../engine/index.ts';
import type { Memory } from '../effects/memory.ts';

/** Milliseconds in which a process reads ManagedSecrets and gates after its start. */
const loadMs = 120_000;
const unread: ReadonlySet<string> = new Set(['SecretNotReady', 'WaitingForFeature']);

/**
 * Whether an object only waits for ManagedSecrets and gates that a process reads after its start. Its conditions stay
 * for that time, so that a restart makes no object unready. False from `loadMs` after the first run of the object, and
 * once a run had nothing to wait for.
 */
export function isLoading(memory: Memory, waits: readonly Wait[], now: number): boolean {
  memory.loadsUntil = waits.length === 0 ? 0 : (memory.loadsUntil ?? now + loadMs);
  return now < memory.loadsUntil && waits.every(({ reason }) => unread.has(reason));
}
