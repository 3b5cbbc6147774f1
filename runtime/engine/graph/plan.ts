import { actionOf, type DesiredGraph, type GraphAction, isInSync, type NodeRecord } from './desired-graph.ts';
import { buildVertices } from './vertices.ts';

/** One object of a plan. */
export interface PlannedNode {
  readonly key: string;
  readonly group: string;
  /** `None`: the object has its desired state. */
  readonly action: GraphAction | 'None';
}

/**
 * The planned action of a run on each object, in a possible order: dependencies and barriers first, deletions last, in
 * the reverse order of their dependencies. Throws AZ_PIPELINE_INVALID or AZ_GRAPH_CYCLE for a graph with unknown
 * names or a cycle.
 */
export function planGraph(desired: DesiredGraph, records: Iterable<NodeRecord>): PlannedNode[] {
  const byKey = new Map<string, NodeRecord>();
  for (const record of records) byKey.set(record.key, record);
  const plan: PlannedNode[] = [];
  for (const { kind, key, group, node } of buildVertices(desired, byKey).order) {
    if (kind !== 'Object') continue;
    const record = byKey.get(key);
    plan.push({ key, group, action: node && isInSync(node, record) ? 'None' : actionOf(node, record) });
  }
  return plan;
}
