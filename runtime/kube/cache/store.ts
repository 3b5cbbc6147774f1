import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject, ObjectKey } from '../client/types.ts';
import { share } from './sharing.ts';
import type { CacheChange, CacheHandler, IndexFunction, ObjectSink } from './types.ts';

interface Index<T extends KubeObject> {
  readonly of: IndexFunction<T>;
  readonly entries: Map<string, Set<T>>;
}

/**
 * Objects of one type by namespace and name, with indexes kept up with every change. Cluster-scoped objects lie under
 * the namespace ''. The maps' keys are the objects' own strings, so that the structure costs little beside its content,
 * and equal parts of objects are stored once.
 */
export class ObjectCache<T extends KubeObject = KubeObject> implements ObjectSink<T> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #handlers = new Set<CacheHandler<T>>();
  readonly #onError: (error: unknown) => void;
  #size = 0;
  /** The object that the next one is compared with to share memory; lists are sorted, so neighbours are alike. */
  #neighbour: T | undefined;

  /** `onError` gets the error of a handler or an index function; the cache itself continues. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#size;
  }

  get({ namespace = '', name }: ObjectKey): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  list(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    return [...this.#namespaces.values()].flatMap((objects) => [...objects.values()]);
  }

  byIndex(name: string, value: string, most = Number.POSITIVE_INFINITY): T[] {
    const index = this.#indexes.get(name);
    if (!index) {
      const indexNames = [...this.#indexes.keys()].join(', ') || 'none';
      throw new AzimuthError('AZ_CONFIG_INVALID', `No index \`${name}\` on this cache; it has: ${indexNames}`);
    }
    const objects: T[] = [];
    for (const object of index.entries.get(value) ?? []) {
      if (objects.length >= most) break;
      objects.push(object);
    }
    return objects;
  }

  addIndex(name: string, of: IndexFunction<T>): void {
    const existing = this.#indexes.get(name);
    if (existing?.of === of) return;
    if (existing) {
      throw new AzimuthError('AZ_CONFIG_INVALID', `The index \`${name}\` exists with another function; rename one`);
    }
    const index: Index<T> = { of, entries: new Map() };
    this.#indexes.set(name, index);
    for (const object of this.list()) this.#insert(index, object);
  }

  /** See `WatchedCache.onChange`. */
  onChange(handler: CacheHandler<T>): () => void {
    for (const object of this.list()) this.#call(handler, { type: 'added', object });
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Stores an object, which is modified. Nothing happens when its uid and resourceVersion are those already stored. */
  put(received: T): true {
    const { namespace = '', name, uid, resourceVersion } = received.metadata;
    const old = this.get({ namespace, name });
    if (old && old.metadata.uid !== uid) this.remove({ namespace, name });
    else if (old && resourceVersion !== undefined && old.metadata.resourceVersion === resourceVersion) return true;
    const replaced = old?.metadata.uid === uid ? old : undefined;
    const object = share(replaced ?? this.#neighbour, received);
    this.#neighbour = object;

    const objects = this.#namespaces.get(namespace) ?? new Map<string, T>();
    this.#namespaces.set(namespace, objects);
    // A map keeps the key it got first; deleting it frees the string of the object that is replaced.
    if (replaced) objects.delete(name);
    else this.#size++;
    objects.set(name, object);
    for (const index of this.#indexes.values()) {
      if (replaced) this.#withdraw(index, replaced);
      this.#insert(index, object);
    }
    this.#emit(replaced ? { type: 'updated', object, old: replaced } : { type: 'added', object });
    return true;
  }

  /** Removes an object; `last` is its final state where the server sent it. A successor of the same name stays. */
  remove(key: ObjectKey, last?: T): void {
    const { namespace = '', name } = key;
    const objects = this.#namespaces.get(namespace);
    const old = objects?.get(name);
    if (!objects || !old || (last && last.metadata.uid !== old.metadata.uid)) return;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#size--;
    for (const index of this.#indexes.values()) this.#withdraw(index, old);
    this.#emit({ type: 'deleted', old: last ?? old });
  }

  /** See `ObjectSink.missing`. */
  missing(namespace: string | undefined, listed: { has(object: T): boolean }): { kept: number; missing: number } {
    const objects = this.list(namespace);
    return { kept: objects.length, missing: objects.filter((object) => !listed.has(object)).length };
  }

  /** Removes the objects that a complete list of one namespace (or of all) did not contain. */
  retain(namespace: string | undefined, listed: { has(object: T): boolean }): void {
    for (const object of this.list(namespace)) {
      if (!listed.has(object)) this.remove(object.metadata);
    }
  }

  #emit(change: CacheChange<T>): void {
    for (const handler of this.#handlers) this.#call(handler, change);
  }

  #call(handler: CacheHandler<T>, change: CacheChange<T>): void {
    try {
      handler(change);
    } catch (error) {
      this.#onError(error);
    }
  }

  #insert(index: Index<T>, object: T): void {
    for (const value of this.#values(index, object)) {
      const entry = index.entries.get(value);
      if (entry) entry.add(object);
      else index.entries.set(value, new Set([object]));
    }
  }

  #withdraw(index: Index<T>, object: T): void {
    for (const value of this.#values(index, object)) {
      const entry = index.entries.get(value);
      entry?.delete(object);
      if (entry?.size === 0) index.entries.delete(value);
    }
  }

  #values(index: Index<T>, object: T): readonly string[] {
    try {
      return index.of(object);
    } catch (error) {
      this.#onError(error);
      return [];
    }
  }
}
