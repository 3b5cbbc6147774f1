/** The state-seeking engine: pure decisions, explicit states, a journal that is written before anything is done. */
export * from './block.ts';
export * from './graph.ts';
export * from './journal.ts';
export * from './limits.ts';
export * from './pipeline.ts';
export * from './runner.ts';
export * from './states.ts';
