/**
 * Flags of Node in the containers of controllers, as NODE_OPTIONS. Objects that arrive in bulk are either dropped at once or
 * kept for good, so that a young generation of V8's own 16 MB would hold little but garbage.
 */
export const nodeOptions = '--max-semi-space-size=1';

/** Further variables for memory: the C library otherwise keeps an arena of freed memory for each thread. */
export const memoryVariables = { MALLOC_ARENA_MAX: '1' } as const;
