/**
 * Where the program under test is killed, run after run: each time at the first write before which no run was killed.
 * A write is identified by its purpose and by its number among the writes of that purpose in its run. Its number among
 * all writes may differ from run to run, for example by the polls of an operation that are journaled.
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
