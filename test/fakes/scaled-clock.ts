import { type Clock, systemClock } from '../../runtime/base/clock.ts';

/** A clock that runs faster than the world, so that waits are kept, and can be checked, without taking their time. */
export class ScaledClock implements Clock {
  readonly #factor: number;
  readonly #start = Date.now();
  readonly #origin = performance.now();

  constructor(factor: number) {
    this.#factor = factor;
  }

  now(): number {
    return this.#start + this.monotonic();
  }

  monotonic(): number {
    return (performance.now() - this.#origin) * this.#factor;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(Math.ceil(ms / this.#factor), signal);
  }
}
