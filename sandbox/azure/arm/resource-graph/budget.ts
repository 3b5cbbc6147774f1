import { badQuery } from './query-errors.ts';

/** The work that a query may do: values computed and characters made. */
export class Budget {
  #left: number;

  constructor(steps = 2_000_000) {
    this.#left = steps;
  }

  /** Throws a refusal once the query has done all it may. */
  take(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw badQuery('it needs more work than the sandbox does for one query');
  }
}
