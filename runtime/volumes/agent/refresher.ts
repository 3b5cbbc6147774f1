import { createHash } from 'node:crypto';
import { AuthUnavailable } from '../../azure/identity/entra-errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { failureMessage } from '../driver/driver-message.ts';
import { type MountRecord, removeRecord, tryReadRecord, writeRecord } from '../driver/mount-record.ts';
import { requestOf } from '../driver/mount-request.ts';
import type { DriverSettings } from '../driver/settings.ts';
import { fillVolume, type VolumeContent } from '../mount/mount.ts';
import type { Mounts } from '../mount/mounts.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import type { FetchOptions } from '../vault/fetch.ts';
import { contentOf } from '../vault/volume-content.ts';
import type { MountService } from './mount-service.ts';
import type { NodePods, Pod } from './pods.ts';
import { mostObjectsOfNamespace, type RecordedVolume, RecordedVolumes } from './recorded-volumes.ts';
import { type Renewal, type Renewals, type Renewed, refusesPrincipal } from './renewals.ts';
import type { Restarts } from './restarts.ts';
import type { VaultPool } from './vault-pool.ts';
import { type SeenVersions, VersionCheck } from './version-check.ts';
import type { VolumeEventReason } from './volume-events.ts';
import type { VolumeMetrics } from './volume-metrics.ts';

/** Parts and times of the refresher. */
export interface RefresherOptions {
  /** Directory of the drivers' records. */
  readonly records: string;
  readonly pods: NodePods;
  readonly vaults: VaultPool;
  readonly service: MountService;
  readonly mounts: Pick<Mounts, 'isMounted'>;
  readonly restarts: Restarts;
  readonly renewals: Renewals;
  readonly settings: Pick<DriverSettings, 'filePermission' | 'volumeBytes'>;
  readonly metrics: VolumeMetrics;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Logger;
  /** Interval of volumes without one, milliseconds. */
  readonly intervalMs: number;
  /** Milliseconds between two scans of the records. @default 2000 */
  readonly scanMs?: number;
  /** Random number from 0 to 1. @default Math.random */
  readonly random?: () => number;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}

/** A volume as the driver recorded it. */
interface Recorded {
  readonly record: MountRecord;
  readonly request: VolumeRequest;
}

/** Share of its interval by which a refresh may come early, to join others of its vault. */
const together = 0.1;
/** Concurrent refreshes of one vault; each may request several objects at once. */
const atOnce = 4;
const longestPauseMs = 15 * 60_000;

/**
 * Refreshes volumes. Reads each vault in batches, by version ids where it lists them, and replaces the files of a
 * volume atomically. A failed refresh leaves the volume as it is, creates an event of the pod, and is retried with
 * growing delays.
 */
