import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { type MountRecord, removeRecord } from '../driver/mount-record.ts';
import { podUidOf, requestOf } from '../driver/mount-request.ts';
import type { Mounts } from '../mount/mounts.ts';
import { cacheKeyOf } from './cache-key.ts';
import type { NodePods } from './pods.ts';

/** A volume to keep up to date. Its record stays on the disk: a node may have more of them than memory. */
export interface RecordedVolume {
  /** Of its record. */
  readonly name: string;
  readonly directory: string;
  readonly uid: string | undefined;
  /** Cloud and name of its vault: the limits of a vault are for all who ask it. */
  readonly vault: string;
  /** Digest of the options. */
  readonly document: string;
  /** Digest of cacheKeyOf. */
  readonly cacheKey: string;
  readonly objects: number;
  /** When its versions were created, by the names of files. */
  readonly created: Map<string, number>;
  readonly intervalMs: number;
  /** Times are the clock's monotonic milliseconds. */
  dueAt: number;
  /** Of the last refresh that did not fail. */
  freshAt: number;
  failures: number;
}

export interface RecordedVolumesOptions {
  /** Directory of the drivers' records. */
  readonly records: string;
  readonly pods: Pick<NodePods, 'get' | 'current'>;
  readonly mounts: Pick<Mounts, 'isMounted'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** For volumes that name no interval. */
  readonly intervalMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Objects of one namespace that are kept up to date on a node: each takes memory and requests. */
export const mostObjectsOfNamespace = 10_000;

interface Known {
  /** Inode and time of the record. Drivers replace records, so a changed one differs. */
  readonly stamp: string;
  /** Undefined where the record cannot be used. */
  readonly volume: RecordedVolume | undefined;
}

/** The volumes that drivers recorded, read again when a record changes, so that a restart of the agent loses nothing. */
export class RecordedVolumes {
  readonly #options: RecordedVolumesOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: RecordedVolumesOptions) {
    this.#options = options;
  }

  get all(): readonly RecordedVolume[] {
    return [...this.#known.values()].flatMap(({ volume }) => volume ?? []);
  }

  /**
   * Reads new records, and forgets volumes that were unmounted, or whose pod is gone. Resolves to volumes that it has refused
   * now: their namespace has too many objects. Other work goes on between two records.
   */
  async scan(): Promise<readonly Pick<RecordedVolume, 'directory' | 'uid'>[]> {
    const { records, pods, mounts } = this.#options;
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
      // New versions alone, which a refresh records, change nothing here.
      if (volume && before?.volume?.document === volume.document) {
        this.#known.set(name, { stamp, volume: before.volume });
        continue;
      }
      const namespace = volume ? this.#namespaceOf(volume) : '';
      const sum = (objects.get(namespace) ?? 0) + (volume?.objects ?? 0) - (before?.volume?.objects ?? 0);
      const fits = volume !== undefined && sum <= mostObjectsOfNamespace;
      if (fits) objects.set(namespace, sum);
      else if (volume) refused.push(volume);
      this.#known.set(name, { stamp, volume: fits ? volume : undefined });
    }
    if (!pods.current) return refused;
    for (const { uid, name, directory } of this.all) {
      // kubelet unmounts what is left of a pod; until then there is nothing to keep up to date.
      if (uid === undefined || pods.get(uid) || mounts.isMounted(directory)) continue;
      removeRecord(records, directory);
      this.#known.delete(name);
    }
    return refused;
  }

  async #stampOf(name: string): Promise<string | undefined> {
    const found = await stat(join(this.#options.records, name), { bigint: true }).catch(() => undefined);
    return found && `${found.ino}/${found.mtimeNs}/${found.size}`;
  }

  async #read(name: string): Promise<RecordedVolume | undefined> {
    const { records, log } = this.#options;
    const text = await readFile(join(records, name), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return this.#volumeOf(name, JSON.parse(text) as MountRecord);
    } catch (error) {
      // The parser's own message quotes the record, which may have a secret.
      const reason = error instanceof SyntaxError ? 'it is no JSON document' : messageOf(error);
      log.warn({ name, error: reason }, 'the record of a volume cannot be read');
      return undefined;
    }
  }

  #volumeOf(name: string, record: MountRecord): RecordedVolume {
    const { clock, intervalMs, random } = this.#options;
    const request = requestOf(record);
    const own = request.refreshSeconds ? request.refreshSeconds * 1000 : intervalMs;
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
      intervalMs: own,
      // All records are new to an agent that starts, and must not come due together.
      dueAt: now + own * (0.25 + 0.75 * random()),
      freshAt: now,
      failures: 0,
    };
  }

  /** Pods that the watch does not show yet count for themselves. */
  #namespaceOf({ uid = '' }: RecordedVolume): string {
    return this.#options.pods.get(uid)?.metadata.namespace ?? uid;
  }

  #objectsByNamespace(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const volume of this.all) {
      const namespace = this.#namespaceOf(volume);
      sums.set(namespace, (sums.get(namespace) ?? 0) + volume.objects);
    }
    return sums;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
