import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage sooner and return pages to the system; a program that mostly waits for answers shows no cost.
 * Call it at the start of a program: NODE_OPTIONS does not take the flag.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}

/**
 * Option of V8 with which one thread collects the young garbage. With more, a pause ends with the last of them, and on
 * busy processors that one waits for its turn. Source: `parallel_scavenge` in flag-definitions.h of V8.
 */
export const scavengeInOneThread = '--no-parallel-scavenge';

/** Sets `scavengeInOneThread` for this process. Call it at the start of a program: NODE_OPTIONS does not take the flag. */
export function keepPausesShort(): void {
  setFlagsFromString(scavengeInOneThread);
}
