import { setMaxListeners } from 'node:events';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { HealthServer } from '../../base/observability/health.ts';
import type { ReflectorOptions, Runtime, WatchedCache } from '../cache/types.ts';
import type { KubeObject } from '../client/types.ts';
import { type EventRecorder, KubeEventRecorder } from '../events/recorder.ts';
import { LeaseElector } from '../leader-election/elector.ts';
import type { LeaseOptions } from '../leader-election/lease-record.ts';
import { leasedClient } from '../leader-election/leased-client.ts';
import type { Controller } from './controller.ts';
import { SharedCaches } from './shared-caches.ts';
import { TermCaches } from './term-caches.ts';

/** Options of a Manager. */
export interface ManagerOptions {
  /** The program, such as `operator`; its events are reported by `azimuth.dev/<name>`. */
  readonly name: string;
  /** Gets the checks of caches, lease and loops. The caller listens and closes. */
  readonly health?: HealthServer;
  /** One replica works at a time. @default no election, every replica works */
  readonly lease?: LeaseOptions;
  /** Events written in a second, see EventRecorderOptions. */
  readonly eventWritesPerSecond?: number;
  /** Longest time for writing pending events at the end, milliseconds. @default 5000 */
  readonly flushMs?: number;
}

/** Signals of the term of a leader. */
export interface TermSignals {
  /** The program stops. */
  readonly stop: AbortSignal;
  /** Another replica may start soon; undefined without a lease. */
  readonly lost: AbortSignal | undefined;
}

/**
 * Work besides the controllers that also needs the lease. It ends when `ended` aborts, at the stop or with a lost lease;
 * with a lost lease within half the time until another replica may start.
 */
export type Task = (ended: AbortSignal, signals: TermSignals) => Promise<void>;

/** Work continues although it must not: the process must end at once. */
class StillWorking extends AzimuthError {}

/** Time between two checks whether abandoned work has ended, milliseconds. */
const checkMs = 1000;

/**
 * Runs a program that works on Kubernetes objects: fills the caches, waits for the lease, runs controllers and tasks. At
 * the end it starts no new work, waits for running work, writes events, releases the lease, and closes the watches. A
 * lost lease ends the work, and the program is a standby again.
 */
