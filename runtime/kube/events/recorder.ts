import { hostname } from 'node:os';
import type { Counter } from 'prom-client';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { counter } from '../../base/observability/metrics.ts';
import type { Runtime } from '../cache/types.ts';
import { isAlreadyExists, isNotFound, KubeStatusError } from '../client/status-error.ts';
import type { KubeObject } from '../client/types.ts';
import { WorkQueue } from '../controller/work-queue.ts';
import {
  eventNamespace,
  eventObject,
  eventsType,
  identityOf,
  keyOfEvent,
  type ObjectEvent,
  type Reporter,
} from './event-object.ts';
import { microTime } from './micro-time.ts';
import { TokenBucket } from './token-bucket.ts';

/** What programs see: call and forget. */
export interface EventRecorder {
  /**
   * Never blocks, never throws. The same object, type, reason, action and note become one series with a count; at next to no
   * cost where the very same `event` object is passed again.
   */
  record(event: ObjectEvent): void;
}

export interface EventRecorderOptions {
  /** Qualified name of the program, such as `azimuth.dev/operator`. */
  readonly controller: string;
  /** @default the host's name */
  readonly instance?: string;
  /** Least time between two writes of one series, milliseconds. @default 30000 */
  readonly seriesIntervalMs?: number;
  /** After so long without the event, its next occurrence begins a new series, milliseconds. @default 360000 */
  readonly seriesIdleMs?: number;
  /** Writes a second over all series, after a first burst of five times as many. @default 5 */
  readonly writesPerSecond?: number;
  /** Series of one object, reason and action (and related object, see `apart`) that differ in the note; beyond, they become one. @default 10 */
  readonly similarNotes?: number;
  /** Series held at a time; beyond, new events are dropped. @default 2000 */
  readonly maxSeries?: number;
}

interface Series {
  readonly key: string;
  readonly group: string;
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

/** Tries of one write before its series is given up. */
const maxFailures = 12;

/** Records events as aggregated series. Writes run in the background; `close` writes what is still owed. */
export class KubeEventRecorder implements EventRecorder {
  readonly #runtime: Runtime;
  readonly #log: Logger;
  readonly #options: Required<EventRecorderOptions>;
  readonly #reporter: Reporter;
  readonly #series = new Map<string, Series>();
  /** Series by object, reason and action. */
  readonly #similar = new Map<string, Set<string>>();
  /** Where an event object went the last time. */
  readonly #recent = new WeakMap<ObjectEvent, Series>();
  readonly #queue: WorkQueue<Series>;
  readonly #bucket: TokenBucket;
  readonly #discarded: Counter<'reason'>;
  readonly #stop = new AbortController();
  readonly #worker: Promise<void>;
  #serial = 0;

  constructor(runtime: Runtime, options: EventRecorderOptions) {
    const defaults = { instance: hostname(), seriesIntervalMs: 30_000, seriesIdleMs: 360_000, writesPerSecond: 5 };
    this.#runtime = runtime;
    this.#options = { ...defaults, similarNotes: 10, maxSeries: 2000, ...options };
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
      help: 'Occurrences that were never written: too many series, or the API server refused.',
      labelNames: ['reason'],
    });
    this.#worker = this.#work();
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
    const flush = this.#worker.then(async () => {
      for (const series of this.#series.values()) {
        if (series.count > series.written)
          await this.#write(series, deadline.signal).catch((e) => this.#failed(series, e));
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
    if (recent && this.#series.get(recent.key) === recent && this.#again(recent, now)) return;
    // Series live long; the objects they are about shall not live as long.
    const event: ObjectEvent = {
      ...received,
      regarding: identityOf(received.regarding),
      ...(received.related && { related: identityOf(received.related) }),
    };
    const { similarNotes, maxSeries } = this.#options;
    const { apiVersion, kind, metadata } = event.regarding;
    const identity = [apiVersion, kind, eventNamespace(event.regarding), metadata.name, metadata.uid];
    const { related } = event;
    if (event.apart && related) identity.push(related.kind, ...namesOf(related));
    const group = JSON.stringify([...identity, event.type, event.reason, event.action]);
    let key = `${group}${event.note}`;
    let recorded = event;
    if (!this.#series.has(key) && (this.#similar.get(group)?.size ?? 0) >= similarNotes) this.#sweep(now);
    if (!this.#series.has(key) && (this.#similar.get(group)?.size ?? 0) >= similarNotes) {
      key = group;
      recorded = { ...event, note: `(combined from similar events): ${event.note}` };
    }

    const known = this.#series.get(key);
    if (known && this.#again(known, now)) {
      if (key !== group) this.#recent.set(received, known);
      return;
    }
    if (known) this.#drop(known);
    if (this.#series.size >= maxSeries) this.#sweep(now);
    if (this.#series.size >= maxSeries) {
      this.#discarded.inc({ reason: 'too_many_series' });
      return;
    }
    const object = eventObject(recorded, this.#reporter, now, this.#serial++);
    const series: Series = {
      key,
      group,
      event: recorded,
      object,
      created: false,
      count: 1,
      written: 0,
      writtenAt: this.#runtime.clock.monotonic(),
      lastObserved: now,
    };
    this.#series.set(key, series);
    const similar = this.#similar.get(group) ?? new Set();
    this.#similar.set(group, similar.add(key));
    if (key !== group) this.#recent.set(received, series);
    this.#queue.add(series);
  }

  /** Counts another occurrence, unless the series has been idle for so long that a new one must begin. */
  #again(series: Series, now: number): boolean {
    const owed = series.count > series.written;
    if (!owed && now - series.lastObserved > this.#options.seriesIdleMs) return false;
    series.count++;
    series.lastObserved = now;
    // What is owed already waits for its time, or is being written and looked at again after that.
    // At once after a quiet time: a program that is killed then owes nothing.
    if (!owed) {
      const quietMs = this.#runtime.clock.monotonic() - series.writtenAt;
      this.#queue.add(series, { delayMs: this.#options.seriesIntervalMs - quietMs });
    }
    return true;
  }

  async #work(): Promise<void> {
    for (let series = await this.#queue.take(); series; series = await this.#queue.take()) {
      try {
        await this.#bucket.take(this.#stop.signal);
        await this.#write(series);
        this.#queue.forget(series);
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#failed(series, error);
      }
      this.#queue.done(series);
      if (series.count > series.written) this.#queue.add(series, { delayMs: this.#options.seriesIntervalMs });
    }
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
      this.#log.info(fields, 'event given up');
      this.#discarded.inc({ reason: refused ? 'refused' : 'unreachable' }, series.count - series.written);
      this.#queue.forget(series);
      this.#drop(series);
      series.written = series.count;
      return;
    }
    this.#log.debug({ ...fields, retryInMs: this.#queue.retry(series) }, 'writing an event failed');
  }

  #sweep(now: number): void {
    for (const series of this.#series.values()) {
      const idle = now - series.lastObserved > this.#options.seriesIdleMs;
      if (idle && series.written === series.count) this.#drop(series);
    }
  }

  #drop(series: Series): void {
    if (this.#series.get(series.key) === series) this.#series.delete(series.key);
    const similar = this.#similar.get(series.group);
    similar?.delete(series.key);
    if (similar?.size === 0) this.#similar.delete(series.group);
  }
}

function namesOf({ metadata: { namespace, name, uid } }: KubeObject): (string | undefined)[] {
  return [namespace, name, uid];
}
