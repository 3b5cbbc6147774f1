/**
 * Where the program under test is killed, run after run: each at the first write at which none before was. A write is told
 * by what it is for and by how many for that there were in its run, and not by its place among all: how many others come
 * before it, such as looks at an operation that are noted, may differ from run to run.
 */
export class KillPlan {
  readonly #done = new Set<string>();
  #met = new Map<string, number>();
  #killedAt: string | undefined;

  /** What the write of this run was for at which it was killed; undefined where there was none left. */
  get killedAt(): string | undefined {
    return this.#killedAt;
  }

  /** Begins the next run. */
  begin(): void {
    this.#met = new Map();
    this.#killedAt = undefined;
  }

  /** Whether the program is to be killed at this write. */
  meets(what: string): boolean {
    const nth = (this.#met.get(what) ?? 0) + 1;
    this.#met.set(what, nth);
    const write = `${what} #${nth}`;
    if (this.#killedAt !== undefined || this.#done.has(write)) return false;
    this.#done.add(write);
    this.#killedAt = what;
    return true;
  }
}
