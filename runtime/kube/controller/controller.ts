import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { ReconcileKey, Runtime } from '../cache/types.ts';
import type { KubeObject, ObjectKey } from '../client/types.ts';
import { type ControllerMetrics, controllerMetrics, type ReconcileOutcome } from './controller-metrics.ts';
import type { ControllerOptions } from './controller-options.ts';
import { objectKeyOf, objectOf, wantedChanged } from './mappers.ts';
import { type AddOptions, priorities, WorkQueue } from './work-queue.ts';

/** Work that ignores its abort for longer is abandoned. */
const abandonAfterMs = 5000;
/** A reconcile run is one step, not a wait. */
const defaultMaxRunMs = 8 * 60_000;
/** A run that still works so long after its start ignores its abort: it hangs. */
const stuckAfterMs = 10 * 60_000;

/** Reconciles changed objects, one run at a time for each object, with retries as the Reconciler contract says. */
export class Controller<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #options: ControllerOptions<T>;
  readonly #log: Logger;
  /** Present while the controller runs. */
  #queue: WorkQueue<ReconcileKey> | undefined;
  readonly #metrics: ControllerMetrics;
  readonly #concurrency: number;
  readonly #workers: number;
  readonly #active = new Map<AbortController, { readonly request: ReconcileKey; readonly since: number }>();

  constructor(runtime: Runtime, options: ControllerOptions<T>) {
    const { name, concurrency = 4 } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw expected(`concurrency of ${name}`, 'a whole number of at least 1', concurrency);
    }
    this.name = name;
    this.#runtime = runtime;
    this.#options = options;
    this.#concurrency = concurrency;
    this.#workers = 2 * concurrency;
    this.#log = runtime.log.child({ controller: name });
    this.#metrics = controllerMetrics(runtime.metrics, name, this.#workers);
  }

  /** Work that ignored its abort and still runs after `run` ended. */
  get abandoned(): number {
    return this.#queue ? 0 : this.#active.size;
  }

  /** Number of reconcile runs in progress. */
  get working(): number {
    return this.#active.size;
  }

  /**
   * Enqueues an object from outside the caches. Does nothing while the controller does not run: its start enqueues
   * every object.
   */
  enqueue(key: ObjectKey, options?: AddOptions): void {
    this.#queue?.add(this.#request(key), options);
  }

  /**
   * Waits for the caches, then reconciles until `stop` aborts. It then starts no new run, and aborts running ones after
   * the grace period; when `abort` aborts, at once. Resolves when no run is left but `abandoned` ones. Can be called
   * again afterwards; throws while abandoned runs continue, which could overlap with new ones.
   */
  async run(stop: AbortSignal, abort?: AbortSignal): Promise<void> {
    if (this.#queue || this.#active.size > 0) {
      throw new AzimuthError(
        'AZ_ILLEGAL_TRANSITION',
        `The controller ${this.name} was started while its work still runs`,
      );
    }
    const sources = this.#options.sources ?? [];
    const ended = AbortSignal.any(abort ? [stop, abort] : [stop]);
    const synced = Promise.all([this.#options.primary, ...sources].map((cache) => cache.whenSynced(ended)));
    if (
      await synced.then(
        () => ended.aborted,
        () => true,
      )
    )
      return;

    const queue = this.#newQueue();
    this.#queue = queue;
    const detach = [
      this.#watchPrimary(),
      ...sources.map((each) =>
        each.start((keys, initial) => {
          const priority = initial ? priorities.resync : priorities.normal;
          for (const key of keys) this.enqueue(key, { priority });
        }),
      ),
    ];
    this.#log.info({ workers: this.#workers }, 'controller started');
    const workers = Promise.all(Array.from({ length: this.#workers }, () => this.#work(queue)));
    await new Promise<void>((resolve) => {
      if (ended.aborted) resolve();
      ended.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const each of detach) each();
    queue.close();
    await this.#drain(workers, abort);
    this.#queue = undefined;
    this.#log.info({ abandoned: this.#active.size }, 'controller stopped');
  }

  /** Liveness: reports a reconcile run that hangs. */
  stuck(): string | undefined {
    const now = this.#runtime.clock.monotonic();
    for (const { request, since } of this.#active.values()) {
      if (now - since > stuckAfterMs) {
        return `${request.namespace ?? ''}/${request.name} has been worked on for ${Math.round((now - since) / 1000)} s`;
      }
    }
    return undefined;
  }

  #watchPrimary(): () => void {
    let initial = true;
    const stop = this.#options.primary.onChange((change) => {
      if (this.#options.filter && !this.#options.filter(change)) return;
      const object = objectOf(change);
      const priority = wantedChanged(change) ? priorities.change : priorities.normal;
      this.#queue?.add(this.#requestOf(object), { priority: initial ? priorities.resync : priority });
    });
    initial = false;
    return stop;
  }

  async #work(queue: WorkQueue<ReconcileKey>): Promise<void> {
    for (let request = await queue.take(); request; request = await queue.take()) {
      await this.#reconcile(queue, request);
      queue.done(request);
    }
  }

  async #reconcile(queue: WorkQueue<ReconcileKey>, request: ReconcileKey): Promise<void> {
    const { clock } = this.#runtime;
    const run = new AbortController();
    const since = clock.monotonic();
    this.#active.set(run, { request, since });
    this.#metrics.active(1);
    const ended = new AbortController();
    const { maxRunMs = defaultMaxRunMs } = this.#options;
    const overdue = () => {
      const message = `The reconcile run did not end within ${maxRunMs / 1000} s, and was ended`;
      run.abort(new AzimuthError('AZ_RUN_TOO_LONG', message));
    };
    clock.sleep(maxRunMs, ended.signal).then(overdue, () => undefined);
    let outcome: ReconcileOutcome | undefined;
    try {
      const result = await this.#options.reconcile(request, run.signal);
      queue.forget(request);
      outcome = result?.requeueAfterMs === undefined ? 'success' : 'requeue_after';
      this.#again(queue, request, result?.requeueAfterMs);
    } catch (error) {
      if (run.signal.aborted && !isRunTooLong(run.signal.reason)) this.#log.info({ request }, 'work was aborted');
      else {
        outcome = 'error';
        this.#failed(queue, request, run.signal.aborted ? run.signal.reason : error);
      }
    } finally {
      ended.abort();
      this.#active.delete(run);
      this.#metrics.active(-1);
      if (outcome) this.#metrics.done(outcome, (clock.monotonic() - since) / 1000);
    }
  }

  #again(queue: WorkQueue<ReconcileKey>, request: ReconcileKey, requeueAfterMs: number | undefined): void {
    const { resyncMs, primary } = this.#options;
    if (requeueAfterMs !== undefined) queue.add(request, { delayMs: Math.max(1, requeueAfterMs) });
    else if (resyncMs !== undefined && primary.get(request)) {
      const delayMs = resyncMs * (0.9 + 0.2 * Math.random());
      queue.add(request, { delayMs, priority: priorities.resync });
    }
  }

  #failed(queue: WorkQueue<ReconcileKey>, request: ReconcileKey, error: unknown): void {
    const { code, retryable, retryAfterMs } =
      error instanceof AzimuthError ? error : { code: undefined, retryable: true, retryAfterMs: undefined };
    const fields = { request, code, error: messageOf(error) };
    if (!retryable) {
      queue.forget(request);
      this.#metrics.terminal();
      this.#log.error(fields, 'reconciling failed for good: waiting for a change');
      return;
    }
    const retryInMs = queue.retry(request, retryAfterMs);
    this.#log.warn({ ...fields, retryInMs }, 'reconciling failed: will retry');
  }

  async #drain(workers: Promise<unknown>, abort: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#runtime;
    const done = new AbortController();
    const finished = workers.then(() => done.abort());
    const abortAll = (reason: unknown) => {
      for (const run of this.#active.keys()) run.abort(reason);
    };
    const { graceMs = 30_000 } = this.#options;
    const hurry = AbortSignal.any(abort ? [done.signal, abort] : [done.signal]);
    await clock.sleep(graceMs, hurry).catch(() => undefined);
    if (done.signal.aborted) return;
    abortAll(abort?.aborted ? abort.reason : new Error('The program is stopping'));
    await clock.sleep(abandonAfterMs, done.signal).catch(() => undefined);
    if (done.signal.aborted) await finished;
    for (const { request } of this.#active.values()) this.#log.error({ request }, 'work ignores its abort: abandoned');
  }

  #newQueue(): WorkQueue<ReconcileKey> {
    return new WorkQueue<ReconcileKey>({
      name: this.name,
      clock: this.#runtime.clock,
      metrics: this.#runtime.metrics,
      // One run at a time by name: an object and its successor of the same name must not be reconciled together.
      // Failures count by uid, so that the successor does not inherit them.
      id: (request) => `${request.namespace ?? ''}/${request.name}`,
      backoffKey: (request) => request.key,
      // Namespaces in rotation, however many objects one of them changes.
      share: ({ namespace = '' }) => namespace,
      perShare: this.#concurrency,
      backoff: this.#options.backoff,
    });
  }

  #request(key: ObjectKey): ReconcileKey {
    const object = this.#options.primary.get(key);
    return object ? this.#requestOf(object) : { ...key, key: `${this.#kind}/${key.namespace ?? ''}/${key.name}` };
  }

  #requestOf(object: T): ReconcileKey {
    const key = objectKeyOf(object);
    return { ...key, key: `${this.#kind}/${object.metadata.uid ?? `${key.namespace ?? ''}/${key.name}`}` };
  }

  get #kind(): string {
    return this.#options.primary.type.kind;
  }
}

/** Whether a run was aborted because it took too long, and not because the program ends or lost its lease. */
export function isRunTooLong(reason: unknown): reason is AzimuthError {
  return reason instanceof AzimuthError && reason.code === 'AZ_RUN_TOO_LONG';
}
