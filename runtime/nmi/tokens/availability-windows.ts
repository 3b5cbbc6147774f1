import { knownOpening, type Opening, openingOf } from '../../api/pod-identity/availability.ts';
import { unlessAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { FairWork } from '../../base/fairness/fair-work.ts';
import type { Binding } from '../objects.ts';

/**
 * Whether bindings are open now. Windows are expensive: one iteration of the event loop computes one binding, and
 * namespaces alternate, each with a fifth of the time at most. A result is valid until the binding or its window changes.
 */
export class AvailabilityWindows {
  readonly #clock: Clock;
  readonly #work: FairWork;
  readonly #pending = new WeakMap<Binding, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#work = new FairWork({ clock, sliceMs: 0, timeShare: 1 / 5 });
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
      const knownWindow = this.tryNow(binding);
      if (knownWindow) return knownWindow;
      await unlessAborted(this.#computed(binding), signal);
    }
  }

  #computed(binding: Binding): Promise<unknown> {
    const pending = this.#pending.get(binding);
    if (pending) return pending;
    const { namespace = '', name } = binding.metadata;
    const compute = () => {
      this.#pending.delete(binding);
      return openingOf(binding, this.#clock.now());
    };
    const started = this.#work.result(namespace, name, compute);
    this.#pending.set(binding, started);
    return started;
  }
}
