import { type KubeObject, keyOf, type ObjectKey } from '../client/types.ts';
import type { CacheChange, CacheHandler, IndexFunction, WatchedCache } from './types.ts';

/** How objects of a cache depend on those of another one. */
export interface Derivation<T extends KubeObject, D extends KubeObject> {
  /** The object that this one depends on; undefined: it stays as it is. */
  readonly dependency: (object: T) => ObjectKey | undefined;
  /** The object as readers see it. Pure; must not modify its arguments. */
  readonly derive: (object: T, dependency: D | undefined) => T;
}

/**
 * A cache whose objects are completed by objects of another cache, such as identities by the ids that they refer to. A
 * change of either one is a change of the object. Indexes see the objects as they are stored.
 */
export class DerivedCache<T extends KubeObject, D extends KubeObject> implements WatchedCache<T> {
  readonly #source: WatchedCache<T>;
  readonly #dependencies: WatchedCache<D>;
  readonly #derivation: Derivation<T, D>;
  readonly #derived = new Map<string, T>();
  /** Keys of objects by the key of an object that they depend on. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #handlers = new Set<CacheHandler<T>>();

  constructor(source: WatchedCache<T>, dependencies: WatchedCache<D>, derivation: Derivation<T, D>) {
    this.#source = source;
    this.#dependencies = dependencies;
    this.#derivation = derivation;
    source.onChange((change) => this.#sourceChanged(change));
    dependencies.onChange((change) => {
      const { metadata } = change.type === 'deleted' ? change.old : change.object;
      this.#dependencyChanged(keyOf({ metadata }));
    });
  }

  get type() {
    return this.#source.type;
  }

  get synced(): boolean {
    return this.#source.synced;
  }

  get size(): number {
    return this.#source.size;
  }

  get(key: ObjectKey): T | undefined {
    const object = this.#source.get(key);
    return object && this.#shown(object);
  }

  list(namespace?: string): T[] {
    return this.#source.list(namespace).map((object) => this.#shown(object));
  }

  byIndex(index: string, value: string, most?: number): T[] {
    return this.#source.byIndex(index, value, most).map((object) => this.#shown(object));
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    this.#source.addIndex(name, index);
  }

  onChange(handler: CacheHandler<T>): () => void {
    for (const object of this.list()) handler({ type: 'added', object });
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  onRestored(handler: () => void): void {
    this.#source.onRestored(handler);
  }

  trouble(): string | undefined {
    return this.#source.trouble() ?? this.#dependencies.trouble();
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    await this.#source.whenSynced(signal);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#source.refresh(signal), this.#dependencies.refresh(signal)]);
  }

  #shown(object: T): T {
    return this.#derived.get(keyOf(object)) ?? object;
  }

  #sourceChanged(change: CacheChange<T>): void {
    const key = keyOf(change.type === 'deleted' ? change.old : change.object);
    const before = this.#derived.get(key);
    if (change.type !== 'added') this.#forget(key, change.old);
    if (change.type === 'deleted') {
      this.#emit({ type: 'deleted', old: before ?? change.old });
      return;
    }
    const object = this.#derive(key, change.object);
    if (change.type === 'added') this.#emit({ type: 'added', object });
    else this.#emit({ type: 'updated', object, old: before ?? change.old });
  }

  #dependencyChanged(dependency: string): void {
    for (const key of [...(this.#dependents.get(dependency) ?? [])]) {
      const old = this.#derived.get(key);
      const stored = old && this.#source.get(old.metadata);
      if (stored) this.#emit({ type: 'updated', object: this.#derive(key, stored), old });
    }
  }

  #derive(key: string, object: T): T {
    const dependency = this.#derivation.dependency(object);
    if (!dependency) return object;
    const derived = this.#derivation.derive(object, this.#dependencies.get(dependency));
    this.#derived.set(key, derived);
    const at = keyOf({ metadata: dependency });
    this.#dependents.set(at, (this.#dependents.get(at) ?? new Set()).add(key));
    return derived;
  }

  #forget(key: string, old: T): void {
    this.#derived.delete(key);
    const dependency = this.#derivation.dependency(old);
    if (!dependency) return;
    const at = keyOf({ metadata: dependency });
    const dependents = this.#dependents.get(at);
    dependents?.delete(key);
    if (dependents?.size === 0) this.#dependents.delete(at);
  }

  /** Calls every handler. The cache that changed reports the first error. */
  #emit(change: CacheChange<T>): void {
    const errors: unknown[] = [];
    for (const handler of this.#handlers) {
      try {
        handler(change);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
