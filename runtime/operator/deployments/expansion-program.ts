/** The process that expands goals of tenants: one location after another, and the operator ends it at its limits. */
import type { TargetGroup } from '../../compute/deployments/arm-objects.ts';
import { armGoalAt, type ExpansionPlace, expandLocation } from '../../compute/deployments/expand-goal.ts';
import { goalHash, goalOf, goalText, parseGoal } from '../../compute/deployments/goal.ts';
import type { GoalNode } from '../../compute/deployments/goal-nodes.ts';
import { type GoalOutputs, goalOutputs } from '../../compute/deployments/goal-outputs.ts';
import type { Answers } from '../../compute/deployments/open-values.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';

/** The spec of a ComputeDeployment, as JSON, whose goal is wanted. */
export interface GoalJob {
  readonly spec: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The text of a goal for a ComputeRun, and its hash. */
export interface GoalAnswer {
  readonly text: string;
  readonly hash: string;
}

/** A node with its manifest as JSON: as objects, a manifest of a tenant can take thirty times the memory of its text. */
export type ExpandedNode = Omit<GoalNode, 'manifest'> & { readonly manifestText: string };

/** One location of a goal, expanded. Use the nodes only when there are no problems. */
export interface ExpansionAnswer {
  readonly nodes: readonly ExpandedNode[];
  readonly problems: readonly DeploymentProblem[];
}

/** One location of a goal, as the ComputeRun has its text. */
export interface ExpansionJob {
  readonly goal: string;
  readonly place: ExpansionPlace;
  /** Only for an ARM template. */
  readonly target?: TargetGroup;
  /** Azure's answers, for objects that need them. */
  readonly answers?: Answers;
}

/** The outputs of one location of a goal with an ARM template. */
export interface OutputsJob extends ExpansionJob {
  readonly outputs: true;
}

/** A job of the process. */
export type Job = ExpansionJob | GoalJob | OutputsJob;
/** The answer to a job. */
export type JobAnswer = ExpansionAnswer | GoalAnswer | GoalOutputs;

if (import.meta.main) {
  process.on('message', (job: Job) => process.send?.(answerToJob(job)));
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

function answerToJob(job: Job): JobAnswer {
  if ('spec' in job) return goalOfSpec(job);
  return 'outputs' in job ? outputsOf(job) : answerTo(job);
}

function goalOfSpec({ spec, now }: GoalJob): GoalAnswer {
  const goal = goalOf(JSON.parse(spec), now);
  return { text: goalText(goal), hash: goalHash(goal) };
}

const fix =
  'A run knows its resources before it starts: name the resource by parameters, or put it into a second deployment that takes the output';

/** The nodes of a location. Resources about which answers of Azure decide are problems: a run knows all before it starts. */
export function answerTo({ goal, place, target, answers }: ExpansionJob): ExpansionAnswer {
  try {
    const { nodes, problems, undecided } = expandLocation(parseGoal(goal), place, target, answers);
    const refused = undecided.map(({ path, message }) => ({ path, message: `${message}. ${fix}` }));
    return {
      nodes: nodes.map(({ manifest, ...node }) => ({ ...node, manifestText: JSON.stringify(manifest) })),
      problems: [...problems, ...refused],
    };
  } catch (error) {
    return { nodes: [], problems: [unexpected(error)] };
  }
}

/** The outputs of a location. */
export function outputsOf({ goal, place, target, answers }: ExpansionJob): GoalOutputs {
  try {
    if (!target) return { outputs: [], needed: [], problems: [] };
    return goalOutputs({ ...armGoalAt(parseGoal(goal), place, target), ...(answers && { answers }) });
  } catch (error) {
    return { outputs: [], needed: [], problems: [unexpected(error)] };
  }
}

/** The message of an unexpected error may quote the template. */
function unexpected(error: unknown): DeploymentProblem {
  const name = error instanceof Error ? error.name : 'Error';
  return { path: 'template', message: `The template cannot be expanded (${name})` };
}
