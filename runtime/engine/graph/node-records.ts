import { actionOf, type GraphEffect, type GraphNode, type GraphOutcome, type NodeRecord } from './desired-graph.ts';
import type { Vertex } from './vertices.ts';

/** The records of a run: those that are persisted, and those that the caller persists next. */
export class NodeRecords {
  readonly all = new Map<string, NodeRecord>();
  /** Keys of effects that a former process started, and that this one has not returned yet. */
  readonly resumable = new Set<string>();
  #changed = new Map<string, NodeRecord | undefined>();

  constructor(persisted: Iterable<NodeRecord>) {
    for (const record of persisted) {
      this.all.set(record.key, record);
      if (record.state === 'Running') this.resumable.add(record.key);
    }
  }

  /** Replaces the record of a key; undefined deletes it. */
  set(key: string, record: NodeRecord | undefined): void {
    if (record) this.all.set(key, record);
    else this.all.delete(key);
    this.#changed.set(key, record);
  }

  /** The records that changed since the last call. */
  takeChanged(): ReadonlyMap<string, NodeRecord | undefined> {
    const changed = this.#changed;
    this.#changed = new Map();
    return changed;
  }
}

/** The record of an effect that starts now. */
export function startedRecord(
  { key, node, group }: Vertex,
  former: NodeRecord | undefined,
  runId: string,
  now: number,
) {
  const record: NodeRecord = {
    key,
    group,
    after: former ? [...new Set([...former.after, ...(node?.after ?? [])])] : (node?.after ?? []),
    state: 'Running',
    action: actionOf(node, former),
    hash: node?.hash ?? '',
    runId,
    at: now,
  };
  return record;
}

/** The record of an effect that ended; undefined for an object that is gone. */
export function endedRecord({ node }: Vertex, record: NodeRecord, { outcome }: GraphOutcome, now: number) {
  const succeeded = outcome === 'Succeeded';
  if (succeeded && record.action === 'Delete') return undefined;
  const after = succeeded && node?.hash === record.hash ? node.after : record.after;
  const ended: NodeRecord = { ...record, state: outcome === 'Retry' ? 'Pending' : outcome, after, at: now };
  return ended;
}

/** The effect of a record; `resumed`: a former process started it. */
export function effectOf(
  { key, action, hash }: NodeRecord,
  node: GraphNode | undefined,
  resumed: boolean,
): GraphEffect {
  return { key, action, hash, resumed, ...(action !== 'Delete' && node?.hash === hash && { node }) };
}
