import { maxDependencies, maxLocations } from '../../api/deployments/compute-deployment.ts';
import {
  type BlockStatus,
  type ComputeRunStatus,
  maxBlockDependencies,
  type RunState,
} from '../../api/deployments/compute-run.ts';
import { operatorName } from '../../arm-kinds/names.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { jsonHash } from '../../base/json.ts';
import type { NodeRecord } from '../../engine/graph/index.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../kube/client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject } from '../../kube/client/types.ts';
import { objectKeyOf } from '../../kube/controller/mappers.ts';
import { recordsOf, storedBlock } from './blocks.ts';
import { blocksOf, type DeploymentRun, type LocationRun } from './deployment-run.ts';
import { finalStates } from './run-status.ts';
import { transitionsOf, withRunConditions } from './runs/run-conditions.ts';
import { type RecordedRun, type RunObject, type Runs, runType } from './runs/runs.ts';

/** The content of the ComputeRuns of a run's locations. */
export interface StoredProgress {
  readonly records: readonly NodeRecord[];
  readonly blocks: readonly BlockStatus[];
  readonly locationRuns: ReadonlyMap<string, LocationRun>;
  /** Characters of the ComputeRuns that were read, as JSON. */
  readonly characters: number;
}

/** Runs of locations that are read: those of a goal, and of the goal before. */
const mostLocationRuns = 2 * maxLocations;
/** Blocks that are read: those of a goal, and of the goal before. An object without its block is applied again. */
const mostBlocks = 20_000;
/** Dependencies in the blocks that are read: those of a goal. */
const mostDependencies = maxLocations * maxDependencies;
/** Characters of the ComputeRuns after which no other is read: four times those of ten thousand objects. */
const mostCharacters = 32_000_000;

const locationRunName = (run: string, location: string) => `${run}-${location}`;

