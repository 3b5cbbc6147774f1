import type { Runtime } from './types.ts';

const windowMs = 30_000;
const linesPerWindow = 5;

/** Lines that all watches of one client share: without an API server each of hundreds would log the same. */
export class LineBudget {
  static readonly #budgets = new WeakMap<object, LineBudget>();
  #since = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #suppressed = 0;

  static of({ metrics }: Pick<Runtime, 'metrics'>): LineBudget {
    const budget = LineBudget.#budgets.get(metrics) ?? new LineBudget();
    LineBudget.#budgets.set(metrics, budget);
    return budget;
  }

  /** Fields for a line that may be written now, with the number of those left out before; undefined for one too many. */
  take(now: number): { readonly suppressed?: number } | undefined {
    if (now - this.#since >= windowMs) {
      this.#since = now;
      this.#lines = 0;
    }
    if (++this.#lines > linesPerWindow) {
      this.#suppressed++;
      return undefined;
    }
    const suppressed = this.#suppressed;
    this.#suppressed = 0;
    return suppressed > 0 ? { suppressed } : {};
  }
}
