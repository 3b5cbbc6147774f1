import { SharedLru } from '../../base/fairness/shared-lru.ts';
import { desiredGraph, type LightNode } from '../../compute/deployments/desired-graph.ts';
import { parseGoal, templateHash } from '../../compute/deployments/goal.ts';
import { locationLabel } from '../../compute/deployments/labels.ts';
import { isRoundKey } from '../../compute/deployments/rounds/round-node.ts';
import { strategyOf } from '../../compute/deployments/strategy.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';
import { GraphScheduler, type GraphSchedulerOptions, type NodeRecord, TokenBuckets } from '../../engine/graph/index.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { ObjectKey } from '../../kube/client/types.ts';
import { bucketsOfObject } from './azure-buckets.ts';
import type { BlockNote } from './blocks.ts';
import type { Children } from './children.ts';
import { type DeploymentRun, sizeOf } from './deployment-run.ts';
import { type Expansions, goalTextOf } from './expansions.ts';
import { expandLocations } from './rounds/expand-locations.ts';
import { decidedAnswers } from './rounds/template-rounds.ts';
import type { RunStore, StoredProgress } from './run-store.ts';
import type { DeploymentObject, RecordedRun, Runs } from './runs/runs.ts';

/** Dependencies of a loader. */
export interface RunLoaderDeps {
  readonly runtime: Runtime;
  readonly runs: Runs;
  readonly store: RunStore;
  readonly expansions: Expansions;
  readonly children: Children;
}

/** Objects of the runs in memory, of all namespaces: about 1 KB each. A run that is not there is made again. */
const maxObjects = 50_000;
/** Objects that the smallest run counts as: at most 250 runs are in memory. */
const leastObjects = 200;
const weightOf = (run: DeploymentRun) => Math.max(leastObjects, sizeOf(run));

/** Makes runs in memory from their ComputeRuns. */
export class RunLoader {
  readonly #deps: RunLoaderDeps;
  readonly #runs = new SharedLru<DeploymentRun>(maxObjects);
  /** Shared by all runs of the process. */
  readonly #buckets: TokenBuckets;

  constructor(deps: RunLoaderDeps) {
    this.#deps = deps;
    this.#buckets = new TokenBuckets(deps.runtime.clock.now());
  }

  /** Whether the run of a deployment is in memory. */
  has({ namespace = '', name }: ObjectKey): boolean {
    return this.#runs.has(`${namespace}/${name}`);
  }

  /** Drops the run of a deployment from memory. */
  forget({ namespace = '', name }: ObjectKey): void {
    this.#runs.delete(`${namespace}/${name}`);
  }

  /** The run, or the problems of its goal. The strategy is that of the deployment now. */
  async load(
    deployment: DeploymentObject,
    recorded: RecordedRun,
    signal: AbortSignal,
  ): Promise<DeploymentRun | { readonly problems: readonly DeploymentProblem[] }> {
    const { runtime, runs } = this.#deps;
    const { namespace = '', name } = deployment.metadata;
    const key = `${namespace}/${name}`;
    const known = this.#runs.get(key);
    const { uid } = recorded.object.metadata;
    if (known && known.recorded.object.metadata.uid === uid) return this.#follow(known, deployment, recorded);
    const text = await runs.goal(recorded, signal);
    if (text === undefined)
      return { problems: [{ path: 'spec.goalOf', message: 'the run that has the goal is gone' }] };
    const { locations: ordered, template } = parseGoal(text);
    const locations = ordered.map((each) => each.name);
    const goal = goalTextOf(text, template.arm, decidedAnswers(recorded.record));
    const expanded = await expandLocations(this.#deps, { goal, locations, deployment: deployment.metadata }, signal);
    if ('problems' in expanded) return expanded;
    const { nodes, decisions } = expanded;
    const strategy = strategyOf(deployment.spec.strategy, locations);
    const { progress, isOwn } = await this.#progress(deployment, recorded, signal);
    // What the progress does not place may belong to a location that is not decided: it stays until that one is.
    const [undecided = locations[0] ?? ''] = decisions.keys();
    const records = this.#withOrphans(deployment, progress.records, undecided, nodes);
    const places = new Map(records.map((each) => [each.key, each.group]));
    const locationOf = (each: string) => nodes.get(each)?.location ?? places.get(each) ?? '';
    const graph = new GraphScheduler(
      desiredGraph(recorded.object.metadata.name, [...nodes.values()], strategy, passedGatesOf(recorded)),
      records,
      this.#limits(namespace, nodes, locationOf),
    );
    const started = Date.parse(recorded.object.status?.startedAt ?? '');
    const run: DeploymentRun = {
      recorded,
      goal,
      templateHash: templateHash(template),
      nodes,
      locationOf,
      graph,
      notes: notesOf(progress),
      locationRuns: new Map(isOwn ? progress.locationRuns : []),
      decisions,
      decided: new Map(Object.entries(recorded.record.decided ?? {})),
      isOutOfDate: false,
      strategy,
      isStored: true,
      startedAt: Number.isNaN(started) ? runtime.clock.now() : started,
      characters: progress.characters,
    };
    this.#runs.set(key, run, namespace, weightOf(run));
    return run;
  }

  /** A run that deletes all objects of a deployment, those that use others first. Undefined: there is none left. */
  async loadForDeletion(deployment: DeploymentObject, signal: AbortSignal): Promise<DeploymentRun | undefined> {
    const { runtime, runs } = this.#deps;
    const key = `${deployment.metadata.namespace}/${deployment.metadata.name}`;
    const known = this.#runs.get(key);
    if (known && known.nodes.size === 0) return known;
    const [recorded] = runs.of(deployment);
    if (!recorded) return undefined;
    const { progress } = await this.#progress(deployment, recorded, signal);
    const records = this.#withOrphans(deployment, progress.records, '', new Map());
    const places = new Map(records.map((each) => [each.key, each.group]));
    const strategy = strategyOf({}, []);
    const run: DeploymentRun = {
      recorded,
      goal: { text: '', arm: undefined, digest: '' },
      templateHash: '',
      nodes: new Map(),
      locationOf: () => '',
      graph: new GraphScheduler(
        desiredGraph('deletion', [], strategy),
        records,
        this.#limits(deployment.metadata.namespace ?? '', new Map(), (each) => places.get(each) ?? ''),
      ),
      notes: new Map(),
      locationRuns: new Map(),
      decisions: new Map(),
      decided: new Map(),
      isOutOfDate: false,
      strategy,
      isStored: false,
      startedAt: runtime.clock.now(),
      characters: progress.characters,
    };
    this.#runs.set(key, run, deployment.metadata.namespace ?? '', weightOf(run));
    return run;
  }

  #follow(run: DeploymentRun, deployment: DeploymentObject, recorded: RecordedRun): DeploymentRun {
    const strategy = strategyOf(deployment.spec.strategy, run.strategy.waves.flat());
    const followed: DeploymentRun = { ...run, recorded, strategy };
    const passed = passedGatesOf(recorded);
    if (JSON.stringify(strategy) !== JSON.stringify(run.strategy) || passed !== passedGatesOf(run.recorded))
      run.graph.setDesired(desiredGraph(recorded.object.metadata.name, [...run.nodes.values()], strategy, passed));
    const { namespace = '', name } = deployment.metadata;
    this.#runs.set(`${namespace}/${name}`, followed, namespace, weightOf(followed));
    return followed;
  }

