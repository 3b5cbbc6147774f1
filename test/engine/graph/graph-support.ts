import { expect } from '@jest/globals';
import {
  type DesiredGraph,
  type GraphNode,
  GraphScheduler,
  type GraphSchedulerOptions,
  type NodeRecord,
} from '../../../runtime/engine/graph/index.ts';

/** A node; `after` are the keys of its dependencies. */
export const node = (key: string, after: readonly string[] = [], group = '', hash = 'v1'): GraphNode => {
  return { key, hash, after, group };
};
/** A desired graph of these nodes. */
export const graph = (nodes: readonly GraphNode[], rest: Partial<DesiredGraph> = {}): DesiredGraph => ({
  id: 'g',
  nodes,
  ...rest,
});
/** A run towards the graph. */
export const run = (of: DesiredGraph, records: readonly NodeRecord[] = [], options: GraphSchedulerOptions = {}) => {
  return new GraphScheduler(of, records, options);
};
/** Starts what may start, as `action key`. */
export const started = (of: GraphScheduler, now = 0) =>
  of.next(now).effects.map(({ action, key }) => `${action} ${key}`);
/** Ends the effects of these keys. */
export const succeed = (of: GraphScheduler, keys: readonly string[], now = 0) => {
  for (const key of keys) of.ended(key, { outcome: 'Succeeded' }, now);
};
/** Records of a run that succeeded. */
export const reached = (of: DesiredGraph): NodeRecord[] => {
  const here = run(of);
  for (let { effects } = here.next(0); effects.length > 0; { effects } = here.next(0)) {
    succeed(
      here,
      effects.map(({ key }) => key),
    );
  }
  expect(here.state).toBe('Succeeded');
  return [...here.records.values()];
};
