/** Graphs of many objects: the next effects under barriers, limits and token buckets, from persisted records alone. */
export type { BucketUse } from '../../base/scheduling/token-bucket.ts';
export * from './desired-graph.ts';
export { TokenBuckets } from './gates.ts';
export * from './graph-scheduler.ts';
export * from './graph-step.ts';
export * from './plan.ts';
