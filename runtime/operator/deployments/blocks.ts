import {
  type BlockStatus,
  maxBlockDependencies,
  maxBlockText,
  maxHashLength,
  maxKeyLength,
  maxRunName,
  type PipelineName,
} from '../../api/deployments/compute-run.ts';
import { tryKindOf } from '../../api/kinds.ts';
import { beginningOf } from '../../base/text/text.ts';
import type { LightNode } from '../../compute/deployments/desired-graph.ts';
import { pipelineOf } from '../../compute/deployments/pipelines.ts';
import type { GraphScheduler, NodeRecord } from '../../engine/graph/index.ts';

/** Facts about a block beside its record. */
export interface BlockNote {
  readonly reason: string;
  readonly message: string;
  /** Generation of the object as it was applied. */
  readonly generation?: number;
  /** When it was applied in this process; milliseconds since the epoch. */
  readonly appliedAt?: number;
  /** Whether the cache has shown the object as it was applied. */
  readonly isSeen?: boolean;
}

/** A block as a ComputeRun shows it. */
export function blockStatus(
  key: string,
  node: LightNode | undefined,
  graph: GraphScheduler,
  note: BlockNote | undefined,
): BlockStatus {
  const record = graph.records.get(key);
  const view = graph.view(key);
  const waits = view?.waitsFor ?? [];
  const message = note?.message || (waits.length > 0 ? `waits for ${some(waits)}` : '');
  return {
    resource: key,
    pipeline: node?.pipeline ?? pipelineOfKey(key),
    state: view?.state ?? 'Succeeded',
    ...(note?.reason && { reason: note.reason.slice(0, maxBlockText) }),
    ...(message !== '' && { message: cut(message) }),
    ...(note?.generation !== undefined && { generation: note.generation }),
    ...(record && {
      action: record.action,
      outcome: record.state,
      hash: record.hash,
      run: record.runId,
      since: new Date(record.at).toISOString(),
      ...(record.after.length > 0 && { after: record.after.slice(0, maxBlockDependencies) }),
    }),
  };
}

/**
 * A stored block with no more than the operator writes, and with this many dependencies at most: anybody may have written
 * it. Undefined for one that the operator cannot have written.
 */
export function storedBlock(block: BlockStatus, mostDependencies: number): BlockStatus | undefined {
  const { resource, hash = '', run = '', reason, message, after } = block;
  if (resource.length > maxKeyLength || hash.length > maxHashLength || run.length > maxRunName) return undefined;
  return {
    ...block,
    ...(reason !== undefined && { reason: beginningOf(reason, maxBlockText) }),
    ...(message !== undefined && { message: cut(message) }),
    ...(after && { after: after.slice(0, mostDependencies) }),
  };
}

/** The records that the blocks of a location have. */
export function recordsOf(location: string, blocks: readonly BlockStatus[]): NodeRecord[] {
  return blocks.flatMap(({ resource, action, outcome, hash = '', run = '', since, after = [] }) => {
    if (action === undefined || outcome === undefined) return [];
    const at = Date.parse(since ?? '') || 0;
    return [{ key: resource, group: location, after, state: outcome, action, hash, runId: run, at }];
  });
}

function pipelineOfKey(key: string): PipelineName {
  const [kind = '', ...group] = (key.split('/')[0] ?? '').split('.');
  const name = group.join('.');
  return tryKindOf(name, kind) ? pipelineOf(name, kind) : 'other';
}

function some(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

function cut(message: string): string {
  return message.length > maxBlockText ? `${beginningOf(message, maxBlockText)}…` : message;
}