export class Refresher {
  readonly #options: RefresherOptions;
  readonly #volumes: RecordedVolumes;
  readonly #newest: VersionCheck;
  readonly #random: () => number;
  /** Vaults with a batch in progress. */
  readonly #busy = new Map<string, Promise<void>>();
  /** Pauses of vaults (Retry-After) and of readers without tokens, until monotonic milliseconds. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(options: RefresherOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#volumes = new RecordedVolumes({ ...options, random: this.#random });
    const { clock, metrics } = options;
    this.#newest = new VersionCheck(clock);
    metrics.kept(() => {
      const all = this.#volumes.all;
      const oldest = Math.min(clock.monotonic(), ...all.map(({ freshAt }) => freshAt));
      return { count: all.length, oldestSeconds: (clock.monotonic() - oldest) / 1000 };
    });
  }

  async run(stop: AbortSignal): Promise<void> {
    const { clock, log, scanMs = 2000 } = this.#options;
    while (!stop.aborted) {
      try {
        for (const volume of await this.#volumes.scan()) this.#tooMany(volume);
        this.#start(stop);
      } catch (error) {
        log.error({ error: messageOf(error) }, 'the volumes to keep up to date could not be looked through');
      }
      await clock.sleep(scanMs, stop).catch(() => undefined);
    }
    await Promise.all(this.#busy.values());
  }

  /** Starts a batch for each vault with a due volume and no batch in progress. */
  #start(stop: AbortSignal): void {
    const now = this.#options.clock.monotonic();
    const vaults = Map.groupBy(this.#volumes.all, ({ vault }) => vault);
    for (const [key, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(key);
    for (const [vault, volumes] of vaults) {
      if (this.#busy.has(vault) || this.#pauseOf(vault) > 0) continue;
      if (!volumes.some(({ dueAt }) => dueAt <= now)) continue;
      const batch = volumes.filter(({ dueAt, intervalMs }) => dueAt - together * intervalMs <= now);
      const work = this.#batch(vault, batch, stop).finally(() => this.#busy.delete(vault));
      this.#busy.set(vault, work);
    }
  }

  async #batch(vault: string, batch: readonly RecordedVolume[], stop: AbortSignal): Promise<void> {
    const queue = batch.values();
    const seen: SeenVersions = new Map();
    const worker = async () => {
      for (const volume of queue) {
        if (stop.aborted || this.#pauseOf(vault) > 0) return;
        const pause = this.#pauseOf(volume.cacheKey);
        if (pause > 0) this.#schedule(volume, pause);
        else await this.#look(volume, vault, seen, stop);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  async #look(volume: RecordedVolume, vault: string, seen: SeenVersions, stop: AbortSignal): Promise<void> {
    const { pods, mounts, metrics, clock } = this.#options;
    const pod = volume.uid === undefined ? undefined : pods.get(volume.uid);
    const gone = volume.uid !== undefined && !pod && pods.current;
    const ending = pod?.metadata.deletionTimestamp !== undefined;
    this.#schedule(volume, volume.intervalMs);
    const record = tryReadRecord(this.#options.records, volume.name);
    if (!record) return;
    const request = requestOf(record);
    try {
      // A volume that is not mounted (any more) has nothing to refresh.
      const there = !gone && !ending && mounts.isMounted(record.directory);
      const changed = there && (await this.#refresh(volume, { record, request }, pod, seen, stop));
      Object.assign(volume, { failures: 0, freshAt: clock.monotonic() });
      if (there) metrics.refresh(changed ? 'changed' : 'unchanged');
    } catch (error) {
      if (stop.aborted) return;
      metrics.refresh('failed');
      const renewal = await this.#renewal({ record, request }, pod, error, stop);
      if (renewal && 'document' in renewal) this.#renew(volume, record, pod, renewal);
      else this.#failed(volume, record, vault, pod, error, renewal?.advice);
    }
  }

  /**
   * Refreshes a volume; resolves to whether it changed. Writes the record last, so that an unfinished refresh is
   * repeated.
   */
  async #refresh(
    volume: RecordedVolume,
    { record, request: recorded }: Recorded,
    pod: Pod | undefined,
    seen: SeenVersions,
    stop: AbortSignal,
  ): Promise<boolean> {
    const { vaults, service, settings, restarts, log, step = () => undefined } = this.#options;
    const request = await service.authenticated(recorded, volume.uid, stop);
    const read = async (vault: FetchOptions): Promise<VolumeContent | undefined> => {
      const has = { versions: record.versions, created: volume.created };
      const objects = await this.#newest.toRead(request, has, vault, seen);
      return objects && contentOf({ ...request, objects }, vault, settings);
    };
    // A retry within a refresh would delay other volumes.
    const content = await vaults.use(request, stop, read, { once: true });
    const versions = content?.versions ?? record.versions;
    const changed = Object.keys(versions).filter((file) => versions[file] !== record.versions[file]);
    if (!content || changed.length === 0) return false;
    step('refresh');
    fillVolume(record.directory, content, { mounted: true, ...(this.#options.step && { step }) });
    const changes = request.objects
      .filter(({ file }) => changed.includes(file))
      .map(({ type, name, file }) => `${type} ${name} ${shortId(record.versions[file])} to ${shortId(versions[file])}`);
    log.info({ directory: record.directory, changed: changes }, 'a volume has new versions');
    step('event');
    this.#event(pod, 'VaultObjectsChanged', `The vault ${request.vault} has new versions: ${changes.join(', ')}`);
    step('restart');
    if (pod) await restarts.afterChange(pod, volumeNameOf(record.directory), digestOf(request, versions), stop);
    step('record');
    this.#keep(volume.name, { ...record, versions });
    step('refreshed');
    return true;
  }

  /** Replaces the record, unless an unmount removed it meanwhile. */
  #keep(name: string, record: MountRecord): void {
    const { records, mounts } = this.#options;
    if (!tryReadRecord(records, name)) return;
    writeRecord(records, record);
    if (!mounts.isMounted(record.directory)) removeRecord(records, record.directory);
  }

  /** The renewed credential; undefined where the credential is not at fault, or its Secret is unreadable now. */
  async #renewal(
    { record, request }: Recorded,
    pod: Pod | undefined,
    error: unknown,
    stop: AbortSignal,
  ): Promise<Renewal | undefined> {
    if (!refusesPrincipal(request, error)) return undefined;
    const { renewals, log } = this.#options;
    const name = record.directory.slice(record.directory.lastIndexOf('/') + 1);
    return renewals.renewed(record.document, name, pod, stop).catch((reason: unknown) => {
      log.warn({ directory: record.directory, error: messageOf(reason) }, 'the Secret of a volume could not be read');
      return undefined;
    });
  }

  /** Records the renewed credential; the next scan reads the record again. */
  #renew({ name }: RecordedVolume, record: MountRecord, pod: Pod | undefined, { document, secret }: Renewed): void {
    this.#keep(name, { ...record, document });
    this.#options.log.info({ directory: record.directory, secret }, 'a volume goes on with a renewed credential');
    this.#event(pod, 'VaultCredentialRenewed', `The volume goes on with what the Secret ${secret} has now`);
  }

  /** Reports a volume beyond the limit of its namespace; it stays as mounted. */
  #tooMany({ directory, uid }: { readonly directory: string; readonly uid: string | undefined }): void {
    this.#options.log.warn({ directory }, 'a volume is not kept up to date: its namespace has too many objects');
    const note = `The volume stays as it is: volumes with refresh may have ${mostObjectsOfNamespace} objects of a namespace on a node`;
    this.#event(uid === undefined ? undefined : this.#options.pods.get(uid), 'VaultRefreshFailed', note);
  }

  #failed(
    volume: RecordedVolume,
    record: MountRecord,
    vault: string,
    pod: Pod | undefined,
    error: unknown,
    advice = '',
  ): void {
    const { clock, log, intervalMs } = this.#options;
    volume.failures++;
    const asked = error instanceof AzimuthError ? error.retryAfterMs : undefined;
    const growing = backoff(volume.failures - 1, { initialMs: 5000, maxMs: Math.max(longestPauseMs, intervalMs) });
    const wait = Math.max(asked ?? 0, growing);
    this.#schedule(volume, wait);
    // A vault's limits apply to all its readers; Entra's to the reader without a token.
    const by = refusedBy(error);
    const paused = by === 'vault' ? vault : by === 'token' ? volume.cacheKey : undefined;
    if (asked !== undefined && paused !== undefined) this.#pausedUntil.set(paused, clock.monotonic() + asked);
    const reason = failureMessage(error, record.document).replaceAll(/ \(request [^()]{0,200}\)/g, '');
    const why = advice === '' ? reason : `${reason}; ${advice}`;
    log.warn({ directory: record.directory, error: why, retryInMs: wait }, 'a volume could not be refreshed');
    this.#event(pod, 'VaultRefreshFailed', `The volume keeps what it has: ${why}`);
  }

  /** Remaining pause of a vault or reader, milliseconds; 0 or less where it has none. */
  #pauseOf(key: string): number {
    return (this.#pausedUntil.get(key) ?? 0) - this.#options.clock.monotonic();
  }

  /** Up to a tenth earlier or later, to spread volumes that were mounted together. */
  #schedule(volume: RecordedVolume, ms: number): void {
    volume.dueAt = this.#options.clock.monotonic() + ms * (0.9 + 0.2 * this.#random());
  }

  #event(regarding: Pod | undefined, reason: VolumeEventReason, note: string): void {
    if (!regarding) return;
    const type = reason === 'VaultRefreshFailed' ? 'Warning' : 'Normal';
    this.#options.events.record({ regarding, type, reason, action: 'Refresh', note });
  }
}

/** The answer that failed a refresh; undefined where there was no answer. */
function refusedBy(error: unknown): 'vault' | 'token' | undefined {
  if (!(error instanceof AzimuthError)) return undefined;
  if (error instanceof KeyVaultError || error.cause instanceof KeyVaultError) return 'vault';
  const unavailable = error instanceof AuthUnavailable || error.cause instanceof AuthUnavailable;
  return unavailable || error.code === 'AZ_AUTH_FAILED' ? 'token' : undefined;
}

function volumeNameOf(directory: string): string {
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  // The text becomes the name of an annotation.
  return name.slice(0, 63).replace(/[^A-Za-z0-9]{1,63}$/, '');
}

/** A digest of the versions, the same on every node and for every replica. */
function digestOf({ vault, objects }: VolumeRequest, versions: Readonly<Record<string, string>>): string {
  const all = objects.map(({ type, name, file }) => [type, name, file, versions[file] ?? '']);
  return createHash('sha256')
    .update(JSON.stringify([vault, all]))
    .digest('hex')
    .slice(0, 16);
}

function shortId(version: string | undefined): string {
  return (version ?? '').slice(0, 8) || 'none';
}
