/**
 * A value that was computed from watched objects. It is valid until the first of these objects changes.
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
 * Indexes decisions by the keys of the objects that they depend on, and ends their validity when an object changes.
 */
export class Decisions<T> {
  readonly #byKey = new Map<string, Set<Entry<T>>>();

  /** Decisions that are valid, counted once for each of their keys. */
  get size(): number {
    let size = 0;
    for (const entries of this.#byKey.values()) size += entries.size;
    return size;
  }

  /** Adds a decision, which stays valid until one of its keys is invalidated. */
  add(value: T, keys: readonly string[]): Decision<T> {
    const decision: Entry<T> = { value, keys, valid: true };
    for (const key of keys) {
      const dependents = this.#byKey.get(key);
      if (dependents) dependents.add(decision);
      else this.#byKey.set(key, new Set([decision]));
    }
    return decision;
  }

  /** Ends the validity of every decision that depends on the key. */
  invalidate(key: string): void {
    for (const decision of this.#byKey.get(key) ?? []) {
      decision.valid = false;
      for (const each of decision.keys) {
        const dependents = this.#byKey.get(each);
        dependents?.delete(decision);
        if (dependents?.size === 0) this.#byKey.delete(each);
      }
    }
  }
}
