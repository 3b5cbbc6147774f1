import { isObject, type JsonObject } from '../../base/json.ts';

/**
 * An object that is declared without members, of a kind that names its members. Azure adds others, such as the DNS
 * suffix of a network interface. The spec cannot declare these, so they are no difference.
 */
export class EmptyObject {
  /** Names in lower case. */
  readonly #declarable: ReadonlySet<string>;

  constructor(names: Iterable<string>) {
    this.#declarable = new Set([...names].map((name) => name.toLowerCase()));
  }

  /** Names of the members in Azure that could be declared and hold something, sorted. */
  namesIn(live: JsonObject): string[] {
    return Object.keys(live)
      .filter((name) => this.#declarable.has(name.toLowerCase()) && !isNothing(live[name]))
      .sort();
  }
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
