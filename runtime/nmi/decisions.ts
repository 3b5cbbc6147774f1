/**
 * Something that was computed from watched objects. Immutable but for `valid`, which ends with the first change of
 * these objects.
 */
export interface Decision<T> {
  readonly value: T;
  readonly valid: boolean;
}

interface Entry<T> {
  readonly value: T;
  readonly keys: readonly string[];
  valid: boolean;
}

/**
 * Indexes decisions by the keys of the objects they depend on. A change of an object ends the decisions that depend
 * on it.
 */
export class Decisions<T> {
  readonly #byKey = new Map<string, Set<Entry<T>>>();

  /** Decisions that are valid, counted once for each of their keys. */
  get size(): number {
    let size = 0;
    for (const entries of this.#byKey.values()) size += entries.size;
    return size;
  }

  /** Adds a decision, which stays valid until one of its keys ends. */
  add(value: T, keys: readonly string[]): Decision<T> {
    const decision: Entry<T> = { value, keys, valid: true };
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
