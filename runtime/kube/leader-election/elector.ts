import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { AzimuthError } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Runtime } from '../cache/types.ts';
import type { EventRecorder } from '../events/recorder.ts';
import { LeaseLock } from './lease-lock.ts';
import { type LeaseMetrics, leaseMetrics } from './lease-metrics.ts';
import { type LeaseOptions, type ResolvedLeaseOptions, resolveLeaseOptions } from './lease-record.ts';

/** Timers stop while a machine sleeps: the elector compares the clocks about this often, milliseconds. */
const checkMs = 1000;

/**
 * Lets one of several replicas work (coordination.k8s.io Lease). The elector measures the renewals of others by
 * its own clocks, never by the times in the Lease, so clocks need not agree. It aborts the holder's work `renewDeadlineMs`
 * after the beginning of its last successful renewal, which is before another replica may take the Lease.
 */
export class LeaseElector {
  readonly options: ResolvedLeaseOptions;
  readonly #runtime: Runtime;
  readonly #metrics: LeaseMetrics;
  readonly #events: EventRecorder | undefined;
  readonly #log: Logger;
  readonly #lock: LeaseLock;

  constructor(runtime: Runtime, options: LeaseOptions, events?: EventRecorder) {
    this.options = resolveLeaseOptions(options, `${hostname()}_${randomUUID()}`);
    this.#runtime = runtime;
    this.#metrics = leaseMetrics(runtime.metrics, options.name);
    this.#events = events;
    this.#log = runtime.log.child({ lease: `${options.namespace}/${options.name}`, identity: this.options.identity });
    this.#lock = new LeaseLock({ runtime, options: this.options, metrics: this.#metrics, log: this.#log });
    this.#status(0);
  }

  /** True while this replica may work. Computed from the clocks, so it is right even while timers are late. */
  get leading(): boolean {
    return this.#lock.held;
  }

  /** Throws AZ_LEASE_LOST unless this replica may work; call it right before each write. */
  check(): void {
    if (this.leading) return;
    const { namespace, name } = this.options;
    throw new AzimuthError('AZ_LEASE_LOST', `The lease ${namespace}/${name} is not held: no write is allowed`);
  }

  /**
   * Waits for the lease, then runs `work` once while holding it. `work` must end soon after `lost` aborts, and ends
   * itself when `stop` aborts. The elector renews the lease until then and releases it, so that another replica can
   * take it at once. Resolves when `work` ended or `stop` aborted before its beginning. Throws AZ_LEASE_LOST when the
   * lease was lost, after `work` ended; an error of `work` is passed on. Work that throws AZ_LEASE_LOST has left
   * something running: the elector then lets the lease expire instead.
   */
  async lead(stop: AbortSignal, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    if (!(await this.#acquire(stop))) {
      this.#lock.pause();
      return;
    }
    const lost = new AbortController();
    const ended = new AbortController();
    const guards = [this.#keep(ended.signal, lost), this.#watchDeadline(ended.signal, lost)];
    let outlived = false;
    try {
      await work(lost.signal);
    } catch (error) {
      outlived = error instanceof AzimuthError && error.code === 'AZ_LEASE_LOST';
      throw error;
    } finally {
      ended.abort();
      await Promise.all(guards);
      this.#lock.drop();
      this.#lock.pause();
      this.#status(0);
      if (!lost.signal.aborted && !outlived) await this.#lock.release();
    }
    if (lost.signal.aborted) throw lost.signal.reason;
  }

  /** Readiness: fine while holding the lease or standing by for it, which needs answers from the API server. */
  notReady(): string | undefined {
    if (this.leading) return undefined;
    if (this.#lock.sinceAnswerMs < 2 * this.options.leaseDurationMs) return undefined;
    return `neither held nor observed: ${this.#lock.lastError ?? 'no answer yet'}`;
  }

  /** Liveness: reports that the elector has stopped trying. */
  stuck(): string | undefined {
    const quietMs = this.#lock.sinceTryMs;
    return quietMs > 20 * this.options.leaseDurationMs ? `no try for ${Math.round(quietMs / 1000)} s` : undefined;
  }

  async #acquire(stop: AbortSignal): Promise<boolean> {
    let logged: string | undefined;
    while (!stop.aborted) {
      if (await this.#lock.tryAcquireOrRenew(stop)) {
        this.#status(1);
        this.#log.info({}, 'lease acquired');
        this.#report('StartedLeading', 'leads');
        return true;
      }
      const holder = this.#lock.lease?.spec.holderIdentity;
      if (holder && holder !== logged) this.#log.info({ holder }, 'standing by');
      logged = holder;
      await this.#pause(stop);
    }
    return false;
  }

  /** Renews until the work ended or the lease is lost. */
  async #keep(ended: AbortSignal, lost: AbortController): Promise<void> {
    const over = AbortSignal.any([ended, lost.signal]);
    await this.#pause(over);
    while (!over.aborted) {
      const renewed = await this.#lock.tryAcquireOrRenew(over);
      const holder = this.#lock.lease?.spec.holderIdentity;
      if (!renewed && !over.aborted && holder !== undefined && holder !== this.options.identity) {
        this.#lose(lost, `${holder} holds the lease`);
        return;
      }
      await this.#pause(over);
    }
  }

  async #watchDeadline(ended: AbortSignal, lost: AbortController): Promise<void> {
    const { clock } = this.#runtime;
    const over = AbortSignal.any([ended, lost.signal]);
    while (!over.aborted) {
      const leftMs = this.#lock.untilDeadlineMs;
      if (leftMs === undefined) return;
      if (leftMs <= 0) {
        this.#lose(lost, `not renewed for ${this.options.renewDeadlineMs} ms: ${this.#lock.lastError ?? 'no answer'}`);
        return;
      }
      await clock.sleep(Math.min(leftMs, checkMs), over).catch(() => undefined);
    }
  }

  #lose(lost: AbortController, why: string): void {
    if (lost.signal.aborted) return;
    const { namespace, name } = this.options;
    this.#log.warn({ why }, 'lease lost');
    this.#report('StoppedLeading', `no longer leads: ${why}`, 'Warning');
    this.#lock.drop();
    this.#status(0);
    lost.abort(new AzimuthError('AZ_LEASE_LOST', `The lease ${namespace}/${name} is lost: ${why}`));
  }

  /** With jitter, so that replicas do not try at the same time. */
  async #pause(signal: AbortSignal): Promise<void> {
    const ms = Math.round(this.options.retryPeriodMs * (1 + 0.2 * Math.random()));
    await this.#runtime.clock.sleep(ms, signal).catch(() => undefined);
  }

  #report(reason: string, what: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    const regarding = this.#lock.lease;
    if (!regarding) return;
    const note = `${this.options.identity} ${what}`;
    this.#events?.record({ regarding, type, reason, action: 'LeaderElection', note });
  }

  #status(value: 0 | 1): void {
    this.#metrics.status(value);
  }
}
