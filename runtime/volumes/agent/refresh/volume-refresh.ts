import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/observability/log.ts';
import { type MountRecord, removeRecord, tryReadRecord, writeRecord } from '../../driver/mount-record.ts';
import { requestOf } from '../../driver/mount-request.ts';
import { fillVolume, type VolumeContent } from '../../mount/mount.ts';
import type { Mounts } from '../../mount/mounts.ts';
import type { DriverSettings } from '../../options/settings.ts';
import type { VolumeSpec } from '../../options/volume-spec.ts';
import type { FetchOptions } from '../../vault/fetch.ts';
import { contentOf } from '../../vault/volume-content.ts';
import type { MountService } from '../mount-service.ts';
import type { Pod } from '../pods.ts';
import type { VaultPool } from '../pool/vault-pool.ts';
import type { VolumeEventReason } from '../volume-events.ts';
import type { RecordedVolume } from './recorded-volumes.ts';
import { type Renewal, type Renewals, refusesPrincipal } from './renewals.ts';
import type { Restarts } from './restarts.ts';
import { type SeenVersions, VersionCheck } from './version-check.ts';

/** Dependencies of the refresh of a volume. */
export interface VolumeRefreshDeps {
  /** Directory of the drivers' records. */
  readonly records: string;
  readonly vaults: VaultPool;
  readonly service: MountService;
  readonly mounts: Pick<Mounts, 'isMounted'>;
  readonly restarts: Restarts;
  readonly renewals: Renewals;
  readonly settings: Pick<DriverSettings, 'filePermission' | 'volumeBytes'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether files of so many bytes may be written into a volume. */
  readonly hasRoom: (volume: RecordedVolume, bytes: number) => boolean;
  /** Creates an event of the pod. */
  readonly onEvent: (pod: Pod | undefined, reason: VolumeEventReason, note: string) => void;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}

/** A volume as the driver recorded it. */
export interface RecordedMount {
  readonly volume: RecordedVolume;
  readonly record: MountRecord;
  /** The pod of the volume; undefined where it is not known. */
  readonly pod: Pod | undefined;
}

/** Refreshes one volume: reads new versions, replaces the files, and records the versions in the volume. */
export class VolumeRefresh {
  readonly #deps: VolumeRefreshDeps;
  readonly #versions: VersionCheck;

  constructor(deps: VolumeRefreshDeps) {
    this.#deps = deps;
    this.#versions = new VersionCheck(deps.clock);
  }

  /**
   * Refreshes a volume; resolves to whether it changed. Writes the record last, so that an unfinished refresh is
   * repeated. `seen`: lists of versions that other volumes of the batch have read.
   */
  async refresh({ volume, record, pod }: RecordedMount, seen: SeenVersions, stop: AbortSignal): Promise<boolean> {
    const { vaults, service, settings, restarts, log, step = () => undefined } = this.#deps;
    const request = await service.authenticated(requestOf(record), volume.uid, stop);
    const read = async (vault: FetchOptions): Promise<VolumeContent | undefined> => {
      const has = { versions: record.versions, created: volume.created };
      const objects = await this.#versions.toRead(request, has, vault, seen);
      return objects && contentOf({ ...request, objects }, vault, settings);
    };
    // A retry within a refresh would delay other volumes.
    const content = await vaults.use(request, stop, read, { once: true });
    const versions = content?.versions ?? record.versions;
    const changed = Object.keys(versions).filter((file) => versions[file] !== record.versions[file]);
    if (!content || changed.length === 0) return false;
    const refreshedBytes = content.files.reduce((sum, { content: { length } }) => sum + length, 0);
    if (!this.#deps.hasRoom(volume, refreshedBytes)) throw noRoom(refreshedBytes);
    step('refresh');
    volume.refreshedBytes = refreshedBytes;
    fillVolume(record.directory, content, { mounted: true, ...(this.#deps.step && { step }) });
    const changes = request.objects
      .filter(({ file }) => changed.includes(file))
      .map(({ type, name, file }) => `${type} ${name} ${shortId(record.versions[file])} to ${shortId(versions[file])}`);
    log.info({ directory: record.directory, changed: changes }, 'a volume has new versions');
    step('event');
    const note = `The vault ${request.vault} has new versions: ${changes.join(', ')}`;
    this.#deps.onEvent(pod, 'VaultObjectsChanged', note);
    step('restart');
    if (pod) await restarts.afterChange(pod, volumeNameOf(record.directory), digestOf(request, versions), stop);
    step('record');
    this.#replaceRecord(volume.name, { ...record, versions, refreshedBytes });
    step('refreshed');
    return true;
  }

  /**
   * Renews a credential that Entra refused, from the pod's Secret. Resolves to true where the record has a new one,
   * which the next scan reads; otherwise to how to fix it, or '' where the credential is not at fault.
   */
  async renew({ volume, record, pod }: RecordedMount, error: unknown, stop: AbortSignal): Promise<true | string> {
    const renewal = await this.#renewalOf(record, pod, error, stop);
    if (renewal === undefined) return '';
    if ('advice' in renewal) return renewal.advice;
    const { document, secret } = renewal;
    this.#replaceRecord(volume.name, { ...record, document });
    this.#deps.log.info({ directory: record.directory, secret }, 'a volume uses a renewed credential');
    const note = `The volume uses the service principal that the Secret ${secret} has now`;
    this.#deps.onEvent(pod, 'VaultCredentialRenewed', note);
    return true;
  }

  /** Undefined where the credential is not at fault, or its Secret is unreadable now. */
  async #renewalOf(
    record: MountRecord,
    pod: Pod | undefined,
    error: unknown,
    stop: AbortSignal,
  ): Promise<Renewal | undefined> {
    if (!refusesPrincipal(requestOf(record), error)) return undefined;
    const { renewals, log } = this.#deps;
    const name = record.directory.slice(record.directory.lastIndexOf('/') + 1);
    return renewals.renewed(record.document, name, pod, stop).catch((reason: unknown) => {
      log.warn({ directory: record.directory, error: messageOf(reason) }, 'the Secret of a volume could not be read');
      return undefined;
    });
  }

  /** Replaces the record, unless an unmount removed it meanwhile. */
  #replaceRecord(name: string, record: MountRecord): void {
    const { records, mounts } = this.#deps;
    if (!tryReadRecord(records, name)) return;
    writeRecord(records, record);
    if (!mounts.isMounted(record.directory)) removeRecord(records, record.directory);
  }
}

function noRoom(bytes: number): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_MOUNT',
    `The new files take ${bytes} bytes, and refreshed volumes of the namespace, or of the node, take all the memory that ` +
      'the node agent has for them; restart the pod, mount fewer objects with refresh, or give the agent more memory',
    { retryable: false },
  );
}

function volumeNameOf(directory: string): string {
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  // The text becomes the name of an annotation.
  return name.slice(0, 63).replace(/[^A-Za-z0-9]{1,63}$/, '');
}

/** A digest of the versions, the same on every node and for every replica. */
function digestOf({ vault, objects }: VolumeSpec, versions: Readonly<Record<string, string>>): string {
  const all = objects.map(({ type, name, file }) => [type, name, file, versions[file] ?? '']);
  return createHash('sha256')
    .update(JSON.stringify([vault, all]))
    .digest('hex')
    .slice(0, 16);
}

function shortId(version: string | undefined): string {
  return (version ?? '').slice(0, 8) || 'none';
}
