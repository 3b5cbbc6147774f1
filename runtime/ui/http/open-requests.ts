/** Requests under way: all of them, and those of one key, each bounded. */
export class OpenRequests {
  readonly #most: { readonly all: number; readonly ofOne: number };
  readonly #open = new Map<string, number>();

  constructor(most: { readonly all: number; readonly ofOne: number }) {
    this.#most = most;
  }

  /** Counts a request until the function that it returns is called; undefined where there are too many. */
  enter(key: string): (() => void) | undefined {
    const own = this.#open.get(key) ?? 0;
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    if (own >= this.#most.ofOne || all >= this.#most.all) return undefined;
    this.#open.set(key, own + 1);
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}
