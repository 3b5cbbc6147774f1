import { hostname } from 'node:os';
import type { Counter } from 'prom-client';
import { messageOf } from '../../base/errors.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import type { Logger } from '../../base/observability/log.ts';
import { counter } from '../../base/observability/metrics.ts';
import type { Runtime } from '../cache/types.ts';
import { isAlreadyExists, isNotFound, KubeStatusError } from '../client/status-error.ts';
import type { KubeObject } from '../client/types.ts';
import { WorkQueue } from '../controller/work-queue.ts';
import {
  cutNote,
  eventNamespace,
  eventObject,
  eventsType,
  identityOf,
  keyOfEvent,
  type ObjectEvent,
  type Reporter,
} from './event-object.ts';
import { microTime } from './micro-time.ts';
import { isOwed, isWarning, type Series, SeriesTable } from './series-table.ts';
import { TokenBucket } from './token-bucket.ts';

/** What programs see: call and forget. */
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
  /** Series held at a time; beyond, events of the namespace that holds the most are dropped. @default 2000 */
  readonly maxSeries?: number;
}

/** Tries of one write before its series is dropped. */
const maxFailures = 12;
/** Writes under way at a time, each of another namespace: an admission webhook of one may be slow. */
const maxInFlight = 8;
/** Every so many writes one is for a normal event, however many warnings wait. */
const normalEvery = 5;

/**
 * Records events as aggregated series. Writes run in the background: warnings before normal events, and the namespaces in
 * turn, so that no namespace delays the warnings of another. `close` writes what is still owed.
 */
export class KubeEventRecorder implements EventRecorder {
  readonly #runtime: Runtime;
  readonly #log: Logger;
  readonly #options: Required<EventRecorderOptions>;
  readonly #reporter: Reporter;
  readonly #series: SeriesTable;
  /** Where an event object went the last time. */
  readonly #recent = new WeakMap<ObjectEvent, Series>();
  /** When each series is due; what is due waits in `#due`, and counts as taken from here. */
  readonly #queue: WorkQueue<Series>;
  readonly #due = { warnings: new FairQueue<Series>(), normals: new FairQueue<Series>() };
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #bucket: TokenBucket;
  readonly #discarded: Counter<'reason'>;
  readonly #stop = new AbortController();
  readonly #workers: Promise<unknown>;
  /** Ends the wait for something to write, or for a place among the writes under way. */
  #wake: () => void = () => undefined;
  #serial = 0;
  #writes = 0;

