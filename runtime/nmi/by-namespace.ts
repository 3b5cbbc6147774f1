import { LRUCache } from 'lru-cache';

/** More namespaces than one node has pods of. */
const maxNamespaces = 1000;

/** One instance for each namespace, such as a cache: a namespace that fills its own evicts no entry of another. */
export class ByNamespace<T extends object> {
  readonly #create: () => T;
  readonly #instances = new LRUCache<string, T>({ max: maxNamespaces });

  /** `create` makes the instance of a namespace at its first use. */
  constructor(create: () => T) {
    this.#create = create;
  }

  /** The namespace's own instance. */
  of(namespace = ''): T {
    const instance = this.#instances.get(namespace);
    if (instance) return instance;
    const created = this.#create();
    this.#instances.set(namespace, created);
    return created;
  }
}
