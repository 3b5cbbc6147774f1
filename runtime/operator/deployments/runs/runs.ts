import { createHash } from 'node:crypto';
import {
  type ComputeDeploymentSpec,
  type ComputeDeploymentStatus,
  computeDeployment,
} from '../../../api/deployments/compute-deployment.ts';
import { type ComputeRunSpec, type ComputeRunStatus, computeRun } from '../../../api/deployments/compute-run.ts';
import { resourceOf } from '../../../api/kinds.ts';
import { operatorName } from '../../../arm-kinds/names.ts';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { withoutTime } from '../../../compute/deployments/goal.ts';
import { deploymentLabel } from '../../../compute/deployments/labels.ts';
import type { WatchedCache } from '../../../kube/cache/types.ts';
import { isAlreadyExists, isNotFound } from '../../../kube/client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ObjectKey } from '../../../kube/client/types.ts';
import { objectKeyOf } from '../../../kube/controller/mappers.ts';
import type { TermCaches } from '../../../kube/controller/term-caches.ts';
import { type RunRecord, type RunRecords, runAnnotation } from './run-records.ts';

/** A ComputeDeployment as the API server has it. */
export type DeploymentObject = KubeObject & { spec: ComputeDeploymentSpec; status?: ComputeDeploymentStatus };
/** A ComputeRun as the cache has it: without its goal and its blocks. */
export type RunObject = KubeObject & { spec: ComputeRunSpec; status?: ComputeRunStatus };
/** A run that the operator has recorded. */
export interface RecordedRun {
  readonly object: RunObject;
  readonly record: RunRecord;
}

/** ComputeRuns, as the client addresses them. */
export const runType = resourceOf(computeRun);
/** ComputeDeployments, as the client addresses them. */
export const deploymentType = resourceOf(computeDeployment);
/** On a ComputeDeployment until its objects are gone. */
export const deploymentFinalizer = 'azimuth.dev/deployment';
/** Index of runs by deployment: `namespace/name`. */
export const deploymentIndex = 'deployment';

const labelValue = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** Milliseconds for which a written run counts that the cache does not show: after that, somebody has deleted it. */
const rememberedMs = 30_000;
/** Names that are tried for a run: somebody may have made an object of that name. */
const nameAttempts = 5;

/** The value as a label, or none where it is too long to be one. */
export function labelOf(name: string, value: string): Readonly<Record<string, string>> {
  return labelValue.test(value) ? { [name]: value } : {};
}

/** The projection of ComputeRuns in the cache: goals and blocks are nearly all of one. */
export function projectRun(object: KubeObject): KubeObject {
  const { goal: _, ...spec } = object['spec'] ?? {};
  const { blocks: __, ...status } = object['status'] ?? {};
  const { managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata, spec, status };
}

/** The ComputeRuns of deployments: found, made, recorded, and removed when they are old. */
export class Runs {
  readonly #client: KubeClient;
  readonly #cache: WatchedCache<RunObject>;
  readonly records: RunRecords;
  /** Runs that were written after the cache has seen them last, by uid. */
  readonly #written = new Map<string, { readonly run: RunObject; readonly until: number }>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #termCaches: Pick<TermCaches, 'catchUp'>;

  constructor(
    client: KubeClient,
    cache: WatchedCache<RunObject>,
    records: RunRecords,
    {
      clock,
      termCaches,
    }: { readonly clock: Pick<Clock, 'monotonic'>; readonly termCaches: Pick<TermCaches, 'catchUp'> },
  ) {
    this.#clock = clock;
    this.#termCaches = termCaches;
    this.#client = client;
    this.#cache = cache;
    this.records = records;
    cache.onChange((change) => {
      if (change.type === 'deleted') this.#written.delete(change.old.metadata.uid ?? '');
    });
  }

  /** Waits until the cache has the runs that were written before this term of the lease. */
  async catchUp(signal: AbortSignal): Promise<void> {
    await this.#termCaches.catchUp([this.#cache], signal);
  }

  /** The recorded runs of a deployment, newest first, without those of single locations. */
  of(deployment: KubeObject): RecordedRun[] {
    return this.#all(deployment.metadata)
      .flatMap((object) => {
        const record = object.spec.location === undefined ? this.records.read(object) : undefined;
        return record ? [{ object, record }] : [];
      })
      .sort((a, b) => b.record.number - a.record.number);
  }

