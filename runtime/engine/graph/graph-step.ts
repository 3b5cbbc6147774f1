import type { BucketUse } from '../../base/scheduling/token-bucket.ts';
import { type GraphAction, type GraphEffect, isInSync, type NodeRecord } from './desired-graph.ts';
import type { TokenBuckets } from './gates.ts';
import { nameOf, type Vertex } from './vertices.ts';

/** Options of a GraphScheduler. */
export interface GraphSchedulerOptions {
  /** The token buckets of the process, shared by all of its runs. @default buckets of this run alone */
  readonly buckets?: TokenBuckets;
  /** The buckets that the request of an effect takes a token from. @default none */
  readonly bucketsOf?: (key: string, action: GraphAction) => readonly BucketUse[];
}

/** The next work of the caller. */
export interface GraphStep {
  /** Records that changed since the last step; undefined for an object that is gone. Persist them before `effects`. */
  readonly records: ReadonlyMap<string, NodeRecord | undefined>;
  /** Effects to perform now. */
  readonly effects: readonly GraphEffect[];
  /** When to ask again at the latest, milliseconds since the epoch; undefined: when an effect ends. */
  readonly askAt: number | undefined;
}

/**
 * State of a run. `Running`: effects are under way or will start. `Failed`: nothing is under way, and failures keep
 * everything else from starting. `Suspended`: nothing is under way, and nothing may start.
 */
export type GraphState = 'Running' | 'Succeeded' | 'Failed' | 'Suspended';

/** One object, for people to see. */
export interface NodeView {
  readonly key: string;
  readonly group: string;
  /** `Skipped`: it needs an object that failed, or failures hold all places of `maxUnavailable`. */
  readonly state: 'Waiting' | 'Ready' | 'Running' | 'Succeeded' | 'Failed' | 'Skipped';
  /** Keys of objects, and `group <name>`; empty for an object that waits for a limit or a time. */
  readonly waitsFor: readonly string[];
}

/** An object as people see it, from its record and whether this run failed at it. */
export function nodeView(vertex: Vertex, record: NodeRecord | undefined, isFailure: boolean): NodeView {
  const { key, group, after } = vertex;
  const state = viewState(vertex, record, isFailure);
  const needed = [...after].filter(({ phase }) => phase !== 'Done');
  const waits = state === 'Waiting' || state === 'Skipped';
  return { key, group, state, waitsFor: waits ? needed.map(nameOf) : [] };
}

function viewState({ phase, node }: Vertex, record: NodeRecord | undefined, isFailure: boolean): NodeView['state'] {
  if (phase === 'UnderWay') return 'Running';
  if (isFailure) return 'Failed';
  if (phase === 'Done' || (node && isInSync(node, record))) return 'Succeeded';
  return phase === 'Dead' ? 'Skipped' : phase;
}
