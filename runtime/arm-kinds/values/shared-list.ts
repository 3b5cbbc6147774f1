import { isObject, type JsonObject } from '../../base/json.ts';
import { getPath } from './json-object.ts';

/**
 * A declared list that others add items to by resources of their own, such as the extensions of a scale set: only the
 * declared items, known by their names or another key, are compared with those in Azure.
 */
export class SharedList {
  readonly items: readonly unknown[];
  readonly #keyOf: (item: unknown) => string;
  readonly #keys: ReadonlySet<string>;

  constructor(items: readonly unknown[], keyOf = nameOf, keys: ReadonlySet<string> = new Set(items.map(keyOf))) {
    this.items = items;
    this.#keyOf = keyOf;
    this.#keys = keys;
  }

  /** Azure's items with the key of a declared one. */
  ownAmong(live: readonly unknown[]): readonly unknown[] {
    return live.filter((item) => this.#keys.has(this.#keyOf(item)));
  }

  /** The same list with markers in its items, which stay known by what they had before. */
  mapped(change: (item: unknown) => unknown): SharedList {
    return new SharedList(this.items.map(change), this.#keyOf, this.#keys);
  }
}

/** The body for comparisons, with its list at the path marked as shared; the body itself where it has none. */
export function withSharedList(body: JsonObject, path: string): JsonObject {
  const items = getPath(body, path);
  return Array.isArray(items) ? withPath(body, path.split('.'), new SharedList(items)) : body;
}

/** Names of ARM resources have no case. */
export const nameOf = (item: unknown) => (isObject(item) ? String(item['name']).toLowerCase() : '');

/** A copy with the value at the path; the members beside the path are shared, as secrets in them cannot be copied. */
export function withPath(object: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject {
  if (rest.length === 0) return { ...object, [name]: value };
  const below = object[name];
  return { ...object, [name]: withPath(isObject(below) ? below : {}, rest, value) };
}
