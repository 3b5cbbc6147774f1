/** Something that was computed from watched objects. Immutable but for `valid`, which ends with the first change of these objects. */
export interface Decision<T> {
  readonly value: T;
  readonly valid: boolean;
}

interface Kept<T> {
  readonly value: T;
  readonly keys: readonly string[];
  valid: boolean;
}

/** Keeps decisions under keys of what they were computed from, so that a change ends those that depend on it and no others. */
export class Decisions<T> {
  readonly #byKey = new Map<string, Set<Kept<T>>>();

  /** Decisions that are valid, counted once for each of their keys. */
  get size(): number {
    let size = 0;
    for (const kept of this.#byKey.values()) size += kept.size;
    return size;
  }

  /** Keeps a decision until one of the keys ends. */
  add(value: T, keys: readonly string[]): Decision<T> {
    const decision: Kept<T> = { value, keys, valid: true };
    for (const key of keys) {
      const kept = this.#byKey.get(key);
      if (kept) kept.add(decision);
      else this.#byKey.set(key, new Set([decision]));
    }
    return decision;
  }

  /** Ends every decision that depends on the key. */
  end(key: string): void {
    for (const decision of this.#byKey.get(key) ?? []) {
      decision.valid = false;
      for (const each of decision.keys) {
        const kept = this.#byKey.get(each);
        kept?.delete(decision);
        if (kept?.size === 0) this.#byKey.delete(each);
      }
    }
  }
}
