import { setImmediate } from 'node:timers/promises';
import { knownOpening, type Opening, openingOf } from '../../api/pod-identity/availability.ts';
import { unlessAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import type { Binding } from '../objects.ts';

/** After a computation a namespace pauses this many times as long, so that it uses at most a fifth of the time. */
const pauseFactor = 4;

/**
 * Whether bindings are open now. Windows are expensive: one iteration of the event loop computes one binding, and
 * namespaces alternate. A result is valid until the binding or its window changes.
 */
export class AvailabilityWindows {
  readonly #clock: Clock;
  readonly #queue = new FairQueue<Binding>();
  readonly #pending = new WeakMap<Binding, PromiseWithResolvers<void>>();
  /** When the next computation of a namespace may start, in monotonic milliseconds. */
  readonly #pausedUntil = new Map<string, number>();
  #working = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The known result; undefined where it has to be computed. */
  tryNow(binding: Binding): Opening | undefined {
    const now = this.#clock.now();
    const cheap = !binding.spec?.availability?.windows?.length;
    return cheap ? openingOf(binding, now) : knownOpening(binding, now);
  }

  /** The result, computed where it is not known. Throws the signal's reason when it aborts. */
  async of(binding: Binding, signal: AbortSignal): Promise<Opening> {
    for (;;) {
      const known = this.tryNow(binding);
      if (known) return known;
      await unlessAborted(this.#computed(binding), signal);
    }
  }

  #computed(binding: Binding): Promise<void> {
    let pending = this.#pending.get(binding);
    if (!pending) {
      pending = Promise.withResolvers();
      this.#pending.set(binding, pending);
      this.#queue.add(binding.metadata.namespace ?? '', binding);
      if (!this.#working) void this.#work();
    }
    return pending.promise;
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#queue.size > 0) {
      await setImmediate();
      const now = this.#clock.monotonic();
      for (const [namespace, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(namespace);
      const binding = this.#queue.take((namespace) => !this.#pausedUntil.has(namespace));
      if (binding) this.#compute(binding);
      else await this.#clock.sleep(Math.max(1, Math.min(...this.#pausedUntil.values()) - now));
    }
    this.#working = false;
  }

  #compute(binding: Binding): void {
    const started = this.#clock.monotonic();
    openingOf(binding, this.#clock.now());
    const ended = this.#clock.monotonic();
    if (ended - started >= 1)
      this.#pausedUntil.set(binding.metadata.namespace ?? '', ended + pauseFactor * (ended - started));
    this.#pending.get(binding)?.resolve();
    this.#pending.delete(binding);
  }
}