/** Reads and writes the progress of runs: one ComputeRun for each location, so that none becomes too large. */
export class RunStore {
  readonly #client: KubeClient;
  readonly #runs: Runs;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(client: KubeClient, runs: Runs, clock: Pick<Clock, 'now'> = systemClock) {
    this.#client = client;
    this.#runs = runs;
    this.#clock = clock;
  }

  /** The progress of a run. Anybody may have changed it: the caller compares it with the objects. */
  async read({ object }: RecordedRun, signal: AbortSignal): Promise<StoredProgress> {
    const { uid = '', name } = object.metadata;
    const found = this.#runs
      .locationsOf(object.metadata.namespace ?? '', object.spec.deployment, uid)
      .filter(({ metadata, spec }) => metadata.name === locationRunName(name, spec.location ?? ''))
      .slice(0, mostLocationRuns);
    const blocks: BlockStatus[] = [];
    const records: NodeRecord[] = [];
    const locationRuns = new Map<string, LocationRun>();
    // One after the other: anybody may make such a run, and each may have a megabyte.
    let characters = 0;
    let dependencies = 0;
    for (const each of found) {
      if (characters >= mostCharacters) break;
      const run = await this.#client.tryGet<RunObject>(runType, objectKeyOf(each), signal);
      if (!run) continue;
      characters += JSON.stringify(run).length;
      const own: BlockStatus[] = [];
      let left = Math.min(maxBlockDependencies, mostDependencies - dependencies);
      dependencies += left;
      for (const block of (run.status?.blocks ?? []).slice(0, mostBlocks - blocks.length)) {
        const stored = storedBlock(block, left);
        if (!stored) continue;
        left -= stored.after?.length ?? 0;
        own.push(stored);
      }
      dependencies -= left;
      blocks.push(...own);
      records.push(...recordsOf(run.spec.location ?? '', own));
      locationRuns.set(run.spec.location ?? '', { object: identityOf(run), written: '' });
    }
    return { blocks, records, locationRuns, characters };
  }

  /** Writes the blocks of a location if they have changed, and makes its ComputeRun first if there is none. */
  async writeLocation(
    run: DeploymentRun,
    location: string,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const blocks = blocksOf(run, keys);
    const done = blocks.filter(({ state }) => state === 'Succeeded').length;
    const status: ComputeRunStatus = {
      state: blocks.some(({ state }) => state === 'Failed')
        ? 'Failed'
        : done === blocks.length
          ? 'Succeeded'
          : 'Running',
      percent: blocks.length === 0 ? 100 : Math.floor((100 * done) / blocks.length),
      number: run.recorded.record.number,
      blocks,
    };
    // The text of all blocks of a run is a third of its memory.
    const hash = jsonHash(status);
    const known = run.locationRuns.get(location);
    if (known?.written === hash) return;
    const object = known?.object ?? (await this.#make(run, location, signal));
    run.locationRuns.set(location, { object, written: '' });
    const stored = await this.writeStatus(object, status, signal);
    run.locationRuns.set(location, { object: identityOf(stored), written: hash });
  }

  /** Ends the runs of locations that are under way when their run ends. */
  async endLocations({ object }: RecordedRun, state: RunState, signal: AbortSignal): Promise<void> {
    const { uid = '', name, namespace = '' } = object.metadata;
    const ended: RunState = state === 'Superseded' ? state : 'Cancelled';
    for (const each of this.#runs.locationsOf(namespace, object.spec.deployment, uid).slice(0, mostLocationRuns)) {
      if (each.status?.state === undefined || finalStates.has(each.status.state)) continue;
      const status = withRunConditions(each, { state: ended, message: `${name} is ${state}` }, this.#clock.now());
      const body = { metadata: { uid: each.metadata.uid }, status };
      const options = { subresource: 'status', fieldManager: operatorName, signal };
      await this.#client.patch(runType, objectKeyOf(each), { type: 'merge', body }, options).then(
        (stored) => this.#runs.remember(stored),
        (error: unknown) => {
          if (!isNotFound(error) && !isConflict(error)) throw error;
        },
      );
    }
  }

  /** Replaces the status of a ComputeRun, and gives it the conditions of its state. Resolves to the stored object. */
  async writeStatus(object: KubeObject, status: ComputeRunStatus, signal: AbortSignal): Promise<RunObject> {
    const operations = [
      { op: 'test', path: '/metadata/uid', value: object.metadata.uid },
      { op: 'add', path: '/status', value: withRunConditions(object, status, this.#clock.now()) },
    ] as const;
    const options = { subresource: 'status', fieldManager: operatorName, signal };
    const stored = await this.#client.patch<RunObject>(
      runType,
      objectKeyOf(object),
      { type: 'json', operations },
      options,
    );
    this.#runs.remember(stored);
    return stored;
  }

  async #make({ recorded }: DeploymentRun, location: string, signal: AbortSignal): Promise<KubeObject> {
    const { metadata, spec } = recorded.object;
    const { namespace = '', name, uid = '' } = metadata;
    const owner = { apiVersion: apiVersionOf(runType), kind: runType.kind, name, uid, controller: true };
    const run: RunObject = {
      apiVersion: apiVersionOf(runType),
      kind: runType.kind,
      metadata: { namespace, name: locationRunName(name, location), ownerReferences: [owner] },
      spec: { deployment: spec.deployment, location },
    };
    try {
      const made = await this.#client.create<RunObject>(runType, run, { fieldManager: operatorName, signal });
      return identityOf(this.#runs.remember(made));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // A former run of the same name, or somebody else's object: it goes, since this name is the run's.
      const found = await this.#client.tryGet<RunObject>(runType, objectKeyOf(run), signal);
      if (found?.metadata.ownerReferences?.some((each) => each.uid === uid)) return identityOf(found);
      await this.#client.delete(runType, objectKeyOf(run), { signal }).catch(() => undefined);
      throw error;
    }
  }
}

/** The kept part of a location's run, to write its status. The rest may be a megabyte that somebody else wrote. */
function identityOf(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { namespace = '', name, uid = '', generation } = metadata;
  const status = { conditions: transitionsOf(object) };
  return {
    apiVersion,
    kind,
    metadata: { namespace, name, uid, ...(generation !== undefined && { generation }) },
    status,
  };
}