  /** The runs of single locations that belong to the run with this uid. */
  locationsOf(namespace: string, deployment: string, uid: string): RunObject[] {
    return this.#all({ namespace, name: deployment }).filter(
      ({ spec, metadata }) =>
        spec.location !== undefined && metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller),
    );
  }

  /** Runs that somebody asks for by `goalOf` and that have no record yet, oldest first. */
  requested(deployment: KubeObject): RunObject[] {
    return this.#all(deployment.metadata)
      .filter(
        ({ spec, status }) => spec.location === undefined && status?.state === undefined && spec.goalOf !== undefined,
      )
      .filter((run) => run.metadata.deletionTimestamp === undefined && this.records.read(run) === undefined)
      .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  }

  /**
   * Makes a run with its record. A stop between the two leaves a run without record, which the next call takes over if it
   * has the same goal.
   */
  async create(
    deployment: KubeObject,
    spec: Pick<ComputeRunSpec, 'goal' | 'goalOf'>,
    record: RunRecord,
    signal: AbortSignal,
  ): Promise<RecordedRun> {
    for (let attempt = 0; attempt < nameAttempts; attempt++) {
      const number = record.number + attempt;
      const name = `${deployment.metadata.name.slice(0, 180)}-${number}`;
      const object = await this.#createOrTake(deployment, name, spec, signal);
      const textHash = object?.spec.goal === undefined ? {} : { textHash: textHashOf(object.spec.goal) };
      if (object) return await this.record(deployment, object, { ...record, number, ...textHash }, signal);
    }
    throw new AzimuthError(
      'AZ_CONFLICT_OWNED',
      `ComputeRuns that the operator has not made have the names ${deployment.metadata.name}-${record.number} and following: delete them`,
    );
  }

  /** Records a run, and makes the deployment its owner. */
  async record(deployment: KubeObject, run: KubeObject, record: RunRecord, signal: AbortSignal): Promise<RecordedRun> {
    const metadata = {
      uid: run.metadata.uid,
      labels: labelOf(deploymentLabel, deployment.metadata.name),
      annotations: { [runAnnotation]: this.records.sign(run, record) },
      ownerReferences: [ownerOf(deployment)],
    };
    const stored = await this.#client.patch<RunObject>(
      runType,
      objectKeyOf(run),
      { type: 'merge', body: { metadata } },
      { fieldManager: operatorName, signal },
    );
    return { object: this.remember(stored), record };
  }

  /** The text of a run's goal; undefined where the run that has it is gone or is not the operator's. */
  async goal({ object, record }: RecordedRun, signal: AbortSignal): Promise<string | undefined> {
    const { namespace = '', name } = object.metadata;
    const found = await this.#client.tryGet<RunObject>(runType, { namespace, name: record.goalOf ?? name }, signal);
    const source = found && this.records.read(found);
    if (source?.goalHash !== record.goalHash) return undefined;
    const goal = found?.spec.goal;
    return source.textHash === undefined || source.textHash === textHashOf(goal) ? goal : undefined;
  }

  /** Deletes a run; one that is gone is fine. */
  async delete({ object }: RecordedRun, signal: AbortSignal): Promise<void> {
    const { uid = '' } = object.metadata;
    const options = { preconditions: { uid }, propagationPolicy: 'Background', signal } as const;
    await this.#client.delete(runType, objectKeyOf(object), options).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    this.#written.delete(uid);
  }

  /** Keeps a written run until the cache shows it. */
  remember(stored: KubeObject): RunObject {
    const projected = projectRun(stored) as RunObject;
    const { uid = '' } = projected.metadata;
    const now = this.#clock.monotonic();
    for (const [known, { until }] of this.#written) {
      if (until > now) break;
      this.#written.delete(known);
    }
    // At the end, which keeps the map in order of time.
    this.#written.delete(uid);
    this.#written.set(uid, { run: projected, until: now + rememberedMs });
    return projected;
  }

  #all({ namespace = '', name }: ObjectKey): RunObject[] {
    const cached = this.#cache.byIndex(deploymentIndex, `${namespace}/${name}`);
    const seen = new Set<string>();
    const found = cached.map((object) => {
      const { uid = '' } = object.metadata;
      seen.add(uid);
      const written = this.#written.get(uid)?.run;
      if (!written) return object;
      const isOld = Number(object.metadata.resourceVersion) < Number(written.metadata.resourceVersion);
      if (!isOld) this.#written.delete(uid);
      return isOld ? written : object;
    });
    const now = this.#clock.monotonic();
    const fresh = [...this.#written.values()]
      .flatMap(({ run, until }) => (until > now ? run : []))
      .filter(
        ({ metadata, spec }) =>
          !seen.has(metadata.uid ?? '') && metadata.namespace === namespace && spec.deployment === name,
      );
    return [...found, ...fresh];
  }

  async #createOrTake(
    deployment: KubeObject,
    name: string,
    spec: Pick<ComputeRunSpec, 'goal' | 'goalOf'>,
    signal: AbortSignal,
  ): Promise<RunObject | undefined> {
    const { namespace = '' } = deployment.metadata;
    const run: RunObject = {
      apiVersion: apiVersionOf(runType),
      kind: runType.kind,
      metadata: { namespace, name, ownerReferences: [ownerOf(deployment)] },
      spec: { deployment: deployment.metadata.name, ...spec },
    };
    try {
      return await this.#client.create<RunObject>(runType, run, { fieldManager: operatorName, signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const found = await this.#client.tryGet<RunObject>(runType, { namespace, name }, signal);
    const isSame =
      found?.spec.deployment === run.spec.deployment &&
      withoutTime(found.spec.goal) === withoutTime(spec.goal) &&
      found.spec.goalOf === spec.goalOf &&
      found.metadata.deletionTimestamp === undefined;
    return isSame && !this.records.read(found) ? found : undefined;
  }
}

/** SHA-256 of the text of a goal. */
function textHashOf(goal = ''): string {
  return createHash('sha256').update(goal).digest('base64url');
}

/** The deployment as the owner of its runs and objects: the garbage collector removes them after it. */
export function ownerOf({ metadata }: KubeObject) {
  const { name, uid = '' } = metadata;
  return {
    apiVersion: apiVersionOf(deploymentType),
    kind: deploymentType.kind,
    name,
    uid,
    controller: true,
  };
}
