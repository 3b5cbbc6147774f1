import type { Unstructured } from './types.ts';

/** One write. `object` of a deletion is the last state with the resourceVersion of the deletion. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly bucket: string;
  readonly key: string;
  readonly object: Unstructured;
  readonly previous: Unstructured | undefined;
}

/** Where writes go before they are acknowledged; `append` returns when the record would survive the process. */
export interface Journal {
  append(record: StoreRecord): void;
  close(): void;
}

/** A write at revision `rv`; without `object`, a delete. */
export type StoreRecord =
  | { readonly rv: number; readonly bucket: string; readonly key: string; readonly object: Unstructured }
  | { readonly rv: number; readonly bucket: string; readonly key: string };

/** Settings of the store. */
export interface StoreOptions {
  /** Changes kept for WATCH and for lists at an older revision. @default 50000 */
  readonly history?: number | undefined;
}

/** Thrown for a position that the history no longer covers; `oldest` is the first revision that would still do. */
export class HistoryExpired extends Error {
  readonly oldest: number;
  constructor(oldest: number) {
    super(`the history begins at revision ${oldest}`);
    this.oldest = oldest;
  }
}

/**
 * All objects, in buckets (one per resource) under keys (`namespace/name` or `name`), with one revision for everything
 * and the ordered history of the last changes. Every call is synchronous, so a read, a decision and a write between
 * two awaits are one transaction. Objects that it returns are shared: they are never modified, only replaced.
 */
export class Store {
  readonly #buckets = new Map<string, Map<string, Unstructured>>();
  readonly #sortedKeys = new Map<string, string[]>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #historyLimit: number;
  #history: Change[] = [];
  #revision = 0;
  /** Revisions up to this one cannot be watched from. */
  #forgotten = 0;
  #journal: Journal | undefined;

  constructor(options: StoreOptions = {}) {
    this.#historyLimit = options.history ?? 50_000;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Takes over the records of a journal; later writes go to it. */
  restore(revision: number, records: Iterable<StoreRecord>, journal: Journal): void {
    for (const record of records) {
      const bucket = this.#bucket(record.bucket);
      if ('object' in record) bucket.set(record.key, record.object);
      else bucket.delete(record.key);
    }
    this.#revision = revision;
    this.#forgotten = revision;
    this.#journal = journal;
  }

  /** The records from which a journal rebuilds the present state. */
  *records(): Iterable<StoreRecord> {
    for (const [bucket, objects] of this.#buckets) {
      for (const [key, object] of objects)
        yield { rv: Number(object['metadata'].resourceVersion), bucket, key, object };
    }
  }

  get(bucket: string, key: string): Unstructured | undefined {
    return this.#buckets.get(bucket)?.get(key);
  }

  buckets(): string[] {
    return [...this.#buckets.keys()];
  }

  /** Keys and objects in the order of their keys. */
  entries(bucket: string): [key: string, object: Unstructured][] {
    const objects = this.#buckets.get(bucket);
    if (!objects) return [];
    let keys = this.#sortedKeys.get(bucket);
    if (!keys) {
      keys = [...objects.keys()].sort();
      this.#sortedKeys.set(bucket, keys);
    }
    return keys.map((key) => [key, objects.get(key) as Unstructured]);
  }

  /** The bucket as it was at `revision`. Throws HistoryExpired. */
  entriesAt(bucket: string, revision: number): [key: string, object: Unstructured][] {
    if (revision >= this.#revision) return this.entries(bucket);
    const later = this.changesSince(revision).filter((change) => change.bucket === bucket);
    if (later.length === 0) return this.entries(bucket);
    const objects = new Map(this.#buckets.get(bucket));
    for (const change of later.reverse()) {
      if (change.previous) objects.set(change.key, change.previous);
      else objects.delete(change.key);
    }
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Changes with a revision above `revision`, oldest first. Throws HistoryExpired. */
  changesSince(revision: number): Change[] {
    if (revision < this.#forgotten) throw new HistoryExpired(this.#forgotten);
    let low = 0;
    let high = this.#history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#history[middle] as Change).revision > revision) high = middle;
      else low = middle + 1;
    }
    return this.#history.slice(low);
  }

  /** Stores `object`, giving it the next resourceVersion. The store keeps the very object. */
  put(bucket: string, key: string, object: Unstructured): Unstructured {
    const previous = this.get(bucket, key);
    const revision = this.#revision + 1;
    object['metadata'].resourceVersion = String(revision);
    this.#journal?.append({ rv: revision, bucket, key, object });
    this.#bucket(bucket).set(key, object);
    if (!previous) this.#sortedKeys.delete(bucket);
    this.#commit({ revision, type: previous ? 'MODIFIED' : 'ADDED', bucket, key, object, previous });
    return object;
  }

  /** Removes an object and returns its last state; undefined if there was none. */
  delete(bucket: string, key: string): Unstructured | undefined {
    const previous = this.get(bucket, key);
    if (!previous) return undefined;
    const revision = this.#revision + 1;
    this.#journal?.append({ rv: revision, bucket, key });
    this.#bucket(bucket).delete(key);
    this.#sortedKeys.delete(bucket);
    const object = { ...previous, metadata: { ...previous['metadata'], resourceVersion: String(revision) } };
    this.#commit({ revision, type: 'DELETED', bucket, key, object, previous });
    return object;
  }

  /** Calls `listener` within every write, after it is done. Returns the function that ends it. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops the history, as etcd's compaction does: older positions are answered with 410. */
  compact(): void {
    this.#history = [];
    this.#forgotten = this.#revision;
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
  }

  #bucket(name: string): Map<string, Unstructured> {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = new Map();
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  #commit(change: Change): void {
    this.#revision = change.revision;
    this.#history.push(change);
    // Trimmed in slices, so that the cost of moving the array is shared by many writes.
    if (this.#history.length > this.#historyLimit * 1.25) {
      const cut = this.#history.length - this.#historyLimit;
      this.#forgotten = (this.#history[cut - 1] as Change).revision;
      this.#history = this.#history.slice(cut);
    }
    for (const listener of this.#listeners) listener(change);
  }
}
