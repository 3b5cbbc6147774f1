import { messageOf } from '../../../base/errors.ts';
import type { EventRecorder } from '../../../kube/events/recorder.ts';
import { failureMessage } from '../../driver/driver-message.ts';
import { tryReadRecord } from '../../driver/mount-record.ts';
import type { NodePods, Pod } from '../pods.ts';
import type { VolumeEventReason } from '../volume-events.ts';
import type { VolumeMetrics } from '../volume-metrics.ts';
import { mostObjectsOfNamespace, type RecordedVolume, RecordedVolumes } from './recorded-volumes.ts';
import { RefreshSchedule } from './refresh-schedule.ts';
import { fitsRefreshedMemory, mostRefreshedBytes } from './refreshed-memory.ts';
import type { SeenVersions } from './version-check.ts';
import { type RecordedMount, VolumeRefresh, type VolumeRefreshDeps } from './volume-refresh.ts';

/** Dependencies and times of the refresher. */
export interface RefresherDeps extends Omit<VolumeRefreshDeps, 'hasRoom' | 'onEvent'> {
  readonly pods: NodePods;
  readonly metrics: VolumeMetrics;
  readonly events: EventRecorder;
  /** Interval of volumes without one, milliseconds. */
  readonly intervalMs: number;
  /** Milliseconds between two scans of the records. @default 2000 */
  readonly scanMs?: number;
  /** Bytes of files that refreshes may have written. @default mostRefreshedBytes() */
  readonly mostRefreshedBytes?: number;
  /** Random number from 0 to 1. @default Math.random */
  readonly random?: () => number;
}

/** Concurrent refreshes of one vault for one namespace; each may request several objects at once. */
const concurrency = 4;

/**
 * Refreshes volumes. Reads each vault in batches, by version ids where it lists them, and replaces the files of a
 * volume atomically. A failed refresh leaves the volume as it is, creates an event of the pod, and is retried with
 * growing delays.
 */
export class Refresher {
  readonly #deps: RefresherDeps;
  readonly #volumes: RecordedVolumes;
  readonly #schedule: RefreshSchedule;
  readonly #refresh: VolumeRefresh;
  /** Batches in progress, by vault and namespace. */
  readonly #batches = new Map<string, Promise<void>>();

  constructor(deps: RefresherDeps) {
    const { random = Math.random, clock, metrics } = deps;
    this.#deps = deps;
    this.#volumes = new RecordedVolumes({ ...deps, random });
    this.#schedule = new RefreshSchedule({ ...deps, random });
    const onEvent = (pod: Pod | undefined, reason: VolumeEventReason, note: string) => this.#event(pod, reason, note);
    const { mostRefreshedBytes: most = mostRefreshedBytes() } = deps;
    const namespaceOf = (volume: RecordedVolume) => this.#volumes.namespaceOf(volume);
    const hasRoom = (volume: RecordedVolume, bytes: number) =>
      fitsRefreshedMemory(volume, bytes, this.#volumes.all, { namespaceOf, most });
    this.#refresh = new VolumeRefresh({ ...deps, hasRoom, onEvent });
    metrics.onScrape(() => {
      const all = this.#volumes.all;
      const oldest = Math.min(clock.monotonic(), ...all.map(({ freshAt }) => freshAt));
      return { count: all.length, oldestSeconds: (clock.monotonic() - oldest) / 1000 };
    });
  }

  /** Scans the records and refreshes due volumes until `stop` aborts. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, log, scanMs = 2000 } = this.#deps;
    while (!stop.aborted) {
      try {
        for (const volume of await this.#volumes.scan()) this.#reportTooMany(volume);
        this.#startBatches(stop);
      } catch (error) {
        log.error({ error: messageOf(error) }, 'the records of volumes cannot be read');
      }
      await clock.sleep(scanMs, stop).catch(() => undefined);
    }
    await Promise.all(this.#batches.values());
  }

  /**
   * Starts a batch for each vault with a due volume and each namespace without a batch in progress. Namespaces that share
   * a vault wait for no volume of each other: an identity can take a minute to be refused.
   */
  #startBatches(stop: AbortSignal): void {
    for (const [vault, volumes] of this.#schedule.due(this.#volumes.all)) {
      for (const [namespace, batch] of Map.groupBy(volumes, (volume) => this.#volumes.namespaceOf(volume))) {
        const key = `${vault} ${namespace}`;
        if (this.#batches.has(key)) continue;
        const work = this.#runBatch(vault, batch, stop).finally(() => this.#batches.delete(key));
        this.#batches.set(key, work);
      }
    }
  }

  async #runBatch(vault: string, batch: readonly RecordedVolume[], stop: AbortSignal): Promise<void> {
    const queue = batch.values();
    const seen: SeenVersions = new Map();
    const worker = async () => {
      for (const volume of queue) {
        if (stop.aborted || this.#schedule.pauseMs(vault) > 0) return;
        const pause = this.#schedule.pauseMs(volume.cacheKey);
        if (pause > 0) this.#schedule.next(volume, pause);
        else await this.#refreshVolume(volume, seen, stop);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async #refreshVolume(volume: RecordedVolume, seen: SeenVersions, stop: AbortSignal): Promise<void> {
    const { records, pods, mounts, metrics, clock } = this.#deps;
    const pod = volume.uid === undefined ? undefined : pods.get(volume.uid);
    const gone = volume.uid !== undefined && !pod && pods.current;
    const terminating = pod?.metadata.deletionTimestamp !== undefined;
    this.#schedule.next(volume, volume.intervalMs);
    const record = tryReadRecord(records, volume.name);
    if (!record) return;
    const mount = { volume, record, pod };
    try {
      // A volume that is not mounted (any more) has nothing to refresh.
      const isMounted = !gone && !terminating && mounts.isMounted(record.directory);
      const changed = isMounted && (await this.#refresh.refresh(mount, seen, stop));
      Object.assign(volume, { failures: 0, freshAt: clock.monotonic() });
      if (isMounted) metrics.refresh(changed ? 'changed' : 'unchanged');
    } catch (error) {
      if (stop.aborted) return;
      metrics.refresh('failed');
      const renewed = await this.#refresh.renew(mount, error, stop);
      if (renewed !== true) this.#reportFailure(mount, error, renewed);
    }
  }

  /** Reports a volume beyond the limit of its namespace; it stays as mounted. */
  #reportTooMany({ directory, uid }: { readonly directory: string; readonly uid: string | undefined }): void {
    this.#deps.log.warn({ directory }, 'a volume is not refreshed: its namespace has too many objects');
    const note = `The volume stays as it is: volumes with refresh may have ${mostObjectsOfNamespace} objects of a namespace on a node`;
    this.#event(uid === undefined ? undefined : this.#deps.pods.get(uid), 'VaultRefreshFailed', note);
  }

  #reportFailure({ volume, record, pod }: RecordedMount, error: unknown, advice: string): void {
    const retryInMs = this.#schedule.retry(volume, error);
    const reason = failureMessage(error, record.document).replaceAll(/ \(request [^()]{0,200}\)/g, '');
    const message = advice === '' ? reason : `${reason}; ${advice}`;
    this.#deps.log.warn({ directory: record.directory, error: message, retryInMs }, 'a volume could not be refreshed');
    this.#event(pod, 'VaultRefreshFailed', `The volume stays as it is: ${message}`);
  }

  #event(regarding: Pod | undefined, reason: VolumeEventReason, note: string): void {
    if (!regarding) return;
    const type = reason === 'VaultRefreshFailed' ? 'Warning' : 'Normal';
    this.#deps.events.record({ regarding, type, reason, action: 'Refresh', note });
  }
}
