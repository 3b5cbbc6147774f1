/** Default memory of a controller's container; docs/reference/memory.md has the measured use. */
export const defaultMebibytes = 256;

/** Memory of a process outside of V8's heap: Node itself, its code, connections. */
const besideHeapMebibytes = 112;

/**
 * NODE_OPTIONS for the container of a controller with so much memory. By default V8 lets the heap grow to twice the live
 * objects, or more where it sees the machine's memory. Most objects either die at once or stay for good, so a young
 * generation of the usual 16 MB would hold mostly garbage.
 */
export function nodeOptions(mebibytes: number): string {
  return `--max-semi-space-size=1 --max-old-space-size=${Math.max(64, mebibytes - besideHeapMebibytes)}`;
}

/**
 * Variables that make the C library return freed memory. By default it keeps an arena of freed memory for each thread,
 * and stops returning large blocks after some. Blocks from 32 KB are mapped separately, because V8's compilers need many
 * of them for a moment.
 */
export const memoryVariables = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
