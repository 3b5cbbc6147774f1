import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Runtime } from '../cache/types.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../client/status-error.ts';
import type { EventRecorder } from '../events/recorder.ts';
import { type LeaseMetrics, leaseMetrics } from './lease-metrics.ts';
import {
  heldLease,
  type Lease,
  type LeaseOptions,
  leasesType,
  type ResolvedLeaseOptions,
  releasedLease,
  resolveLeaseOptions,
} from './lease-record.ts';

/** Timers stand still while a machine sleeps: the clocks are looked at again about this often. */
const glanceMs = 1000;

/** One reading of both clocks. The machine's time may be set, the other may stand still while a machine sleeps. */
interface Instant {
  readonly wall: number;
  readonly steady: number;
}

/**
 * Lets one of several replicas work (coordination.k8s.io Lease). Others' renewals are judged by when they were seen here,
 * never by the times written in them, so clocks need not agree. The holder's work is aborted `renewDeadlineMs` after the
 * beginning of its last successful renewal, which is before another replica may take the lease.
 */
export class LeaseElector {
  readonly options: ResolvedLeaseOptions;
  readonly #runtime: Runtime;
  readonly #metrics: LeaseMetrics;
  readonly #events: EventRecorder | undefined;
  readonly #log: Logger;
  /** The last state seen, and when it was seen first. */
  #seen: { readonly lease: Lease; readonly at: Instant } | undefined;
  /** Beginning of the last successful write by this replica. */
  #renewed: Instant | undefined;
  /** Beginning of the last try; undefined before the first try. */
  #lastTurn: Instant | undefined;
  #lastAnswer: Instant | undefined;
  #lastError: string | undefined;

  constructor(runtime: Runtime, options: LeaseOptions, events?: EventRecorder) {
    this.options = resolveLeaseOptions(options, `${hostname()}_${randomUUID()}`);
    this.#runtime = runtime;
    this.#metrics = leaseMetrics(runtime.metrics, options.name);
    this.#events = events;
    this.#log = runtime.log.child({ lease: `${options.namespace}/${options.name}`, identity: this.options.identity });
    this.#status(0);
  }

  /** True while this replica may work. Computed from the clocks, so it is right even while timers are late. */
  get leading(): boolean {
    return this.#renewed !== undefined && this.#longestSince(this.#renewed) < this.options.renewDeadlineMs;
  }

  /** Throws AZ_LEASE_LOST unless this replica may work; for the last moment before something is changed. */
  check(): void {
    if (this.leading) return;
    const { namespace, name } = this.options;
    throw new AzimuthError('AZ_LEASE_LOST', `The lease ${namespace}/${name} is not held: nothing may be changed`);
  }

