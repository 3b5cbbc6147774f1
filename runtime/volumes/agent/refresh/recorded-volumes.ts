import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readBoundedFile } from '../../../base/bounded-file.ts';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/observability/log.ts';
import { type MountRecord, removeRecord } from '../../driver/mount-record.ts';
import { podUidOf, requestOf } from '../../driver/mount-request.ts';
import type { Mounts } from '../../mount/mounts.ts';
import type { NodePods } from '../pods.ts';
import { cacheKeyOf } from './cache-key.ts';

/** A volume to refresh. Its record stays on the disk, because the records of a node may need too much memory. */
export interface RecordedVolume {
  /** File name of its record. */
  readonly name: string;
  readonly directory: string;
  readonly uid: string | undefined;
  /** Cloud and name of its vault; a vault's limits apply to all its readers together. */
  readonly vault: string;
  /** Digest of the options. */
  readonly document: string;
  /** Digest of cacheKeyOf. */
  readonly cacheKey: string;
  readonly objects: number;
  /** Creation time of its versions, by file name. */
  readonly created: Map<string, number>;
  readonly intervalMs: number;
  /** Bytes of the files that the last refresh wrote; 0 before the first. */
  refreshedBytes: number;
  /** Time of the next refresh. Times are monotonic milliseconds. */
  dueAt: number;
  /** Time of the last successful refresh. */
  freshAt: number;
  failures: number;
}

/** How records are read. */
export interface RecordedVolumesDeps {
  /** Directory of the drivers' records. */
  readonly records: string;
  readonly pods: Pick<NodePods, 'get' | 'current'>;
  readonly mounts: Pick<Mounts, 'isMounted'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Interval of volumes without one, milliseconds. */
  readonly intervalMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** kubelet passes the options as one program argument of at most 128 KiB; JSON may double that, and versions add to it. */
const mostRecordBytes = 1024 * 1024;

/** Most objects of one namespace that the agent refreshes; each takes memory and requests. */
export const mostObjectsOfNamespace = 10_000;

interface Known {
  /** Inode, time and size of the record. Drivers replace records, so a changed one differs. */
  readonly stamp: string;
  /** Undefined where the record is unusable. */
  readonly volume: RecordedVolume | undefined;
}

/** The volumes that drivers recorded. Reads changed records again, so that a restart of the agent loses nothing. */
export class RecordedVolumes {
  readonly #deps: RecordedVolumesDeps;
  readonly #known = new Map<string, Known>();

  constructor(deps: RecordedVolumesDeps) {
    this.#deps = deps;
  }

  get all(): readonly RecordedVolume[] {
    return [...this.#known.values()].flatMap(({ volume }) => volume ?? []);
  }

  /**
   * Reads new records, and forgets volumes that were unmounted, or whose pod is gone. Resolves to volumes that it
   * refused in this call, because their namespace has too many objects. Yields to other work between two records.
   */
  async scan(): Promise<readonly Pick<RecordedVolume, 'directory' | 'uid'>[]> {
    const { records, pods, mounts } = this.#deps;
    const names = (await readdir(records).catch(() => [])).filter((name) => name.endsWith('.json'));
    const present = new Set(names);
    for (const name of this.#known.keys()) if (!present.has(name)) this.#known.delete(name);
    const objects = this.#objectsByNamespace();
    const refused: RecordedVolume[] = [];
    for (const name of names) {
      const stamp = await this.#stampOf(name);
      const before = this.#known.get(name);
      if (stamp === undefined || before?.stamp === stamp) continue;
      const volume = await this.#read(name);
      // A record with only new versions, as of a refresh, changes nothing here.
      if (volume && before?.volume?.document === volume.document) {
        this.#known.set(name, { stamp, volume: before.volume });
        continue;
      }
      const namespace = volume ? this.namespaceOf(volume) : '';
      const sum = (objects.get(namespace) ?? 0) + (volume?.objects ?? 0) - (before?.volume?.objects ?? 0);
      const fits = volume !== undefined && sum <= mostObjectsOfNamespace;
      if (fits) objects.set(namespace, sum);
      else if (volume) refused.push(volume);
      this.#known.set(name, { stamp, volume: fits ? volume : undefined });
    }
    if (!pods.current) return refused;
    for (const { uid, name, directory } of this.all) {
      // The pod is deleted; kubelet unmounts its volumes.
      if (uid === undefined || pods.get(uid) || mounts.isMounted(directory)) continue;
      removeRecord(records, directory);
      this.#known.delete(name);
    }
    return refused;
  }

  async #stampOf(name: string): Promise<string | undefined> {
    const fileStat = await stat(join(this.#deps.records, name), { bigint: true }).catch(() => undefined);
    return fileStat && `${fileStat.ino}/${fileStat.mtimeNs}/${fileStat.size}`;
  }

  async #read(name: string): Promise<RecordedVolume | undefined> {
    const { records, log } = this.#deps;
    try {
      const text = await readBoundedFile(join(records, name), { maxBytes: mostRecordBytes });
      return this.#volumeOf(name, JSON.parse(text.toString('utf8')) as MountRecord);
    } catch (error) {
      // An unmount removed it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      // The parser's message quotes the record, which may contain a secret.
      const reason = error instanceof SyntaxError ? 'it is no JSON document' : messageOf(error);
      log.warn({ name, error: reason }, 'the record of a volume cannot be read');
      return undefined;
    }
  }

  #volumeOf(name: string, record: MountRecord): RecordedVolume {
    const { clock, intervalMs, random } = this.#deps;
    const request = requestOf(record);
    const requestedMs = request.refreshSeconds ? request.refreshSeconds * 1000 : intervalMs;
    const now = clock.monotonic();
    const uid = podUidOf(record.directory);
    return {
      name,
      directory: record.directory,
      uid,
      vault: JSON.stringify([request.cloudName.toLowerCase(), request.vault.toLowerCase()]),
      document: digest(record.document),
      cacheKey: digest(cacheKeyOf(request, uid)),
      objects: request.objects.length,
      created: new Map(),
      intervalMs: requestedMs,
      refreshedBytes: record.refreshedBytes ?? 0,
      // All records are new after a start: spread their refreshes.
      dueAt: now + requestedMs * (0.25 + 0.75 * random()),
      freshAt: now,
      failures: 0,
    };
  }

  /** Namespace of the pod; a pod that is not in the cache counts as its own namespace. */
  namespaceOf({ uid = '' }: Pick<RecordedVolume, 'uid'>): string {
    return this.#deps.pods.get(uid)?.metadata.namespace ?? uid;
  }

  #objectsByNamespace(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const volume of this.all) {
      const namespace = this.namespaceOf(volume);
      sums.set(namespace, (sums.get(namespace) ?? 0) + volume.objects);
    }
    return sums;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
