import type { Barrier, DesiredGraph, GraphGroup, GraphNode } from '../../engine/graph/index.ts';
import type { GoalNode } from './goal-nodes.ts';
import type { Strategy } from './strategy.ts';

/** Most resources under way at once in a deployment. */
const parallelResources = 64;

/** The part of a goal's node that a run keeps: a run of ten thousand nodes has it in memory. */
export type LightNode = Pick<GoalNode, 'key' | 'location' | 'pipeline' | 'hash' | 'dependsOn'>;

/**
 * The goal of a run as a graph: a group for each location. A group starts when each location of the wave before has
 * succeeded (with Continue: has ended). Within a wave, location n waits for location n - parallelism, so that no more than
 * `parallelism` are under way. With a gate, a wave stays closed until the gates of all waves before have passed.
 */
export function desiredGraph(
  run: string,
  nodes: readonly LightNode[],
  strategy: Strategy,
  passedGates = 0,
): DesiredGraph {
  const { waves, parallelism, maxUnavailable, pauseBetweenMs, onFailure, gate } = strategy;
  const until = onFailure === 'Continue' ? 'Ended' : 'Succeeded';
  const groups = waves.flatMap((wave, number): GraphGroup[] =>
    wave.map((name, index) => {
      const before = index < parallelism ? (waves[number - 1] ?? []) : [wave[index - parallelism] as string];
      const after = before.map((group): Barrier => ({ group, until }));
      const closed = gate !== undefined && number > passedGates;
      return {
        name,
        after,
        ...(closed && { closed }),
        ...(index < parallelism && number > 0 && { pauseMs: pauseBetweenMs }),
      };
    }),
  );
  return {
    id: run,
    nodes: nodes.map(
      ({ key, hash, dependsOn, location }): GraphNode => ({ key, hash, after: dependsOn, group: location }),
    ),
    groups,
    parallelism: parallelResources,
    ...(maxUnavailable !== undefined && { maxUnavailable }),
    onFailure: onFailure === 'Continue' ? 'Continue' : 'Stop',
  };
}
