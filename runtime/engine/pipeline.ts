import { AzimuthError } from '../base/errors.ts';
import type { Block } from './block.ts';
import { Graph } from './graph.ts';

/** Blocks in an order in which each comes after the blocks that it names. */
export interface Pipeline<D, O, E> {
  readonly name: string;
  readonly blocks: readonly Block<D, O, E>[];
}

/**
 * Checks the blocks and sorts them. Blocks with no path between them may run in parallel. Throws AZ_PIPELINE_INVALID
 * for a duplicate or unknown name, AZ_GRAPH_CYCLE for a cycle.
 */
export function pipeline<D, O, E>(name: string, blocks: readonly Block<D, O, E>[]): Pipeline<D, O, E> {
  const byName = new Map(blocks.map((block) => [block.name, block]));
  const graph = new Graph();
  for (const block of blocks) {
    if (byName.get(block.name) !== block) {
      throw new AzimuthError('AZ_PIPELINE_INVALID', `Pipeline ${name} has two blocks named ${block.name}`);
    }
    const missing = block.after?.find((other) => !byName.has(other));
    if (missing !== undefined) {
      throw new AzimuthError('AZ_PIPELINE_INVALID', `Block ${name}/${block.name} depends on unknown block ${missing}`);
    }
    graph.set(
      block.name,
      (block.after ?? []).map((to) => ({ kind: 'explicit', to })),
    );
  }
  return { name, blocks: graph.order().flatMap((id) => byName.get(id) ?? []) };
}
