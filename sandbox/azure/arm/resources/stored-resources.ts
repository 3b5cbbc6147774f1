import type { Json } from '../../json.ts';

/** One ARM resource. `body` is the answer of a GET besides id, name and type; `system` is the provider's own. */
export interface StoredResource {
  id: string;
  name: string;
  type: string;
  subscriptionId: string;
  resourceGroup?: string;
  body: Json;
  system: Json;
  createdAt: number;
  changedAt: number;
  /** The operation that runs on it. */
  operationId?: string;
}

/**
 * The resources by ARM id, in order of creation. Ids and types are in any case of letters. Those of one type are found
 * without a look at the others.
 */
export class StoredResources {
  /** Changes with every write. */
  version = 0;
  readonly #byId = new Map<string, StoredResource>();
  /** The same by type, then by id, both in lower case. */
  readonly #byType = new Map<string, Map<string, StoredResource>>();

  /** `saved` is what `toJSON` gave. */
  constructor(saved: Readonly<Record<string, StoredResource>> = {}) {
    for (const resource of Object.values(saved)) this.set(resource);
  }

  get(id: string): StoredResource | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** Adds a resource, or puts it in the place of the one with its id, which has the same type. */
  set(resource: StoredResource): void {
    this.version += 1;
    const id = resource.id.toLowerCase();
    const type = resource.type.toLowerCase();
    const ofType = this.#byType.get(type) ?? new Map<string, StoredResource>();
    this.#byType.set(type, ofType.set(id, resource));
    this.#byId.set(id, resource);
  }

  delete(id: string): void {
    const resource = this.get(id);
    if (!resource) return;
    this.version += 1;
    this.#byType.get(resource.type.toLowerCase())?.delete(id.toLowerCase());
    this.#byId.delete(id.toLowerCase());
  }

  /** All of a type, in order of creation. */
  ofType(type: string): StoredResource[] {
    return [...(this.#byType.get(type.toLowerCase())?.values() ?? [])];
  }

  /** All resources at any depth below an id, in order of creation; without the one with this id. */
  below(id: string): StoredResource[] {
    const prefix = `${id.toLowerCase()}/`;
    return [...this.#byId].flatMap(([each, resource]) => (each.startsWith(prefix) ? [resource] : []));
  }

  [Symbol.iterator](): IterableIterator<StoredResource> {
    return this.#byId.values();
  }

  toJSON(): Record<string, StoredResource> {
    return Object.fromEntries(this.#byId);
  }
}
