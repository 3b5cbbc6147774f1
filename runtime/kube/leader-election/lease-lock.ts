import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Runtime } from '../cache/types.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../client/status-error.ts';
import type { LeaseMetrics } from './lease-metrics.ts';
import { heldLease, type Lease, leasesType, type ResolvedLeaseOptions, releasedLease } from './lease-record.ts';

/** One reading of both clocks. Somebody may set the wall clock; the steady clock may stop while a machine sleeps. */
interface Instant {
  readonly wall: number;
  readonly steady: number;
}

/** Dependencies of a LeaseLock. */
export interface LeaseLockDeps {
  readonly runtime: Runtime;
  readonly options: ResolvedLeaseOptions;
  readonly metrics: LeaseMetrics;
  readonly log: Logger;
}

/**
 * The Lease as this replica sees it: takes, renews and releases it, and measures times. Measures the renewals of other
 * replicas by its own clocks, never by the times in the Lease.
 */
export class LeaseLock {
  readonly #deps: LeaseLockDeps;
  /** The last observed state, and the time of its first observation. */
  #observed: { readonly lease: Lease; readonly at: Instant } | undefined;
  /** Beginning of the last successful write by this replica. */
  #renewed: Instant | undefined;
  /** Beginning of the last try; undefined before the first try. */
  #lastTry: Instant | undefined;
  #lastAnswer: Instant | undefined;
  #lastError: string | undefined;

  constructor(deps: LeaseLockDeps) {
    this.#deps = deps;
  }

  /** Whether this replica holds the Lease and has renewed it within the deadline; correct even with late timers. */
  get held(): boolean {
    return this.#renewed !== undefined && this.#longestSince(this.#renewed) < this.#deps.options.renewDeadlineMs;
  }

  /** The last observed Lease. */
  get lease(): Lease | undefined {
    return this.#observed?.lease;
  }

  /** Milliseconds until the renew deadline; undefined without a successful renewal. */
  get untilDeadlineMs(): number | undefined {
    return this.#renewed && this.#deps.options.renewDeadlineMs - this.#longestSince(this.#renewed);
  }

  /** Milliseconds since the last answer of the API server, by the clock that shows more. */
  get sinceAnswerMs(): number {
    return this.#lastAnswer ? this.#longestSince(this.#lastAnswer) : Number.POSITIVE_INFINITY;
  }

  /** Monotonic milliseconds since the last try; 0 before the first one. */
  get sinceTryMs(): number {
    return this.#lastTry ? this.#deps.runtime.clock.monotonic() - this.#lastTry.steady : 0;
  }

  /** The error of the last request; undefined after a success. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Gives up the renewal: this replica does not hold the Lease any more. */
  drop(): void {
    this.#renewed = undefined;
  }

  /** No tries until further notice. */
  pause(): void {
    this.#lastTry = undefined;
  }

  /** One try to take or renew the Lease. Never throws. */
  async tryAcquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { metrics, log, options, runtime } = this.#deps;
    const { clock } = runtime;
    const timeout = new AbortController();
    const done = new AbortController();
    // A request that hangs must leave time for another one before the deadline.
    clock.sleep(options.renewDeadlineMs / 2, done.signal).then(
      () => timeout.abort(new AzimuthError('AZ_KUBE_UNREACHABLE', 'The lease request took too long')),
      () => undefined,
    );
    this.#lastTry = this.#now();
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
        metrics.failed();
        log[same ? 'debug' : 'warn']({ error: this.#lastError }, 'lease request failed');
      }
      return false;
    } finally {
      done.abort();
    }
  }

  /** Removes this replica as the holder, so that another one can take the Lease at once. Never throws. */
  async release(): Promise<void> {
    const { runtime, options, log } = this.#deps;
    const { client, clock } = runtime;
    const { namespace, name, identity } = options;
    const limit = new AbortController();
    const done = new AbortController();
    clock.sleep(options.renewDeadlineMs / 2, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      const current = await client.tryGet<Lease>(leasesType, { namespace, name }, limit.signal);
      if (current?.spec.holderIdentity !== identity) return;
      await client.replace<Lease>(leasesType, releasedLease(current, clock.now()), { signal: limit.signal });
      log.info({}, 'lease released');
    } catch (error) {
      // The next replica then waits until the Lease expires.
      log.warn({ error: messageOf(error) }, 'releasing the lease failed');
    } finally {
      done.abort();
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { namespace, name, identity } = this.#deps.options;
    const renewedLease = this.#renewed && this.lease;
    if (renewedLease && renewedLease.spec.holderIdentity === identity) {
      try {
        return await this.#write(renewedLease, signal);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const current = await this.#deps.runtime.client.tryGet<Lease>(leasesType, { namespace, name }, signal);
    if (current) {
      this.#observe(current);
      const { holderIdentity } = current.spec;
      if (holderIdentity && holderIdentity !== identity && !this.#expired()) return false;
    }
    return this.#write(current, signal);
  }

  async #write(current: Lease | undefined, signal: AbortSignal): Promise<true> {
    const { runtime, options } = this.#deps;
    const { client } = runtime;
    const begun = this.#now();
    const nextLease = heldLease(current, options, begun.wall);
    const stored = current
      ? await client.replace<Lease>(leasesType, nextLease, { signal })
      : await client.create<Lease>(leasesType, nextLease, { signal });
    // Another document of this name would make two holders.
    if (stored.spec?.holderIdentity !== options.identity || timeOf(stored) !== timeOf(nextLease)) {
      const { namespace, name } = options;
      const message = `the API server answers the write of Lease ${namespace}/${name} with another Lease: check proxies between this program and the API server`;
      throw new AzimuthError('AZ_KUBE_ANSWER', message);
    }
    // Aborted meanwhile: a late answer must not renew the Lease.
    signal.throwIfAborted();
    this.#observe(stored);
    this.#renewed = begun;
    return true;
  }

  #observe(lease: Lease): void {
    const knownLease = this.lease;
    const same =
      knownLease?.metadata.uid === lease.metadata.uid &&
      JSON.stringify(knownLease?.spec) === JSON.stringify(lease.spec);
    if (!same) this.#observed = { lease, at: this.#now() };
  }

  /** Whether the holder has not renewed the Lease within its duration, by the clock that shows less. */
  #expired(): boolean {
    if (!this.#observed) return false;
    const { lease, at } = this.#observed;
    const now = this.#now();
    const shortestMs = Math.min(now.wall - at.wall, now.steady - at.steady);
    return shortestMs >= (lease.spec.leaseDurationSeconds ?? this.#deps.options.leaseDurationMs / 1000) * 1000;
  }

  #now(): Instant {
    return { wall: this.#deps.runtime.clock.now(), steady: this.#deps.runtime.clock.monotonic() };
  }

  #longestSince(instant: Instant): number {
    const now = this.#now();
    return Math.max(now.wall - instant.wall, now.steady - instant.steady);
  }
}

const timeOf = ({ spec }: Lease) => Date.parse(spec.renewTime ?? '');