  constructor(runtime: Runtime, options: EventRecorderOptions) {
    const defaults = { instance: hostname(), seriesIntervalMs: 30_000, seriesIdleMs: 360_000, writesPerSecond: 5 };
    this.#runtime = runtime;
    this.#options = { ...defaults, similarNotes: 10, maxSeries: 2000, ...options };
    this.#series = new SeriesTable({ maxSeries: this.#options.maxSeries, idleMs: this.#options.seriesIdleMs });
    this.#reporter = { controller: options.controller, instance: this.#options.instance };
    this.#log = runtime.log.child({ component: 'events' });
    this.#queue = new WorkQueue<Series>({
      name: 'events',
      clock: runtime.clock,
      metrics: runtime.metrics,
      id: ({ key }) => key,
      backoff: { initialMs: 1000, maxMs: 60_000 },
    });
    const perSecond = this.#options.writesPerSecond;
    this.#bucket = new TokenBucket({ clock: runtime.clock, perSecond, burst: 5 * perSecond });
    this.#discarded = counter(runtime.metrics, {
      name: 'azimuth_events_discarded_total',
      help: 'Occurrences that the program did not write: too many series, or the API server refused.',
      labelNames: ['reason'],
    });
    this.#workers = Promise.all([this.#fillDue(), this.#sendDue()]);
  }

  /** Series held, never more than `maxSeries`. */
  get held(): number {
    return this.#series.size;
  }

  record(event: ObjectEvent): void {
    try {
      this.#record(event);
    } catch (error) {
      this.#log.error({ error: messageOf(error) }, 'recording an event failed');
    }
  }

  /** Stops the background work and writes every count that is still owed, for at most `deadlineMs`. Never rejects. */
  async close(deadlineMs = 5000): Promise<void> {
    this.#stop.abort();
    this.#queue.close();
    const deadline = new AbortController();
    const { clock } = this.#runtime;
    const flush = this.#workers.then(async () => {
      await Promise.all(this.#inFlight.values());
      for (const series of this.#series.all()) {
        if (isOwed(series)) await this.#write(series, deadline.signal).catch((e) => this.#failed(series, e));
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
    // Series live long; the objects they are about shall not live as long.
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

    const known = this.#series.get(key);
    if (known && this.#again(known, now)) {
      if (key !== group) this.#recent.set(received, known);
      return;
    }
    if (known) this.#series.drop(known);
    const object = eventObject(recorded, this.#reporter, now, this.#serial++);
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
    this.#queue.add(series);
  }

  /** Whether there is room for a new series; another one may have to go for it. */
  #keep(series: Series, now: number): boolean {
    const full = this.#series.size >= this.#options.maxSeries;
    if (full) this.#series.sweep(now);
    const gone = this.#series.add(series);
    if (gone && isOwed(gone)) this.#discard(gone, 'too_many_series');
    return gone !== series;
  }

  /** Counts another occurrence, unless the series has been idle for so long that a new one must begin. */
  #again(series: Series, now: number): boolean {
    const owed = isOwed(series);
    if (!owed && now - series.lastObserved > this.#options.seriesIdleMs) return false;
    series.count++;
    series.lastObserved = now;
    this.#series.touch(series);
    // What is owed already waits for its time, or is being written and looked at again after that.
    // At once after a quiet time: a program that is killed then owes nothing.
    if (!owed) {
      const quietMs = this.#runtime.clock.monotonic() - series.writtenAt;
      this.#queue.add(series, { delayMs: this.#options.seriesIntervalMs - quietMs });
    }
    return true;
  }

  async #fillDue(): Promise<void> {
    for (let series = await this.#queue.take(); series; series = await this.#queue.take()) {
      if (!this.#series.has(series) || !isOwed(series)) {
        this.#queue.done(series);
        continue;
      }
      this.#dueFor(series).add(series.namespace, series);
      this.#wake();
    }
  }

  async #sendDue(): Promise<void> {
    const { signal } = this.#stop;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    await this.#bucket.take(signal).catch(() => undefined);
    while (!signal.aborted) {
      const next = this.#nextDue();
      if (next) {
        this.#send(next);
        await this.#bucket.take(signal).catch(() => undefined);
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #nextDue(): Series | undefined {
    if (this.#inFlight.size >= maxInFlight) return undefined;
    const { warnings, normals } = this.#due;
    const idle = (namespace: string) => !this.#inFlight.has(namespace);
    const [first, second] = this.#writes % normalEvery === normalEvery - 1 ? [normals, warnings] : [warnings, normals];
    const next = first.take(idle) ?? second.take(idle);
    if (next) this.#writes++;
    return next;
  }

  #send(series: Series): void {
    const { namespace } = series;
    const sent = this.#write(series)
      .then(() => this.#queue.forget(series))
      .catch((error) => {
        if (!this.#stop.signal.aborted) this.#failed(series, error);
      })
      .then(() => {
        this.#inFlight.delete(namespace);
        this.#queue.done(series);
        if (isOwed(series)) this.#queue.add(series, { delayMs: this.#options.seriesIntervalMs });
        this.#wake();
      });
    this.#inFlight.set(namespace, sent);
  }

  #dueFor(series: Series): FairQueue<Series> {
    return isWarning(series) ? this.#due.warnings : this.#due.normals;
  }

  async #write(series: Series, signal?: AbortSignal): Promise<void> {
    const { client, clock } = this.#runtime;
    const { count } = series;
    if (count <= series.written) return;
    const state = { count, lastObservedTime: microTime(series.lastObserved) };
    if (series.created) {
      try {
        const patch = { type: 'merge', body: { series: state } } as const;
        await client.patch(eventsType, keyOfEvent(series.object), patch, { ...(signal && { signal }) });
        series.written = count;
        series.writtenAt = clock.monotonic();
        return;
      } catch (error) {
        // Events live for an hour only; the series goes on in a new one.
        if (!isNotFound(error)) throw error;
        series.object = eventObject(series.event, this.#reporter, clock.now(), this.#serial++);
      }
    }
    // A series begins with its second occurrence; the API server refuses a count of one.
    const object = count > 1 ? { ...series.object, series: state } : series.object;
    try {
      await client.create(eventsType, object, { ...(signal && { signal }) });
      series.written = count;
    } catch (error) {
      // The answer to an earlier try was lost; the name is ours alone.
      if (!isAlreadyExists(error)) throw error;
      series.written = 1;
    }
    series.created = true;
    series.writtenAt = clock.monotonic();
  }

  #failed(series: Series, error: unknown): void {
    const { namespace, name } = series.event.regarding.metadata;
    const fields = { namespace, name, reason: series.event.reason, error: messageOf(error) };
    const refused =
      error instanceof KubeStatusError && error.status < 500 && error.status !== 429 && error.status !== 401;
    if (refused || this.#queue.failures(series) >= maxFailures) {
      // Usual while a namespace goes away; an event is never worth more than a line.
      this.#log.info(fields, 'event dropped');
      this.#discard(series, refused ? 'refused' : 'unreachable');
      return;
    }
    this.#log.debug({ ...fields, retryInMs: this.#queue.retry(series) }, 'writing an event failed');
  }

  #discard(series: Series, reason: string): void {
    this.#discarded.inc({ reason }, series.count - series.written);
    series.written = series.count;
    this.#series.drop(series);
    this.#queue.forget(series);
    if (this.#dueFor(series).delete(series.namespace, series)) this.#queue.done(series);
  }
}

function namesOf({ metadata: { namespace, name, uid } }: KubeObject): (string | undefined)[] {
  return [namespace, name, uid];
}
