/** The process that expands goals of tenants: one location after another, and the operator ends it at its limits. */
import type { TargetGroup } from '../../compute/deployments/arm-objects.ts';
import { armGoalAt, type ExpansionPlace } from '../../compute/deployments/expand-goal.ts';
import { goalHash, goalOf, goalText, parseGoal } from '../../compute/deployments/goal.ts';
import type { GoalNode } from '../../compute/deployments/goal-nodes.ts';
import { type GoalOutputs, goalOutputs } from '../../compute/deployments/goal-outputs.ts';
import type { Answers } from '../../compute/deployments/open-values.ts';
import {
  answersRead,
  type Decision,
  expandRound,
  type ReadAnswers,
} from '../../compute/deployments/rounds/expand-round.ts';
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
  /** What decides about the next round of the run; absent where all resources are there. */
  readonly decision?: Decision;
}

/** One location of a goal, as the ComputeRun has its text. */
export interface ExpansionJob {
  readonly goal: string;
  readonly place: ExpansionPlace;
  /** Only for an ARM template. */
  readonly target?: TargetGroup;
  /** Azure's answers, for objects that need them. */
  readonly answers?: Answers;
  /** Azure's answers that decide names and counts. */
  readonly decided?: Answers;
}

/** Which parts of `decided` the expansion of a location reads. */
export interface ReadPartsJob extends ExpansionJob {
  readonly readParts: true;
}

/** The parts of the answers, or what is wrong with the location that they decide. */
export type ReadPartsAnswer = ReadAnswers;

/** The outputs of one location of a goal with an ARM template. */
export interface OutputsJob extends ExpansionJob {
  readonly outputs: true;
}

/** A job of the process. */
export type Job = ExpansionJob | GoalJob | OutputsJob | ReadPartsJob;
/** The answer to a job. */
export type JobAnswer = ExpansionAnswer | GoalAnswer | GoalOutputs | ReadPartsAnswer;

if (import.meta.main) {
  process.on('message', (job: Job) => process.send?.(answerToJob(job)));
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

function answerToJob(job: Job): JobAnswer {
  if ('spec' in job) return goalOfSpec(job);
  if ('readParts' in job) return readPartsOf(job);
  return 'outputs' in job ? outputsOf(job) : answerTo(job);
}

function goalOfSpec({ spec, now }: GoalJob): GoalAnswer {
  const goal = goalOf(JSON.parse(spec), now);
  return { text: goalText(goal), hash: goalHash(goal) };
}

/** The nodes of a location that are decided. */
export function answerTo({ goal, place, target, answers, decided }: ExpansionJob): ExpansionAnswer {
  try {
    const { nodes, ...rest } = expandRound(parseGoal(goal), place, target, { answers, decided });
    return {
      nodes: nodes.map(({ manifest, ...node }) => ({ ...node, manifestText: JSON.stringify(manifest) })),
      ...rest,
    };
  } catch (error) {
    return { nodes: [], problems: [unexpected(error)] };
  }
}

/** The outputs of a location. */
export function outputsOf({ goal, place, target, answers, decided }: ExpansionJob): GoalOutputs {
  try {
    if (!target) return { outputs: [], needed: [], problems: [] };
    const given = { ...(answers && { answers }), ...(decided && { decided }) };
    return goalOutputs({ ...armGoalAt(parseGoal(goal), place, target), ...given });
  } catch (error) {
    return { outputs: [], needed: [], problems: [unexpected(error)] };
  }
}

function readPartsOf({ goal, place, target, decided = {} }: ReadPartsJob): ReadPartsAnswer {
  try {
    if (!target) return { parts: {}, problems: [] };
    return answersRead(parseGoal(goal), place, target, decided);
  } catch (error) {
    return { parts: {}, problems: [unexpected(error)] };
  }
}

/** The message of an unexpected error may quote the template. */
function unexpected(error: unknown): DeploymentProblem {
  const name = error instanceof Error ? error.name : 'Error';
  return { path: 'template', message: `The template cannot be expanded (${name})` };
}
