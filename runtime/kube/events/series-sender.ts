import type { Counter } from 'prom-client';
import { messageOf } from '../../base/errors.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import type { Logger } from '../../base/observability/log.ts';
import { counter } from '../../base/observability/metrics.ts';
import { TokenBucket } from '../../base/scheduling/token-bucket.ts';
import type { Runtime } from '../cache/types.ts';
import { KubeStatusError } from '../client/status-error.ts';
import { WorkQueue } from '../controller/work-queue.ts';
import { isPending, isWarning, type Series, type SeriesTable } from './series-table.ts';

/** Dependencies and limits of a SeriesSender. */
export interface SeriesSenderDeps {
  readonly runtime: Runtime;
  readonly log: Logger;
  readonly table: SeriesTable;
  /** Writes one series; throws the API server's errors. */
  readonly write: (series: Series) => Promise<void>;
  /** Shortest time between two writes of one series, milliseconds. */
  readonly seriesIntervalMs: number;
  readonly writesPerSecond: number;
}

/** Tries of one write before its series is dropped. */
const maxFailures = 12;
/** Concurrent writes, each of another namespace: an admission webhook of one may be slow. */
const maxInFlight = 8;
/** Every so many writes one is for a normal event, however many warnings wait. */
const normalEvery = 5;

/** Writes series in the background: warnings before normal events, namespaces in rotation, at a limited rate. */
export class SeriesSender {
  readonly #deps: SeriesSenderDeps;
  /** Series by the time of their next write. A series that is due counts as taken, and waits in `#due`. */
  readonly #queue: WorkQueue<Series>;
  readonly #due = { warnings: new FairQueue<Series>(), normals: new FairQueue<Series>() };
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #bucket: TokenBucket;
  readonly #discarded: Counter<'reason'>;
  readonly #stop = new AbortController();
  readonly #workers: Promise<unknown>;
  /** Ends the wait for a due series, or for a place among the concurrent writes. */
  #resume: () => void = () => undefined;
  #writes = 0;

  constructor(deps: SeriesSenderDeps) {
    const { clock, metrics } = deps.runtime;
    this.#deps = deps;
    this.#queue = new WorkQueue<Series>({
      name: 'events',
      clock,
      metrics,
      id: ({ key }) => key,
      backoff: { initialMs: 1000, maxMs: 60_000 },
    });
    const perSecond = deps.writesPerSecond;
    this.#bucket = new TokenBucket({ capacity: 5 * perSecond, refillPerSecond: perSecond }, clock.monotonic());
    this.#discarded = counter(metrics, {
      name: 'azimuth_events_discarded_total',
      help: 'Occurrences that the program did not write: too many series, or the API server refused.',
      labelNames: ['reason'],
    });
    this.#workers = Promise.all([this.#fillDue(), this.#sendDue()]);
  }

  /** Enqueues a series for a write after the delay. @default delayMs 0 */
  add(series: Series, delayMs = 0): void {
    this.#queue.add(series, { delayMs });
  }

  /** Ends the background work; resolves when the last write has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#queue.close();
    await this.#workers;
    await Promise.all(this.#inFlight.values());
  }

  /** Retries a failed write later, or drops the series. */
  failed(series: Series, error: unknown): void {
    const { namespace, name } = series.event.regarding.metadata;
    const fields = { namespace, name, reason: series.event.reason, error: messageOf(error) };
    const refused =
      error instanceof KubeStatusError && error.status < 500 && error.status !== 429 && error.status !== 401;
    if (refused || this.#queue.failures(series) >= maxFailures) {
      // Usual while a namespace is being deleted.
      this.#deps.log.info(fields, 'event dropped');
      this.discard(series, refused ? 'refused' : 'unreachable');
      return;
    }
    this.#deps.log.debug({ ...fields, retryInMs: this.#queue.retry(series) }, 'writing an event failed');
  }

  /** Drops a series, and counts its occurrences that are not written. */
  discard(series: Series, reason: string): void {
    this.#discarded.inc({ reason }, series.count - series.written);
    series.written = series.count;
    this.#deps.table.drop(series);
    this.#queue.forget(series);
    if (this.#dueFor(series).delete(series.namespace, series)) this.#queue.done(series);
  }

  async #fillDue(): Promise<void> {
    for (let series = await this.#queue.take(); series; series = await this.#queue.take()) {
      if (!this.#deps.table.has(series) || !isPending(series)) {
        this.#queue.done(series);
        continue;
      }
      this.#dueFor(series).add(series.namespace, series);
      this.#resume();
    }
  }

  async #sendDue(): Promise<void> {
    const { signal } = this.#stop;
    signal.addEventListener('abort', () => this.#resume(), { once: true });
    await this.#takeToken(signal).catch(() => undefined);
    while (!signal.aborted) {
      const next = this.#nextDue();
      if (next) {
        this.#send(next);
        await this.#takeToken(signal).catch(() => undefined);
      } else {
        await new Promise<void>((resolve) => {
          this.#resume = resolve;
        });
      }
    }
  }

  async #takeToken(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps.runtime;
    for (let wait = this.#bucket.waitMs(clock.monotonic()); wait > 0; wait = this.#bucket.waitMs(clock.monotonic())) {
      await clock.sleep(wait, signal);
    }
    signal.throwIfAborted();
    this.#bucket.take(clock.monotonic());
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
    const sent = this.#deps
      .write(series)
      .then(() => this.#queue.forget(series))
      .catch((error) => {
        if (!this.#stop.signal.aborted) this.failed(series, error);
      })
      .then(() => {
        this.#inFlight.delete(namespace);
        this.#queue.done(series);
        if (isPending(series)) this.#queue.add(series, { delayMs: this.#deps.seriesIntervalMs });
        this.#resume();
      });
    this.#inFlight.set(namespace, sent);
  }

  #dueFor(series: Series): FairQueue<Series> {
    return isWarning(series) ? this.#due.warnings : this.#due.normals;
  }
}
