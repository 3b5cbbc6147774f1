/** The reconcile engine: pure decisions, explicit states, and a journal that is written before every effect. */
export * from './block.ts';
export * from './graph.ts';
export * from './host.ts';
export * from './journal.ts';
export * from './limits.ts';
export type { BlockFailure } from './node-progress.ts';
export * from './pipeline.ts';
export * from './runner.ts';
export * from './states.ts';
