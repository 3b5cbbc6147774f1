import { pipelines } from '../../../api/deployments/compute-run.ts';
import type { LightNode } from '../../../compute/deployments/desired-graph.ts';
import type { Decision } from '../../../compute/deployments/rounds/expand-round.ts';
import { roundNode } from '../../../compute/deployments/rounds/round-node.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import type { ObjectKey } from '../../../kube/client/types.ts';
import type { Children } from '../children.ts';
import type { Expansions, GoalText } from '../expansions.ts';
import { type CheckedNode, nodeProblems } from './node-problems.ts';

/** The objects of all locations that are decided, and what decides about the others. */
export interface DecidedNodes {
  /** By key, with the step of each location that is not decided as a whole. */
  readonly nodes: Map<string, LightNode>;
  /** By location. */
  readonly decisions: Map<string, Decision>;
}

/** Dependencies of `expandLocations`. */
export interface ExpandLocationsDeps {
  readonly expansions: Pick<Expansions, 'expand'>;
  readonly children: Pick<Children, 'serves'>;
}

/** A goal, and where it goes. */
export interface GoalLocations {
  readonly goal: GoalText;
  readonly locations: readonly string[];
  readonly deployment: ObjectKey;
}

/** The objects of a goal in all locations; or the problems of the first location that has some. Rejects as `Expansions`. */
export async function expandLocations(
  { expansions, children }: ExpandLocationsDeps,
  { goal, locations, deployment: { namespace = '', name } }: GoalLocations,
  signal: AbortSignal,
): Promise<DecidedNodes | { readonly problems: readonly DeploymentProblem[] }> {
  const nodes = new Map<string, LightNode>();
  const decisions = new Map<string, Decision>();
  const checked: CheckedNode[] = [];
  for (const location of locations) {
    const at = { namespace, deployment: name, location };
    const { nodes: expanded, problems, decision } = await expansions.expand(goal, at, signal);
    if (problems.length > 0) return { problems };
    if (decision) {
      decisions.set(location, decision);
      const node = roundNode(location, decision);
      nodes.set(node.key, node);
    }
    // The objects of the first round were checked before there was a run.
    if (goal.decided) for (const { key, kind, group } of expanded) checked.push({ key, location, kind, group });
    // Texts that came from the other process one by one, such as a location, are kept once.
    const keys = new Map(expanded.map(({ key }) => [key, key]));
    for (const { key, pipeline, hash, dependsOn } of expanded) {
      nodes.set(key, {
        key,
        location,
        pipeline: pipelines.find((each) => each === pipeline) ?? 'other',
        hash,
        dependsOn: dependsOn.map((each) => keys.get(each) ?? each),
      });
    }
  }
  const problems = nodeProblems(checked, children);
  return problems.length > 0 ? { problems } : { nodes, decisions };
}
