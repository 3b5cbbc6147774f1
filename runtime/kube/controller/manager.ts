import { setMaxListeners } from 'node:events';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { HealthServer } from '../../base/observability/health.ts';
import { Reflector } from '../cache/reflector.ts';
import { resourceLabel } from '../cache/reflector-metrics.ts';
import type { ReflectorOptions, Runtime, WatchedCache } from '../cache/types.ts';
import type { KubeObject } from '../client/types.ts';
import { type EventRecorder, KubeEventRecorder } from '../events/recorder.ts';
import { LeaseElector } from '../leader-election/elector.ts';
import type { LeaseOptions } from '../leader-election/lease-record.ts';
import { leasedClient } from '../leader-election/leased-client.ts';
import type { Controller } from './controller.ts';

/** Options of a Manager. */
export interface ManagerOptions {
  /** The program, such as `operator`; its events are reported by `azimuth.dev/<name>`. */
  readonly name: string;
  /** Gets the checks of caches, lease and loops. The caller listens and closes. */
  readonly health?: HealthServer;
  /** Work is done by one replica at a time. @default no election, every replica works */
  readonly lease?: LeaseOptions;
  /** Events written in a second, see EventRecorderOptions. */
  readonly eventWritesPerSecond?: number;
  /** Time to write events that are still owed at the end, milliseconds. @default 5000 */
  readonly flushMs?: number;
}

/**
 * Work beside the controllers that also runs under the lease. Ends when `stop` aborts, at once when `lost` does, with
 * which it has half the time that is left until another replica may begin.
 */
export type Task = (stop: AbortSignal, lost: AbortSignal | undefined) => Promise<void>;

/** Something runs although it must not any more: no orderly end, the process must go. */
class StillWorking extends AzimuthError {}

/** Time between two looks whether abandoned work has ended. */
const glanceMs = 1000;

interface Shared {
  readonly key: string;
  readonly project: unknown;
  readonly reflector: Reflector;
}

/**
 * The life of a program that works on Kubernetes objects: caches are filled first, then the lease is waited for, then
 * controllers and tasks run. At the end no new work is begun, running work finishes, events are written, the lease is
 * released, the watches are closed. A lost lease ends the work and the program stands by again.
 */
export class Manager {
  /** For the work of this program: with an election its client refuses writes while the lease is not held. */
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  /**
   * Throws AZ_LEASE_LOST while this replica may not change anything, be it in the cluster or elsewhere: for the last
   * moment before a write. Does nothing without an election.
   */
  readonly mayWrite: () => void;
  readonly #options: ManagerOptions;
  readonly #recorder: KubeEventRecorder;
  readonly #elector: LeaseElector | undefined;
  readonly #shared: Shared[] = [];
  readonly #controllers: Controller[] = [];
  readonly #tasks: Task[] = [];
  readonly #caches = new AbortController();
  readonly #running: Promise<void>[] = [];
  #started = false;
  /** Ends the term under way. */
  #sentLate: () => void = () => undefined;

