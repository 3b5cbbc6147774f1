import type { KubeObject } from '../client/types.ts';
import type { ObjectEvent } from './event-object.ts';

/** One event and its repetitions. */
export interface Series {
  readonly key: string;
  /** Series of one object, type, reason and action: they differ in the note. */
  readonly group: string;
  /** The namespace of the Event. */
  readonly namespace: string;
  readonly event: ObjectEvent;
  object: KubeObject;
  created: boolean;
  /** Occurrences, and how many of them the API server knows of. */
  count: number;
  written: number;
  /** Monotonic milliseconds. */
  writtenAt: number;
  lastObserved: number;
}

/** Limits of a SeriesTable. */
export interface SeriesTableOptions {
  /** Most series in memory. */
  readonly maxSeries: number;
  /** After so long without an occurrence a series may be dropped, milliseconds. */
  readonly idleMs: number;
}

/** Least time between two searches for idle series, milliseconds: a search reads the whole table. */
const sweepIntervalMs = 1000;

/** Whether the event of the series is a warning. */
export const isWarning = ({ event }: Series) => event.type === 'Warning';
/** Whether the series has occurrences that are not written yet. */
export const isPending = ({ count, written }: Series) => count > written;

/**
 * The series of a recorder. A full table drops a series of the namespace with the most series, so that no namespace
 * displaces the events of others.
 */
export class SeriesTable {
  readonly #options: SeriesTableOptions;
  readonly #series = new Map<string, Series>();
  readonly #groups = new Map<string, Set<string>>();
  /** By namespace, least recently recorded first. */
  readonly #all = new Map<string, Set<Series>>();
  readonly #normals = new Map<string, Set<Series>>();
  #swept = Number.NEGATIVE_INFINITY;

  constructor(options: SeriesTableOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#series.size;
  }

  get(key: string): Series | undefined {
    return this.#series.get(key);
  }

  has(series: Series): boolean {
    return this.#series.get(series.key) === series;
  }

  /** Series of a group. */
  similar(group: string): number {
    return this.#groups.get(group)?.size ?? 0;
  }

  /** All series, warnings first. */
  all(): Series[] {
    return [...this.#series.values()].sort((a, b) => Number(isWarning(b)) - Number(isWarning(a)));
  }

  /** Makes it the most recently used series of its namespace. */
  touch(series: Series): void {
    for (const table of [this.#all, this.#normals]) {
      const members = table.get(series.namespace);
      if (members?.delete(series)) members.add(series);
    }
  }

  /**
   * Adds a series. Returns the series that it displaced: itself where its namespace has no room; undefined: none.
   */
  add(series: Series): Series | undefined {
    const victim = this.#series.size >= this.#options.maxSeries ? this.#victim(series) : undefined;
    if (victim === series) return series;
    if (victim) this.drop(victim);
    this.#series.set(series.key, series);
    addTo(this.#groups, series.group, series.key);
    addTo(this.#all, series.namespace, series);
    if (!isWarning(series)) addTo(this.#normals, series.namespace, series);
    return victim;
  }

  drop(series: Series): void {
    if (!this.has(series)) return;
    this.#series.delete(series.key);
    deleteFrom(this.#groups, series.group, series.key);
    deleteFrom(this.#all, series.namespace, series);
    deleteFrom(this.#normals, series.namespace, series);
  }

  /** Drops idle series without pending occurrences, at most once a second. */
  sweep(now: number): void {
    if (Math.abs(now - this.#swept) < sweepIntervalMs) return;
    this.#swept = now;
    for (const series of this.#series.values()) {
      if (now - series.lastObserved > this.#options.idleMs && !isPending(series)) this.drop(series);
    }
  }

  /** Order of eviction: series without pending occurrences, normal events, warnings; the newcomer before its equals. */
  #victim(newcomer: Series): Series {
    const namespaceCount = this.#all.get(newcomer.namespace)?.size ?? 0;
    let [largest, most] = [newcomer.namespace, namespaceCount];
    for (const [namespace, { size }] of this.#all) if (size > most) [largest, most] = [namespace, size];
    const [oldest] = this.#all.get(largest) ?? [];
    const [normal] = this.#normals.get(largest) ?? [];
    if (oldest && !isPending(oldest)) return oldest;
    if (largest !== newcomer.namespace) return normal ?? oldest ?? newcomer;
    return isWarning(newcomer) ? (normal ?? newcomer) : newcomer;
  }
}

function addTo<T>(table: Map<string, Set<T>>, key: string, member: T): void {
  table.set(key, (table.get(key) ?? new Set()).add(member));
}

function deleteFrom<T>(table: Map<string, Set<T>>, key: string, member: T): void {
  const members = table.get(key);
  members?.delete(member);
  if (members?.size === 0) table.delete(key);
}
