import type { BlockStatus, ComputeRunStatus } from '../../api/deployments/compute-run.ts';
import type { LightNode } from '../../compute/deployments/desired-graph.ts';
import type { Decision } from '../../compute/deployments/rounds/expand-round.ts';
import type { Strategy } from '../../compute/deployments/strategy.ts';
import type { GraphScheduler } from '../../engine/graph/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type BlockNote, blockStatus } from './blocks.ts';
import type { GoalText } from './expansions.ts';
import type { DecidedLocation } from './runs/run-records.ts';
import type { RecordedRun } from './runs/runs.ts';

/** The ComputeRun of one location, and the hash of its last written status; '' where it is not known. */
export interface LocationRun {
  readonly object: KubeObject;
  readonly written: string;
}

/** A run in memory. All of it but `notes` can be made again from the ComputeRuns. */
export interface DeploymentRun {
  readonly recorded: RecordedRun;
  readonly goal: GoalText;
  /** As the status of a run shows it. */
  readonly templateHash: string;
  readonly nodes: ReadonlyMap<string, LightNode>;
  /** The location of each object, those included that the goal does not have any more. */
  readonly locationOf: (key: string) => string;
  readonly graph: GraphScheduler;
  readonly notes: Map<string, BlockNote>;
  readonly locationRuns: Map<string, LocationRun>;
  /** By location: what decides about its next round. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** By location: the answers of the rounds before. */
  readonly decided: Map<string, DecidedLocation>;
  /** Whether answers have decided about a further round since the run was made in memory. */
  isOutOfDate: boolean;
  strategy: Strategy;
  /** False while a deployment is deleted: its remaining objects show its progress. */
  readonly isStored: boolean;
  /** When the run started; milliseconds since the epoch. */
  readonly startedAt: number;
  /** Characters of the stored progress that it was made from. */
  readonly characters: number;
}

/** Dependencies that take the memory and the time of one object. */
const dependenciesOfObject = 20;
/** Characters of texts that take the memory of one object. */
const charactersOfObject = 1000;

/** Milliseconds that a reconcile run computes for each object of the deployment, forged ones included. */
const nodeMs = 0.02;
/** The same where the run is not in memory, and is made again. */
const loadedNodeMs = 0.06;
/** Milliseconds for each character of the stored progress that a run is made from. */
const characterMs = 0.000_02;

/** Milliseconds that a reconcile run of this size computes; more where it was not in memory. */
export function computingMs(run: DeploymentRun, isInMemory: boolean): number {
  if (isInMemory) return sizeOf(run) * nodeMs;
  return sizeOf(run) * loadedNodeMs + run.characters * characterMs;
}

/** The size of a run, in objects: about 1 KB of memory each. Dependencies and texts count as parts of objects. */
export function sizeOf({
  nodes,
  graph,
  notes,
  goal,
}: Pick<DeploymentRun, 'nodes' | 'graph' | 'notes' | 'goal'>): number {
  let objects = nodes.size;
  let dependencies = 0;
  for (const { dependsOn } of nodes.values()) dependencies += dependsOn.length;
  for (const { key, after } of graph.records.values()) {
    if (!nodes.has(key)) objects++;
    dependencies += after.length;
  }
  let characters = goal.text.length;
  for (const { reason, message } of notes.values()) characters += reason.length + message.length;
  return objects + Math.floor(dependencies / dependenciesOfObject + characters / charactersOfObject);
}

/** The objects of a run by location, sorted. */
export function keysByLocation(run: DeploymentRun): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const key of new Set([...run.nodes.keys(), ...run.graph.records.keys()])) {
    const location = run.locationOf(key);
    const keys = found.get(location);
    if (keys) keys.push(key);
    else found.set(location, [key]);
  }
  for (const keys of found.values()) keys.sort();
  return found;
}

/** The blocks of one location. */
export function blocksOf(run: DeploymentRun, keys: readonly string[]): BlockStatus[] {
  return keys.map((key) => blockStatus(key, run.nodes.get(key), run.graph, run.notes.get(key)));
}

type Location = NonNullable<ComputeRunStatus['locations']>[number];

/** One location in the status of the whole run. `isOver`: the run starts nothing more. */
export function locationStatus(
  location: string,
  run: DeploymentRun,
  blocks: readonly BlockStatus[],
  isOver: boolean,
): Location {
  const id = run.recorded.object.metadata.name;
  const count = (state: BlockStatus['state']) => blocks.filter((each) => each.state === state).length;
  const own = blocks.filter((each) => each.run === id).map(({ since }) => since ?? '');
  const failed = blocks.find(({ state }) => state === 'Failed');
  const state = stateOf(count, blocks.length, own.length > 0, isOver);
  const wave = run.strategy.waves.findIndex((names) => names.includes(location)) + 1;
  return {
    location,
    state,
    percent: blocks.length === 0 ? 100 : Math.floor((100 * count('Succeeded')) / blocks.length),
    ...(wave > 0 && { wave }),
    ...(failed && {
      reason: failed.reason ?? 'Failed',
      message: `${failed.resource}: ${failed.message ?? ''}`.slice(0, 512),
    }),
    ...(own.length > 0 && { startedAt: own.reduce((a, b) => (a < b ? a : b)) }),
    ...(own.length > 0 &&
      state !== 'Running' &&
      state !== 'Pending' && { endedAt: own.reduce((a, b) => (a > b ? a : b)) }),
    ...(run.locationRuns.has(location) && { run: run.locationRuns.get(location)?.object.metadata.name ?? '' }),
  };
}

function stateOf(
  count: (state: BlockStatus['state']) => number,
  all: number,
  hasStarted: boolean,
  isOver: boolean,
): Location['state'] {
  if (count('Succeeded') === all) return 'Succeeded';
  if (count('Running') > 0) return 'Running';
  const ended = count('Succeeded') + count('Failed') + count('Skipped');
  if (count('Failed') > 0 && (isOver || ended === all)) return 'Failed';
  if (isOver) return 'Stopped';
  return hasStarted ? 'Running' : 'Pending';
}