  constructor(runtime: Runtime, options: ManagerOptions) {
    this.#options = options;
    this.#recorder = new KubeEventRecorder(runtime, {
      controller: `azimuth.dev/${options.name}`,
      ...(options.eventWritesPerSecond !== undefined && { writesPerSecond: options.eventWritesPerSecond }),
    });
    this.events = this.#recorder;
    const elector = options.lease && new LeaseElector(runtime, options.lease, this.events);
    this.#elector = elector;
    this.mayWrite = () => {
      elector?.check();
      if (elector) this.#watchSending(elector);
    };
    this.runtime = elector ? { ...runtime, client: leasedClient(runtime.client, this.mayWrite) } : runtime;
    // One listener for each watch, which is as intended.
    setMaxListeners(0, this.#caches.signal);
    this.#wire(options.health);
  }

  /**
   * The cache of a resource type. Equal selections with the same projection share one watch, to which the indexes are
   * added; one asked for while the program runs is started at once.
   */
  watch<T extends KubeObject>(options: ReflectorOptions<T>): WatchedCache<T> {
    const { type, namespaces, labelSelector, fieldSelector, metadataOnly = false, project } = options;
    const selection = [type.group, type.version, type.plural, namespaces && [...namespaces].sort()];
    const key = JSON.stringify([...selection, labelSelector, fieldSelector, metadataOnly]);
    const shared = this.#shared.find((each) => each.key === key && each.project === project);
    if (shared) {
      const reflector = shared.reflector as unknown as Reflector<T>;
      for (const [name, index] of Object.entries(options.indexes ?? {})) reflector.addIndex(name, index);
      return reflector;
    }
    const reflector = new Reflector<T>(this.runtime, options);
    this.#shared.push({ key, project, reflector: reflector as unknown as Reflector });
    if (this.#started) this.#running.push(reflector.run(this.#caches.signal));
    return reflector;
  }

  /** Adds a controller. Throws once the program runs. */
  addController<T extends KubeObject>(controller: Controller<T>): void {
    this.#assertNotStarted();
    this.#controllers.push(controller as unknown as Controller);
  }

  /** Adds other work. Throws once the program runs. */
  addTask(task: Task): void {
    this.#assertNotStarted();
    this.#tasks.push(task);
  }

  /**
   * Runs until `stop` aborts. Rejects when a task does, and with AZ_LEASE_LOST when a write may have left after the lease had
   * ended, or when work outlives its stop: the process
   * must then end at once, as another replica is about to work.
   */
  async run(stop: AbortSignal): Promise<void> {
    this.#assertNotStarted();
    this.#started = true;
    for (const { reflector } of this.#shared) this.#running.push(reflector.run(this.#caches.signal));
    let flushMs = this.#options.flushMs;
    try {
      if (!(await this.#synced(stop))) return;
      if (!this.#elector) await this.#work(stop, undefined);
      while (this.#elector && !stop.aborted) await this.#term(this.#elector, stop);
    } catch (error) {
      if (error instanceof StillWorking) flushMs = 0;
      throw error;
    } finally {
      await this.#recorder.close(flushMs);
      this.#caches.abort(new Error('The program has ended'));
      await Promise.all(this.#running);
    }
  }

  async #synced(stop: AbortSignal): Promise<boolean> {
    const all = Promise.all(this.#shared.map(({ reflector }) => reflector.whenKnown(stop)));
    return all.then(
      () => true,
      () => false,
    );
  }

  async #term(elector: LeaseElector, stop: AbortSignal): Promise<void> {
    try {
      await elector.lead(stop, (lost) => this.#underLease(elector, stop, lost));
    } catch (error) {
      if (!(error instanceof AzimuthError && error.code === 'AZ_LEASE_LOST') || error instanceof StillWorking)
        throw error;
      this.runtime.log.warn({ error: messageOf(error) }, 'standing by again');
    }
  }

  /**
   * Ends when all work has ended, which may take long after a pause of the machine: writes are refused meanwhile. Throws
   * StillWorking for a write that may have left after the end of the lease.
   */
  async #underLease(elector: LeaseElector, stop: AbortSignal, lost: AbortSignal): Promise<void> {
    const { leaseDurationMs, renewDeadlineMs } = elector.options;
    const ended = new AbortController();
    aborted(AbortSignal.any([lost, ended.signal]))
      .then(() => this.runtime.clock.sleep((leaseDurationMs - renewDeadlineMs) / 2, ended.signal))
      .then(
        () => this.runtime.log.warn({ left: this.#left() }, 'work outlives the lost lease: it is waited for'),
        () => undefined,
      );
    const sentLate = Promise.withResolvers<never>();
    sentLate.promise.catch(() => undefined);
    this.#sentLate = () => sentLate.reject(this.#stillWorking('a write was sent after the lease had ended'));
    const work = this.#work(stop, lost).finally(() => ended.abort());
    work.catch(() => undefined);
    await Promise.race([work, sentLate.promise]);
    if (!this.#abandoned()) return;
    if (!lost.aborted) throw this.#stillWorking('work outlives its stop');
    // The lease of another term must not cover what is left of this one.
    while (this.#abandoned() && !stop.aborted) {
      await Promise.race([this.runtime.clock.sleep(glanceMs, stop).catch(() => undefined), sentLate.promise]);
    }
  }

  #abandoned(): boolean {
    return this.#controllers.some(({ abandoned }) => abandoned > 0);
  }

  /** A machine that stops between the check and the sending lets a write go out when the lease has ended. */
  #watchSending(elector: LeaseElector): void {
    setImmediate(() => {
      if (!elector.leading) this.#sentLate();
    });
  }

  #stillWorking(why: string): StillWorking {
    return new StillWorking('AZ_LEASE_LOST', `${why}: ${this.#left()}`);
  }

  #left(): string {
    const left = this.#controllers.filter(({ working }) => working > 0).map(({ name }) => name);
    return left.join(', ') || 'a task';
  }

  async #work(stop: AbortSignal, lost: AbortSignal | undefined): Promise<void> {
    const failed = new AbortController();
    const end = AbortSignal.any([stop, failed.signal]);
    setMaxListeners(0, end);
    if (lost) setMaxListeners(0, lost);
    const all = [
      ...this.#controllers.map((controller) => controller.run(end, lost)),
      ...this.#tasks.map((task) => task(end, lost)),
      // A program goes on although all its tasks have ended.
      aborted(lost ? AbortSignal.any([end, lost]) : end),
    ];
    for (const each of all) each.catch((error) => failed.abort(error));
    const results = await Promise.allSettled(all);
    // The lease is released when this function returns: what happened under it is written first.
    if (end.aborted) await this.#recorder.close(this.#options.flushMs);
    const failure = results.find((result) => result.status === 'rejected' && !lost?.aborted);
    if (failure) throw (failure as PromiseRejectedResult).reason;
  }

  #wire(health: HealthServer | undefined): void {
    health?.addReadiness('caches', () => this.#first(({ reflector }) => reflector.notSynced()));
    health?.addLiveness('caches', () =>
      this.#started ? this.#first(({ reflector }) => reflector.stuck()) : undefined,
    );
    health?.addLiveness('controllers', () => {
      const stuck = this.#controllers.map((each) => ({ name: each.name, problem: each.stuck() }));
      const found = stuck.find(({ problem }) => problem !== undefined);
      return found && `${found.name}: ${found.problem}`;
    });
    const elector = this.#elector;
    if (!elector) return;
    health?.addReadiness('lease', () => elector.notReady());
    health?.addLiveness('lease', () => elector.stuck());
  }

  #first(check: (shared: Shared) => string | undefined): string | undefined {
    for (const shared of this.#shared) {
      const problem = check(shared);
      if (problem !== undefined) return `${resourceLabel(shared.reflector.type)}: ${problem}`;
    }
    return undefined;
  }

  #assertNotStarted(): void {
    if (!this.#started) return;
    throw new AzimuthError(
      'AZ_ILLEGAL_TRANSITION',
      'The manager runs already: add controllers and tasks before, run it once',
    );
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
