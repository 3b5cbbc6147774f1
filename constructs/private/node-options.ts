/** Memory of a controller's container that nobody sized: docs/reference/memory.md has what of it is used. */
export const defaultMebibytes = 256;

/** What a process needs beside V8's heap: Node itself, its code, connections. */
const besideHeapMebibytes = 112;

/**
 * Flags of Node in the container of a controller with so much memory, as NODE_OPTIONS. V8 would let a heap grow to twice what
 * is alive before it collects, and by far more where it takes the machine's memory for its own; and objects that arrive in bulk are
 * either dropped at once or kept for good, so that a young generation of the usual 16 MB would hold little but garbage.
 */
export function nodeOptions(mebibytes: number): string {
  return `--max-semi-space-size=1 --max-old-space-size=${Math.max(64, mebibytes - besideHeapMebibytes)}`;
}

/**
 * Further variables for memory. The C library otherwise keeps an arena of freed memory for each thread, and stops giving
 * back large blocks once it has seen some. From 32 KB on blocks lie apart from its heap, as V8's compilers take many of them for
 * a moment, which that heap would keep.
 */
export const memoryVariables = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
