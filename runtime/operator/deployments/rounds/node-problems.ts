import { type GoalNode, reportShared } from '../../../compute/deployments/goal-nodes.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import type { Children } from '../children.ts';

/** The part of a node that the checks of all locations need: their manifests together may have ten times the memory of one. */
export type CheckedNode = Pick<GoalNode, 'key' | 'location' | 'kind' | 'group'>;

/** Most objects of a deployment, in all of its locations. */
export const maxNodes = 10_000;

/** Milliseconds after which it is checked again whether the operator serves a kind, whose definition may come at any time. */
const kindMs = 30_000;

/** The problems of the objects of a deployment in all of its locations together. */
export function nodeProblems(nodes: readonly CheckedNode[], children: Pick<Children, 'serves'>): DeploymentProblem[] {
  const problems: DeploymentProblem[] = [];
  if (nodes.length > maxNodes)
    problems.push({
      path: 'template',
      message: `${nodes.length} of at most ${maxNodes} objects: split the deployment`,
    });
  reportShared(nodes, problems);
  const unserved = nodes.find((node) => !children.serves(node));
  if (unserved)
    problems.push({
      path: 'template',
      message: `the operator does not reconcile ${unserved.kind}.${unserved.group}: define it in the cluster, by AZIMUTH_KINDS`,
      retryAfterMs: kindMs,
    });
  return problems;
}
