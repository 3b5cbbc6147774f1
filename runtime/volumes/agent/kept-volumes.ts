import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { listRecords, type MountRecord, removeRecord, tryReadRecord } from '../driver/mount-record.ts';
import { podUidOf, requestOf } from '../driver/mount-request.ts';
import type { Mounts } from '../mount/mounts.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import type { NodePods } from './pods.ts';

/** A volume that asks to be kept up to date. Times are the clock's monotonic milliseconds. */
export interface KeptVolume {
  readonly name: string;
  record: MountRecord;
  readonly request: VolumeRequest;
  readonly uid: string | undefined;
  /** When the versions that it has were made, by the names of files. */
  readonly created: Map<string, number>;
  readonly intervalMs: number;
  dueAt: number;
  /** Of the last look that did not fail. */
  freshAt: number;
  failures: number;
}

export interface KeptVolumesOptions {
  /** Where the drivers put their records. */
  readonly records: string;
  readonly pods: NodePods;
  readonly mounts: Pick<Mounts, 'isMounted'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** For volumes that name no interval. */
  readonly intervalMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What drivers have recorded, read anew at each scan, so that a restart of the agent loses nothing. */
export class KeptVolumes {
  readonly #options: KeptVolumesOptions;
  readonly #volumes = new Map<string, KeptVolume>();

  constructor(options: KeptVolumesOptions) {
    this.#options = options;
  }

  get all(): readonly KeptVolume[] {
    return [...this.#volumes.values()];
  }

  /** Takes up new records, and forgets volumes that were unmounted, or whose pod is gone. */
  scan(): void {
    const { records, pods, mounts } = this.#options;
    const names = listRecords(records);
    const known = new Set(names);
    for (const name of this.#volumes.keys()) if (!known.has(name)) this.#volumes.delete(name);
    for (const name of names) {
      const record = tryReadRecord(records, name);
      const before = this.#volumes.get(name);
      if (!record || (before && sameRecord(before.record, record))) continue;
      const volume = this.#volumeOf(name, record);
      if (volume) this.#volumes.set(name, volume);
    }
    if (!pods.current) return;
    for (const { uid, name, record } of this.#volumes.values()) {
      // kubelet unmounts what is left of a pod; until then there is only nothing to keep up to date.
      if (uid === undefined || pods.get(uid) || mounts.isMounted(record.directory)) continue;
      removeRecord(records, record.directory);
      this.#volumes.delete(name);
    }
  }

  #volumeOf(name: string, record: MountRecord): KeptVolume | undefined {
    const { clock, intervalMs, random, log } = this.#options;
    try {
      const request = requestOf(record);
      const own = request.refreshSeconds ? request.refreshSeconds * 1000 : intervalMs;
      const now = clock.monotonic();
      // All records are new to an agent that starts, and must not come due together.
      const dueAt = now + own * (0.25 + 0.75 * random());
      const uid = podUidOf(record.directory);
      const created = new Map<string, number>();
      return { name, record, request, uid, created, intervalMs: own, dueAt, freshAt: now, failures: 0 };
    } catch (error) {
      log.warn({ name, error: messageOf(error) }, 'the record of a volume cannot be read');
      return undefined;
    }
  }
}

function sameRecord(one: MountRecord, other: MountRecord): boolean {
  return one.document === other.document && JSON.stringify(one.versions) === JSON.stringify(other.versions);
}