  /**
   * Waits for the lease, then runs `work` once while holding it. `work` must end soon after `lost` aborts; it sees to
   * `stop` by itself, and the lease is renewed until it has ended, then released, so that another replica can take it at
   * once. Resolves when `work` ended or `stop` aborted before its beginning. Throws AZ_LEASE_LOST when the lease was
   * lost, after `work` ended; what `work` throws is passed on. Work that throws AZ_LEASE_LOST has left something running:
   * the lease is then not released but runs out.
   */
  async lead(stop: AbortSignal, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    if (!(await this.#acquire(stop))) {
      this.#lastTurn = undefined;
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
      this.#renewed = undefined;
      this.#lastTurn = undefined;
      this.#status(0);
      if (!lost.signal.aborted && !outlived) await this.#release();
    }
    if (lost.signal.aborted) throw lost.signal.reason;
  }

  /** Readiness: fine while holding the lease or standing by for it, which needs answers from the API server. */
  notReady(): string | undefined {
    if (this.leading) return undefined;
    if (this.#lastAnswer && this.#longestSince(this.#lastAnswer) < 2 * this.options.leaseDurationMs) return undefined;
    return `neither held nor observed: ${this.#lastError ?? 'no answer yet'}`;
  }

  /** Liveness: says so when the loop has stopped turning. */
  stuck(): string | undefined {
    if (!this.#lastTurn) return undefined;
    const quietMs = this.#runtime.clock.monotonic() - this.#lastTurn.steady;
    return quietMs > 20 * this.options.leaseDurationMs ? `no try for ${Math.round(quietMs / 1000)} s` : undefined;
  }

  async #acquire(stop: AbortSignal): Promise<boolean> {
    let shown: string | undefined;
    while (!stop.aborted) {
      if (await this.#try(stop)) {
        this.#status(1);
        this.#log.info({}, 'lease acquired');
        this.#report('StartedLeading', 'leads');
        return true;
      }
      const holder = this.#seen?.lease.spec.holderIdentity;
      if (holder && holder !== shown) this.#log.info({ holder }, 'standing by');
      shown = holder;
      await this.#pause(stop);
    }
    return false;
  }

  /** Renews until the work ended or the lease is lost. */
  async #keep(ended: AbortSignal, lost: AbortController): Promise<void> {
    const over = AbortSignal.any([ended, lost.signal]);
    await this.#pause(over);
    while (!over.aborted) {
      const renewed = await this.#try(over);
      const holder = this.#seen?.lease.spec.holderIdentity;
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
    while (!over.aborted && this.#renewed) {
      const leftMs = this.options.renewDeadlineMs - this.#longestSince(this.#renewed);
      if (leftMs <= 0) {
        this.#lose(lost, `not renewed for ${this.options.renewDeadlineMs} ms: ${this.#lastError ?? 'no answer'}`);
        return;
      }
      await clock.sleep(Math.min(leftMs, glanceMs), over).catch(() => undefined);
    }
  }

  #lose(lost: AbortController, why: string): void {
    if (lost.signal.aborted) return;
    const { namespace, name } = this.options;
    this.#log.warn({ why }, 'lease lost');
    this.#report('StoppedLeading', `no longer leads: ${why}`, 'Warning');
    this.#renewed = undefined;
    this.#status(0);
    lost.abort(new AzimuthError('AZ_LEASE_LOST', `The lease ${namespace}/${name} is lost: ${why}`));
  }

  /** One try to take or renew. Never throws. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#runtime;
    const timeout = new AbortController();
    const done = new AbortController();
    // A request that hangs must leave time for another one before the deadline.
    clock.sleep(this.options.renewDeadlineMs / 2, done.signal).then(
      () => timeout.abort(new AzimuthError('AZ_KUBE_UNREACHABLE', 'The lease request took too long')),
      () => undefined,
    );
    this.#lastTurn = this.#now();
    try {
      const taken = await this.#takeOrRenew(AbortSignal.any([signal, timeout.signal]));
      this.#lastAnswer = this.#now();
      this.#lastError = undefined;
      return taken;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) {
        // Another replica wrote it first; the next try reads its content.
        this.#lastAnswer = this.#now();
        return false;
      }
      if (!signal.aborted) {
        const same = this.#lastError === messageOf(error);
        this.#lastError = messageOf(error);
        this.#metrics.failed();
        this.#log[same ? 'debug' : 'warn']({ error: this.#lastError }, 'lease request failed');
      }
      return false;
    } finally {
      done.abort();
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { namespace, name, identity } = this.options;
    const known = this.#renewed && this.#seen?.lease;
    if (known && known.spec.holderIdentity === identity) {
      try {
        return await this.#write(known, signal);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const current = await this.#runtime.client.tryGet<Lease>(leasesType, { namespace, name }, signal);
    if (current) {
      this.#see(current);
      const { holderIdentity } = current.spec;
      if (holderIdentity && holderIdentity !== identity && !this.#expired()) return false;
    }
    return this.#write(current, signal);
  }

  async #write(current: Lease | undefined, signal: AbortSignal): Promise<true> {
    const { client } = this.#runtime;
    const begun = this.#now();
    const wanted = heldLease(current, this.options, begun.wall);
    const stored = current
      ? await client.replace<Lease>(leasesType, wanted, { signal })
      : await client.create<Lease>(leasesType, wanted, { signal });
    // Given up meanwhile: an answer that comes too late must not revive it.
    signal.throwIfAborted();
    this.#see(stored);
    this.#renewed = begun;
    return true;
  }

  #see(lease: Lease): void {
    const known = this.#seen?.lease;
    const same =
      known?.metadata.uid === lease.metadata.uid && JSON.stringify(known?.spec) === JSON.stringify(lease.spec);
    if (!same) this.#seen = { lease, at: this.#now() };
  }

  /** Whether the holder has let the time pass that it promised to renew within, by either clock's judgement. */
  #expired(): boolean {
    if (!this.#seen) return false;
    const { lease, at } = this.#seen;
    const now = this.#now();
    const shortestMs = Math.min(now.wall - at.wall, now.steady - at.steady);
    return shortestMs >= (lease.spec.leaseDurationSeconds ?? this.options.leaseDurationMs / 1000) * 1000;
  }

  async #release(): Promise<void> {
    const { client, clock } = this.#runtime;
    const { namespace, name, identity } = this.options;
    const limit = new AbortController();
    const done = new AbortController();
    clock.sleep(this.options.renewDeadlineMs / 2, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      const current = await client.tryGet<Lease>(leasesType, { namespace, name }, limit.signal);
      if (current?.spec.holderIdentity !== identity) return;
      await client.replace<Lease>(leasesType, releasedLease(current, clock.now()), { signal: limit.signal });
      this.#log.info({}, 'lease released');
    } catch (error) {
      // The next replica then waits for the lease to run out.
      this.#log.warn({ error: messageOf(error) }, 'releasing the lease failed');
    } finally {
      done.abort();
    }
  }

  /** Jittered, so that replicas do not try in step. */
  async #pause(signal: AbortSignal): Promise<void> {
    const ms = Math.round(this.options.retryPeriodMs * (1 + 0.2 * Math.random()));
    await this.#runtime.clock.sleep(ms, signal).catch(() => undefined);
  }

  #now(): Instant {
    return { wall: this.#runtime.clock.now(), steady: this.#runtime.clock.monotonic() };
  }

  #longestSince(instant: Instant): number {
    const now = this.#now();
    return Math.max(now.wall - instant.wall, now.steady - instant.steady);
  }

  #report(reason: string, what: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    const regarding = this.#seen?.lease;
    if (!regarding) return;
    const note = `${this.options.identity} ${what}`;
    this.#events?.record({ regarding, type, reason, action: 'LeaderElection', note });
  }

  #status(value: 0 | 1): void {
    this.#metrics.status(value);
  }
}
