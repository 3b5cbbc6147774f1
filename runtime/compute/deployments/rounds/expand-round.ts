/** Runs go in rounds where answers of Azure decide names: each round has the resources that are decided. */

import { tryParseResourceId } from '../../../azure/arm/resource-ids.ts';
import { quoted } from '../../problems/compute-problem.ts';
import { AnswerReads } from '../../templates/values/answer-reads.ts';
import type { ArmGoal, TargetGroup } from '../arm-objects.ts';
import { armGoalAt, type ExpandedLocation, type ExpansionPlace, expandLocation } from '../expand-goal.ts';
import type { Goal } from '../goal.ts';
import type { GoalNode } from '../goal-nodes.ts';
import { goalOutputs } from '../goal-outputs.ts';
import type { Answers, NeededAnswer } from '../open-values.ts';
import type { DeploymentProblem } from '../substitute.ts';

/** What decides about the next round. */
export interface Decision {
  /** About resources of this round, and outside of the template. */
  readonly needed: readonly NeededAnswer[];
  /** The first of the undecided parts. */
  readonly text: string;
}

/** The resources of one location that can run now. Use them only when there are no problems. */
export interface ExpandedRound {
  readonly nodes: readonly GoalNode[];
  readonly problems: readonly DeploymentProblem[];
  /** Absent in the last round. */
  readonly decision?: Decision;
}

/** Answers for an expansion. */
export interface RoundAnswers {
  /** Of the rounds before: they decide names and counts. @default none */
  readonly decided?: Answers | undefined;
  /** For objects that need them. @default none */
  readonly answers?: Answers | undefined;
}

/**
 * One round of a location. Resources behind an undecided one belong to a later round. A node that the first round has too
 * keeps its hash: answers that it needs are no change of the goal. Pure.
 */
export function expandRound(
  goal: Goal,
  place: ExpansionPlace,
  target: TargetGroup | undefined,
  { decided, answers }: RoundAnswers = {},
): ExpandedRound {
  const expanded = expandLocation(goal, place, target, answers, decided && { decided });
  if (expanded.problems.length > 0) return { nodes: [], problems: expanded.problems };
  const first = decided ? expandLocation(goal, place, target).nodes : [];
  const hashes = new Map(first.map(({ key, hash }) => [key, hash]));
  const round = roundOf(expanded, decided ?? {});
  return { ...round, nodes: round.nodes.map((node) => ({ ...node, hash: hashes.get(node.key) ?? node.hash })) };
}

/** What of an expansion without problems can run now. A resource never waits for nothing: it would be lost, and deleted. */
export function roundOf(
  { nodes: all, undecided }: Pick<ExpandedLocation, 'nodes' | 'undecided'>,
  decided: Answers,
): ExpandedRound {
  const nodes = withoutHeld(all);
  // Only a plan has such parts: a run knows the deployer.
  const open = undecided.filter(({ needsDeployer }) => !needsDeployer);
  if (undecided.length > 0 && open.length === 0) return { nodes, problems: [] };
  if (undecided.length > 0) {
    const next = decisionOf(open, nodes, decided);
    return 'needed' in next ? { nodes, problems: [], decision: next } : { nodes: [], problems: next };
  }
  const problems = all.flatMap(({ key, isHeld }) =>
    isHeld ? { path: 'template.arm.json', message: `${key} waits for a resource about which no answer decides` } : [],
  );
  return { nodes: problems.length > 0 ? [] : nodes, problems };
}

type Given = Pick<ArmGoal, 'decided' | 'reads'>;

/** The parts of answers that a location reads, or what is wrong with the location that they decide. */
export interface ReadAnswers {
  readonly parts: Answers;
  readonly problems: readonly DeploymentProblem[];
}

/** The parts of `decided` that the expansion of a location and its outputs read: with these it gives the same. */
export function answersRead(goal: Goal, place: ExpansionPlace, target: TargetGroup, decided: Answers): ReadAnswers {
  const reads = new AnswerReads();
  const expand = (given: Given) => expandLocation(goal, place, target, undefined, given);
  const textOf = (expanded: ExpandedLocation, given: Given) =>
    JSON.stringify([expanded, goalOutputs({ ...armGoalAt(goal, place, target), ...given })]);
  const expanded = expand({ decided, reads });
  const { problems } = expanded.problems.length > 0 ? expanded : roundOf(expanded, decided);
  if (problems.length > 0) return { parts: {}, problems };
  const whole = textOf(expanded, { decided, reads });
  for (const kept of [reads.members(decided), reads.whole(decided)]) {
    if (textOf(expand({ decided: kept }), { decided: kept }) === whole) return { parts: kept, problems };
  }
  return { parts: decided, problems };
}

/** The nodes that no undecided resource comes before, in their order. */
function withoutHeld(nodes: readonly GoalNode[]): readonly GoalNode[] {
  const held = new Set(nodes.flatMap(({ key, isHeld }) => (isHeld ? key : [])));
  if (held.size === 0) return nodes;
  const users = new Map<string, string[]>();
  for (const { key, dependsOn } of nodes)
    for (const each of dependsOn) {
      const known = users.get(each);
      if (known) known.push(key);
      else users.set(each, [key]);
    }
  for (const key of held) for (const user of users.get(key) ?? []) held.add(user);
  return nodes.filter(({ key }) => !held.has(key));
}

/** The answers that decide next; the problems of a template that no answer decides. */
function decisionOf(
  undecided: ExpandedLocation['undecided'],
  nodes: readonly GoalNode[],
  decided: Answers,
): Decision | readonly DeploymentProblem[] {
  const unread = undecided.filter(({ needed }) => needed.some(({ apiVersion }) => apiVersion === ''));
  if (unread.length > 0)
    return unread.map(({ path, message }) => ({ path, message: `${message}. Give reference() an API version` }));
  const wrong = undecided.flatMap(({ path, message, needed }) => {
    const { id } = needed.find(({ id, key }) => key === '' && !tryParseResourceId(id)) ?? {};
    return id === undefined ? [] : [{ path, message: `${message}. ${quoted(id)} is no id of a resource: correct it` }];
  });
  if (wrong.length > 0) return wrong;
  const given = new Set(Object.keys(decided).map((id) => id.toLowerCase()));
  const present = new Set(nodes.map(({ key }) => key));
  const all = undecided.flatMap(({ message, needed }) => {
    const missing = needed.filter(({ id }) => !given.has(id.toLowerCase()));
    return missing.length > 0 && missing.every(({ key }) => key === '' || present.has(key))
      ? [{ message, missing }]
      : [];
  });
  // What is no resource of the template yet may be one when the others are decided.
  const inside = all.filter(({ missing }) => missing.every(({ key }) => key !== ''));
  const next = inside.length > 0 ? inside : all;
  const [first] = next;
  if (!first)
    return undecided.map(({ path, message, needed }) => {
      const isAnswered = needed.every(({ id }) => given.has(id.toLowerCase()));
      const why = isAnswered
        ? 'That answer does not decide it: pass the value as a parameter'
        : 'The resource that answers comes after this one: remove the dependency between them';
      return { path, message: `${message}. ${why}` };
    });
  const needed = new Map(next.flatMap(({ missing }) => missing.map((each) => [each.id.toLowerCase(), each] as const)));
  return { needed: [...needed.values()], text: first.message };
}
