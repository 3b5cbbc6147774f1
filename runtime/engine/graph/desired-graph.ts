/** One object of a graph, such as a virtual machine. */
export interface GraphNode {
  readonly key: string;
  /** Hash of its desired state. */
  readonly hash: string;
  /** Keys of nodes of the graph that must be in sync before this node changes. */
  readonly after: readonly string[];
  /** Name of its group. */
  readonly group: string;
  /** Expected duration, in one unit for all nodes: the longest chains start first. @default 1 */
  readonly weight?: number;
}

/** A wait for all nodes of another group: until each is in sync, or until none of them can change any more. */
export interface Barrier {
  readonly group: string;
  readonly until: 'Succeeded' | 'Ended';
}

/** Nodes that start behind the same barriers, such as the machines of one location. */
export interface GraphGroup {
  readonly name: string;
  /** @default none */
  readonly after?: readonly Barrier[];
  /** Holds the group back although its barriers are open, until a desired graph without it. @default false */
  readonly closed?: boolean;
  /** Milliseconds between the last effect of the groups in `after` and the first of this one. @default 0 */
  readonly pauseMs?: number;
  /** Effects under way at a time. @default no limit */
  readonly parallelism?: number;
  /** Nodes that are being modified or deleted, or failed at it, at a time. @default no limit */
  readonly maxUnavailable?: number;
}

/** The desired state of a graph. */
export interface DesiredGraph {
  /** Id of the run: distinguishes it from the next run of the same graph. A failure and a pause count in the run that caused them only. */
  readonly id: string;
  readonly nodes: readonly GraphNode[];
  /** The groups with barriers or limits; a node may name others. @default none */
  readonly groups?: readonly GraphGroup[];
  /** Effects under way at a time, in the whole graph. @default no limit */
  readonly parallelism?: number;
  /** Nodes that are being modified or deleted, or failed at it, at a time, in the whole graph. @default no limit */
  readonly maxUnavailable?: number;
  /** After a failure: start nothing more, or go on where nothing depends on it. @default Stop */
  readonly onFailure?: 'Stop' | 'Continue';
}

/** The change that an effect makes to its object. */
export type GraphAction = 'Create' | 'Modify' | 'Delete';

/** All that must be persisted of a node. A node without a record does not exist. */
export interface NodeRecord {
  readonly key: string;
  readonly group: string;
  /** Dependencies that the object may have: of the state it has, and of the state it is moving to. */
  readonly after: readonly string[];
  /** `Pending`: the effect did not happen, and is due again. */
  readonly state: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** The last effect. */
  readonly action: GraphAction;
  /** Hash of the state that the effect reaches; empty for a deletion, and for a state that somebody else changed. */
  readonly hash: string;
  /** Id of the run that started the effect. */
  readonly runId: string;
  /** When the effect started, or ended; milliseconds since the epoch. */
  readonly at: number;
}

/** An effect for the caller to perform, such as to apply an object. It must be repeatable. */
export interface GraphEffect {
  readonly key: string;
  readonly action: GraphAction;
  /** The state to reach; empty for a deletion. */
  readonly hash: string;
  /** The node; undefined for a deletion, and where `hash` belongs to an earlier desired state. */
  readonly node?: GraphNode;
  /**
   * A process before this one started it, and its outcome is unknown. The caller performs it again, or reports its
   * outcome where it has the earlier desired state no more.
   */
  readonly resumed: boolean;
}

/** How an effect ended. */
export type GraphOutcome =
  | { readonly outcome: 'Succeeded' }
  /** No retry can help for this desired state. */
  | { readonly outcome: 'Failed' }
  /** It did not happen, or failed for a while. @default at at once; milliseconds since the epoch */
  | { readonly outcome: 'Retry'; readonly at?: number };

/** Whether the object has the desired state of the node. */
export function isInSync(node: GraphNode, record: NodeRecord | undefined): boolean {
  return record?.state === 'Succeeded' && record.hash === node.hash;
}

/** The next effect on an object that is not in sync; `node` is undefined for one that the desired graph does not have. */
export function actionOf(node: GraphNode | undefined, record: NodeRecord | undefined): GraphAction {
  if (!node) return 'Delete';
  const exists = record && !(record.action === 'Create' && record.state !== 'Succeeded');
  return exists ? 'Modify' : 'Create';
}

/** Whether an object that serves somebody is out of service: it is being modified or deleted, or failed at it. */
export function isUnavailable(record: NodeRecord | undefined): boolean {
  return record !== undefined && record.action !== 'Create' && record.state !== 'Succeeded';
}
