import { maxDependencies } from '../../api/deployments/compute-deployment.ts';
import { type ArmManifests, armManifests, type UndecidedResource } from './arm-goal.ts';
import type { ArmGoal, TargetGroup } from './arm-objects.ts';
import { type Goal, parametersAt } from './goal.ts';
import { type GoalNode, goalNodes, type PlacedManifest } from './goal-nodes.ts';
import type { Answers } from './open-values.ts';
import { type DeploymentProblem, SubstitutionBudget, substitute } from './substitute.ts';

/** One location of a goal, expanded. Use the nodes only when there are no problems. */
export interface ExpandedLocation {
  readonly nodes: readonly GoalNode[];
  readonly problems: readonly DeploymentProblem[];
  /** Resources of an ARM template without nodes, as answers of Azure decide about them. */
  readonly undecided: readonly UndecidedResource[];
}

/** Where a goal is expanded. */
export interface ExpansionPlace {
  readonly namespace: string;
  /** Name of the ComputeDeployment. */
  readonly deployment: string;
  readonly location: string;
}

/**
 * The objects of one location of a goal. A goal with an ARM template needs `target`; with `answers` the objects that need
 * these are complete, and the answers of `decided` decide names and counts too. Pure; the same goal gives the same objects. Takes time in proportion to the text: call it for texts of
 * tenants in an isolated process.
 */
export function expandLocation(
  goal: Goal,
  place: ExpansionPlace,
  target: TargetGroup | undefined,
  answers?: Answers,
  decided: Pick<ArmGoal, 'decided' | 'reads'> = {},
): ExpandedLocation {
  const problems: DeploymentProblem[] = [];
  const { namespace, location } = place;
  const { placed, undecided }: ArmManifests = target
    ? armManifests({ ...armGoalAt(goal, place, target), ...decided, ...(answers && { answers }) }, problems)
    : { placed: manifestsAt(goal, place, problems), undecided: [] };
  if (problems.length > 0) return { nodes: [], problems, undecided: [] };
  const nodes = goalNodes(location, namespace, placed, problems);
  const edges = nodes.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
  if (edges <= maxDependencies) return { nodes, problems, undecided };
  const message = `${edges} of at most ${maxDependencies} dependencies: let one resource stand for many in dependsOn`;
  return { nodes: [], problems: [...problems, { path: 'template', message }], undecided: [] };
}

function manifestsAt(goal: Goal, place: ExpansionPlace, problems: DeploymentProblem[]): PlacedManifest[] {
  const parameters = { ...parametersAt(goal, place.location), ...place };
  const budget = new SubstitutionBudget();
  return (goal.template.manifests ?? []).map((manifest, index) => {
    const path = `template.manifests[${index}]`;
    return { path, manifest: substitute(manifest, path, { parameters, budget, problems }) };
  });
}

/** The ARM template of a goal in one location. */
export function armGoalAt(
  goal: Goal,
  { namespace, deployment, location }: ExpansionPlace,
  target: TargetGroup,
): ArmGoal {
  const { json = '', linkedTemplates, managementGroup } = goal.template.arm ?? {};
  const parameters = parametersAt(goal, location);
  return {
    json,
    location,
    namespace,
    deployment,
    parameters,
    at: goal.at,
    deployer: goal.deployer ?? target.deployer,
    target,
    linkedTemplates,
    managementGroup,
  };
}
