import { LRUCache } from 'lru-cache';
import { AzimuthError } from '../../base/errors.ts';
import type { Demand, Usage } from '../../compute/limits/quota.ts';

/** The usages of one region, and the demand of machines that were sent since they were read. */
export interface UsageReading {
  readonly usages: readonly Usage[];
  /** By the uid of the machine's object. */
  readonly sent: Map<string, Demand>;
}

interface Entry {
  readonly reading: Promise<UsageReading | undefined>;
  until: number;
}

/** Milliseconds for which a reading serves every machine of the region, and for which a failed one is not repeated. */
const cacheMs = 60_000;
const longestWaitMs = 600_000;
/** Usages of a region, and characters of a name, that are kept: a service that a tenant runs may answer any number. */
const mostUsages = 500;
const longestName = 128;

/** The usages of regions that were read last: one read a minute at most for each key, for any number of machines. */
export class UsageReads {
  readonly #entries = new LRUCache<string, Entry>({ max: 500 });

  /** The last reading, or a new one; undefined where the read fails. Times in milliseconds since the epoch. */
  of(key: string, now: number, read: () => Promise<readonly Usage[]>): Promise<UsageReading | undefined> {
    const usageEntry = this.#entries.get(key);
    if (usageEntry && now < usageEntry.until) return usageEntry.reading;
    const reading = read().then(
      (usages) => {
        const kept = usages.filter(({ name }) => name.length <= longestName).slice(0, mostUsages);
        return { usages: kept, sent: new Map() };
      },
      (error: unknown) => {
        const asked = error instanceof AzimuthError ? (error.retryAfterMs ?? 0) : 0;
        entry.until = now + Math.max(cacheMs, Math.min(longestWaitMs, asked));
        return undefined;
      },
    );
    const entry: Entry = { reading, until: now + cacheMs };
    this.#entries.set(key, entry);
    return reading;
  }
}
