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

/**
 * Lets V8's heap grow to twice the live objects before it collects all garbage. With a limit below 256 MB it would
 * collect at 1.3 times, and buffers count too: a few large requests a second then cause two collections a second, and
 * the threads that help with them take the processors from the one that answers. Costs at most the size of the live
 * objects. Call it at the start of a program: NODE_OPTIONS does not take the flag. Source: `heap_growing_percent` in
 * flag-definitions.h of V8, MaxGrowingFactor in heap/heap-controller.cc.
 */
export function collectSeldom(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