export class Manager {
  /** For the work of this program: with an election its client refuses writes unless this replica holds the lease. */
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  /**
   * Throws AZ_LEASE_LOST unless this replica may write, to the cluster or elsewhere; call it right before each write.
   * Does nothing without an election.
   */
  readonly mayWrite: () => void;
  /** Brings caches up to the beginning of the term of the lease; does nothing without an election. */
  readonly termCaches = new TermCaches();
  readonly #options: ManagerOptions;
  readonly #recorder: KubeEventRecorder;
  readonly #elector: LeaseElector | undefined;
  readonly #controllers: Controller[] = [];
  readonly #tasks: Task[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #caches: SharedCaches;
  #started = false;
  /** Starts a controller in the current term. */
  #start: ((controller: Controller) => void) | undefined;
  /** Ends the current term. */
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
    this.#caches = new SharedCaches(this.runtime);
    this.#wire(options.health);
  }

  /** The cache of a resource type, as `SharedCaches` shares it. A watch added while the program runs starts at once. */
  watch<T extends KubeObject>(options: ReflectorOptions<T>): WatchedCache<T> {
    return this.#caches.watch(options);
  }

  /** Adds a controller. One that is added while the program works starts at once. */
  addController<T extends KubeObject>(controller: Controller<T>): void {
    this.#controllers.push(controller as unknown as Controller);
    this.#start?.(controller as unknown as Controller);
  }

  /** Adds other work. Throws once the program runs. */
  addTask(task: Task): void {
    this.#assertNotStarted();
    this.#tasks.push(task);
  }

  /** Adds what ends with the program, after all controllers and tasks: running work may need it until its own end. */
  addEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /**
   * Runs until `stop` aborts. Rejects when a task does, and with AZ_LEASE_LOST when the program may have sent a write
   * after the end of the lease, or when work continues after its stop: the process must then end at once, because
   * another replica is about to start.
   */
  async run(stop: AbortSignal): Promise<void> {
    this.#assertNotStarted();
    this.#started = true;
    this.#caches.start();
    let flushMs = this.#options.flushMs;
    try {
      if (!(await this.#caches.whenKnown(stop))) return;
      if (!this.#elector) await this.#work(stop, undefined);
      while (this.#elector && !stop.aborted) await this.#term(this.#elector, stop);
    } catch (error) {
      if (error instanceof StillWorking) flushMs = 0;
      throw error;
    } finally {
      for (const end of this.#ends) end();
      await this.#recorder.close(flushMs);
      await this.#caches.close();
    }
  }

  async #term(elector: LeaseElector, stop: AbortSignal): Promise<void> {
    try {
      await elector.lead(stop, (lost) => this.#underLease(elector, stop, lost));
    } catch (error) {
      if (!(error instanceof AzimuthError && error.code === 'AZ_LEASE_LOST') || error instanceof StillWorking)
        throw error;
      this.runtime.log.warn({ error: messageOf(error) }, 'this replica is a standby again');
    }
  }

  /**
   * Resolves when all work has ended, which may take long after a pause of the machine; the client refuses writes
   * meanwhile. Throws StillWorking for a write that the program may have sent after the end of the lease.
   */
  async #underLease(elector: LeaseElector, stop: AbortSignal, lost: AbortSignal): Promise<void> {
    const { leaseDurationMs, renewDeadlineMs } = elector.options;
    const ended = new AbortController();
    this.termCaches.begin(AbortSignal.any([lost, ended.signal]));
    aborted(AbortSignal.any([lost, ended.signal]))
      .then(() => this.runtime.clock.sleep((leaseDurationMs - renewDeadlineMs) / 2, ended.signal))
      .then(
        () =>
          this.runtime.log.warn({ left: this.#left() }, 'the lease is lost and work continues: waiting for its end'),
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
    // The lease of the next term must not cover work of this one.
    while (this.#abandoned() && !stop.aborted) {
      await Promise.race([this.runtime.clock.sleep(checkMs, stop).catch(() => undefined), sentLate.promise]);
    }
  }

  #abandoned(): boolean {
    return this.#controllers.some(({ abandoned }) => abandoned > 0);
  }

  /** A machine may pause between the check and the request: the lease has ended when the request leaves. */
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
    const running: Promise<void>[] = [];
    const start = (work: Promise<void>) => {
      work.catch((error) => failed.abort(error));
      running.push(work);
    };
    const ended = lost ? AbortSignal.any([end, lost]) : end;
    setMaxListeners(0, ended);
    // A program continues although all its tasks have ended.
    start(aborted(ended));
    this.#start = (controller) => start(controller.run(end, lost));
    for (const controller of this.#controllers) this.#start(controller);
    for (const task of this.#tasks) start(task(ended, { stop: end, lost }));
    const results: PromiseSettledResult<void>[] = [];
    // The first ends with the term; no controller is added to it after that.
    for (const each of running) {
      results.push(...(await Promise.allSettled([each])));
      this.#start = undefined;
    }
    // The elector releases the lease when this function returns: write the events of this term before.
    if (end.aborted) await this.#recorder.close(this.#options.flushMs);
    const failure = results.find((result) => result.status === 'rejected' && !lost?.aborted);
    if (failure) throw (failure as PromiseRejectedResult).reason;
  }

  #wire(health: HealthServer | undefined): void {
    health?.addReadiness('caches', () => this.#caches.notSynced());
    health?.addLiveness('caches', () => this.#caches.stuck());
    health?.addLiveness('controllers', () => {
      const stuck = this.#controllers.map((each) => ({ name: each.name, problem: each.stuck() }));
      const stuckCache = stuck.find(({ problem }) => problem !== undefined);
      return stuckCache && `${stuckCache.name}: ${stuckCache.problem}`;
    });
    const elector = this.#elector;
    if (!elector) return;
    health?.addReadiness('lease', () => elector.notReady());
    health?.addLiveness('lease', () => elector.stuck());
  }

  #assertNotStarted(): void {
    if (!this.#started) return;
    throw new AzimuthError('AZ_ILLEGAL_TRANSITION', 'The manager runs already: add tasks before, and run it once');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