  /** The progress of the run, or of the newest one before it while this one has stored none. */
  async #progress(
    deployment: DeploymentObject,
    recorded: RecordedRun,
    signal: AbortSignal,
  ): Promise<{ readonly progress: StoredProgress; readonly isOwn: boolean }> {
    const { runs, store } = this.#deps;
    const own = await store.read(recorded, signal);
    if (recorded.object.status?.state !== undefined) return { progress: own, isOwn: true };
    const before = runs
      .of(deployment)
      .find(({ object, record }) => record.number < recorded.record.number && object.status?.locations !== undefined);
    return before ? { progress: await store.read(before, signal), isOwn: false } : { progress: own, isOwn: true };
  }

  /** Azure's token buckets for the objects of a run. */
  #limits(
    namespace: string,
    nodes: ReadonlyMap<string, LightNode>,
    locationOf: (key: string) => string,
  ): GraphSchedulerOptions {
    const object = (key: string) => {
      return { namespace, location: locationOf(key), key, pipeline: nodes.get(key)?.pipeline };
    };
    return { buckets: this.#buckets, bucketsOf: (key, action) => bucketsOfObject(object(key), action) };
  }

  /**
   * Adds the objects of the deployment of which no progress is stored, in a state that nobody knows. Drops dependencies
   * on keys that are no objects of the run: anybody may have written them.
   */
  #withOrphans(
    deployment: DeploymentObject,
    records: readonly NodeRecord[],
    location: string,
    nodes: ReadonlyMap<string, LightNode>,
  ): NodeRecord[] {
    const found = new Map(records.flatMap((record) => (isRoundKey(record.key) ? [] : [[record.key, record] as const])));
    const places = new Set([...nodes.values()].map((each) => each.location));
    for (const [key, { metadata }] of this.#deps.children.owned(deployment)) {
      if (found.has(key)) continue;
      const made = metadata.labels?.[locationLabel] ?? '';
      const record = {
        key,
        group: places.has(made) ? made : location,
        after: [],
        state: 'Succeeded',
        action: 'Modify',
        hash: '',
        runId: '',
        at: 0,
      } as const;
      found.set(key, record);
    }
    // The text of a key is kept once.
    const known = (each: string) => nodes.get(each)?.key ?? found.get(each)?.key ?? [];
    return [...found.values()].map((record) => ({ ...record, after: record.after.flatMap(known) }));
  }
}

/** Gates do not come back where somebody changes a resource of a run that has succeeded. */
function passedGatesOf({ object, record }: RecordedRun): number {
  return object.status?.state === 'Succeeded' ? Number.POSITIVE_INFINITY : (record.passedGates ?? 0);
}

function notesOf({ blocks }: StoredProgress): Map<string, BlockNote> {
  return new Map(
    blocks.map(({ resource, reason = '', message = '', generation }) => [
      resource,
      { reason, message, ...(generation !== undefined && { generation }) },
    ]),
  );
}
