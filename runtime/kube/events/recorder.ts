import { hostname } from 'node:os';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Runtime } from '../cache/types.ts';
import type { KubeObject } from '../client/types.ts';
import { cutNote, eventNamespace, eventObject, identityOf, type ObjectEvent, type Reporter } from './event-object.ts';
import { SeriesSender } from './series-sender.ts';
import { isPending, type Series, SeriesTable } from './series-table.ts';
import { writeSeries } from './write-series.ts';

/** Records events in the background. */
export interface EventRecorder {
  /**
   * Never blocks, never throws. The same object, type, reason, action and note become one series with a count; at next to no
   * cost where the very same `event` object is passed again.
   */
  record(event: ObjectEvent): void;
}

/** Options and limits of an EventRecorder. */
export interface EventRecorderOptions {
  /** Qualified name of the program, such as `azimuth.dev/operator`. */
  readonly controller: string;
  /** @default the host's name */
  readonly instance?: string;
  /** Least time between two writes of one series, milliseconds. @default 30000 */
  readonly seriesIntervalMs?: number;
  /** After so long without the event, its next occurrence begins a new series, milliseconds. @default 360000 */
  readonly seriesIdleMs?: number;
  /** Writes a second, shared out by namespace, after a first burst of five times as many. @default 5 */
  readonly writesPerSecond?: number;
  /** Series of one object, reason and action (and related object, see `apart`) that differ in the note; beyond, they become one. @default 10 */
  readonly similarNotes?: number;
  /** Series in memory; beyond, events of the namespace with the most series are dropped. @default 2000 */
  readonly maxSeries?: number;
}

/**
 * Records events as aggregated series. Writes run in the background: warnings before normal events, and namespaces in
 * rotation, so that no namespace delays the warnings of another. `close` writes the pending occurrences.
 */
export class KubeEventRecorder implements EventRecorder {
  readonly #runtime: Runtime;
  readonly #log: Logger;
  readonly #options: Required<EventRecorderOptions>;
  readonly #reporter: Reporter;
  readonly #series: SeriesTable;
  /** The series of an event object that was passed before. */
  readonly #recent = new WeakMap<ObjectEvent, Series>();
  readonly #sender: SeriesSender;
  #serial = 0;

  constructor(runtime: Runtime, options: EventRecorderOptions) {
    const defaults = { instance: hostname(), seriesIntervalMs: 30_000, seriesIdleMs: 360_000, writesPerSecond: 5 };
    this.#runtime = runtime;
    this.#options = { ...defaults, similarNotes: 10, maxSeries: 2000, ...options };
    this.#series = new SeriesTable({ maxSeries: this.#options.maxSeries, idleMs: this.#options.seriesIdleMs });
    this.#reporter = { controller: options.controller, instance: this.#options.instance };
    this.#log = runtime.log.child({ component: 'events' });
    const { seriesIntervalMs, writesPerSecond } = this.#options;
    this.#sender = new SeriesSender({
      runtime,
      log: this.#log,
      table: this.#series,
      write: (series) => this.#write(series),
      seriesIntervalMs,
      writesPerSecond,
    });
  }

  /** Series in memory, never more than `maxSeries`. */
  get size(): number {
    return this.#series.size;
  }

  record(event: ObjectEvent): void {
    try {
      this.#record(event);
    } catch (error) {
      this.#log.error({ error: messageOf(error) }, 'recording an event failed');
    }
  }

  /** Stops the background work and writes all pending occurrences, for at most `deadlineMs`. Never rejects. */
  async close(deadlineMs = 5000): Promise<void> {
    const stopped = this.#sender.stop();
    const deadline = new AbortController();
    const { clock } = this.#runtime;
    const flush = stopped.then(async () => {
      for (const series of this.#series.all()) {
        if (isPending(series)) await this.#write(series, deadline.signal).catch((e) => this.#sender.failed(series, e));
      }
    });
    const done = new AbortController();
    const late = clock.sleep(deadlineMs, done.signal).then(
      () => deadline.abort(),
      () => undefined,
    );
    await Promise.race([flush, late]);
    done.abort();
  }

  #record(received: ObjectEvent): void {
    const now = this.#runtime.clock.now();
    const recent = this.#recent.get(received);
    if (recent && this.#series.has(recent) && this.#again(recent, now)) return;
    // A series stays in memory for long: it must not keep its whole object there.
    const event: ObjectEvent = {
      ...received,
      note: cutNote(received.note),
      regarding: identityOf(received.regarding),
      ...(received.related && { related: identityOf(received.related) }),
    };
    const { similarNotes } = this.#options;
    const { apiVersion, kind, metadata } = event.regarding;
    const namespace = eventNamespace(event.regarding);
    const identity = [apiVersion, kind, namespace, metadata.name, metadata.uid];
    const { related } = event;
    if (event.apart && related) identity.push(related.kind, ...namesOf(related));
    const group = JSON.stringify([...identity, event.type, event.reason, event.action]);
    let key = `${group}${event.note}`;
    let recorded = event;
    const isNew = !this.#series.get(key);
    if (isNew && this.#series.similar(group) >= similarNotes) this.#series.sweep(now);
    if (isNew && this.#series.similar(group) >= similarNotes) {
      key = group;
      recorded = { ...event, note: `(combined from similar events): ${event.note}` };
    }

    const openSeries = this.#series.get(key);
    if (openSeries && this.#again(openSeries, now)) {
      if (key !== group) this.#recent.set(received, openSeries);
      return;
    }
    if (openSeries) this.#series.drop(openSeries);
    const object = this.#newObject(recorded);
    const series: Series = {
      key,
      group,
      namespace,
      event: recorded,
      object,
      created: false,
      count: 1,
      written: 0,
      writtenAt: this.#runtime.clock.monotonic(),
      lastObserved: now,
    };
    if (!this.#keep(series, now)) return;
    if (key !== group) this.#recent.set(received, series);
    this.#sender.add(series);
  }

  /** Whether there is room for a new series; another one may have to go for it. */
  #keep(series: Series, now: number): boolean {
    const full = this.#series.size >= this.#options.maxSeries;
    if (full) this.#series.sweep(now);
    const evicted = this.#series.add(series);
    if (evicted && isPending(evicted)) this.#sender.discard(evicted, 'too_many_series');
    return evicted !== series;
  }

  /** Counts another occurrence, unless the series has been idle for so long that a new one must begin. */
  #again(series: Series, now: number): boolean {
    const pending = isPending(series);
    if (!pending && now - series.lastObserved > this.#options.seriesIdleMs) return false;
    series.count++;
    series.lastObserved = now;
    this.#series.touch(series);
    // A series with pending occurrences is in the queue, or returns to it after the write in progress. After a quiet
    // time the write follows at once, so that a kill of the program loses little.
    if (!pending) {
      const quietMs = this.#runtime.clock.monotonic() - series.writtenAt;
      this.#sender.add(series, this.#options.seriesIntervalMs - quietMs);
    }
    return true;
  }

  #write(series: Series, signal?: AbortSignal): Promise<void> {
    const newObject = ({ event }: Series) => this.#newObject(event);
    return writeSeries(this.#runtime, series, newObject, signal);
  }

  #newObject(event: ObjectEvent): KubeObject {
    return eventObject(event, this.#reporter, this.#runtime.clock.now(), this.#serial++);
  }
}

function namesOf({ metadata: { namespace, name, uid } }: KubeObject): (string | undefined)[] {
  return [namespace, name, uid];
}
