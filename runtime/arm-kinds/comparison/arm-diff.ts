import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { EnumWord } from '../body/enum-values.ts';
import { MovedValue } from '../moved/moved-value.ts';
import { SecretValue } from '../secret-value.ts';
import { EmptyObject } from '../values/empty-object.ts';
import { memberOf } from '../values/json-object.ts';
import { SharedList } from '../values/shared-list.ts';
import { sameText } from './same-text.ts';

/** One declared field that Azure shows differently. Without values, which do not belong in a log. */
export interface Difference {
  readonly path: string;
  /** Absent: Azure shows nothing at this place. */
  readonly kind: 'absent' | 'different';
  readonly declared: unknown;
  /** The value in Azure. */
  readonly live: unknown;
}

/**
 * The differences of a resource in Azure from its declaration. Only declared fields count; a collection declared empty
 * equals an absent one; ARM ids, regions and words of enumerations are compared as Azure does; lists without regard to
 * order.
 * Secrets cannot be seen in Azure and are left out.
 *
 * Both bodies may be a tenant's, so the work is linear in their size, but for lists of objects whose order Azure
 * changed. Where these take more than 100,000 comparisons, the list counts as different.
 */
export function armDiff(declared: unknown, live: unknown, path = ''): Difference[] {
  return new Comparison().differences(declared, live, path);
}

/** Comparisons of values in items of lists that are at another place: some 50 ms, in which nothing else runs. */
const mostItemComparisons = 100_000;

class Comparison {
  #left = mostItemComparisons;
  /** Whether an item is compared with one at another place. */
  #isSearching = false;
  readonly #seen = new WeakMap<object, LiveObject>();

  differences(declared: unknown, live: unknown, path: string): Difference[] {
    if (this.#isSearching) this.#left--;
    if (declared === undefined || declared instanceof SecretValue) return [];
    if (declared instanceof SharedList) {
      return this.differences(declared.items, Array.isArray(live) ? declared.ownAmong(live) : live, path);
    }
    if (declared instanceof MovedValue) {
      return declared.isMoved(live) ? [] : this.differences(declared.declared, live, path);
    }
    if (declared instanceof EnumWord) return declared.is(live) ? [] : this.differences(declared.text, live, path);
    if (declared instanceof EmptyObject) {
      const isSame = isObject(live) ? declared.namesIn(live).length === 0 : this.#isEmpty(live);
      return isSame ? [] : [{ path, kind: 'different', declared, live }];
    }
    const nothingLive = this.#isEmpty(live);
    if (nothingLive && this.#isEmpty(declared)) return [];
    // Members decide one by one: an absent object whose members cannot be seen anyway is no difference.
    if (nothingLive && !isObject(declared)) return [{ path, kind: 'absent', declared, live: undefined }];
    if (isObject(declared)) return this.#ofObject(declared, live, path);
    if (Array.isArray(declared)) return this.#ofList(declared, live, path);
    if (declared === null) return this.#ofEmpty(declared, live, path);
    return sameValue(declared, live, path) ? [] : [{ path, kind: 'different', declared, live }];
  }

  #ofObject(declared: JsonObject, live: unknown, path: string): Difference[] {
    const of = (memberOf: (name: string) => unknown) =>
      Object.entries(declared).flatMap(([name, member]) => this.differences(member, memberOf(name), join(path, name)));
    if (this.#isEmpty(live)) return of(() => undefined);
    if (!isObject(live)) return [{ path, kind: 'different', declared, live }];
    if (this.#isEmpty(declared)) return path === '' || isMapOfIds(live) ? [] : this.#ofEmpty(declared, live, path);
    const shown = this.#live(live);
    return of((name) => shown.member(name));
  }

  /** Something is there where nothing is declared on purpose. */
  #ofEmpty(declared: unknown, live: unknown, path: string): Difference[] {
    return this.#isEmpty(live) ? [] : [{ path, kind: 'different', declared, live }];
  }

  #ofList(declared: readonly unknown[], live: unknown, path: string): Difference[] {
    const different: Difference[] = [{ path, kind: 'different', declared, live }];
    if (!Array.isArray(live) || declared.length !== live.length) return different;
    const candidates = new Candidates(live.length);
    for (const [index, item] of declared.entries()) {
      const isHere = candidates.isLeft(index) && this.#isSame(item, live[index], path);
      const liveIndex = isHere ? index : this.#search(item, live, candidates, path);
      if (liveIndex === undefined) return different;
      candidates.take(liveIndex);
    }
    return [];
  }

  /** The place of an equal item among those that are left. */
  #search(item: unknown, live: readonly unknown[], candidates: Candidates, path: string): number | undefined {
    const outer = this.#isSearching;
    this.#isSearching = true;
    try {
      for (const at of this.#places(item, live, candidates)) {
        if (this.#left < 0) return undefined;
        if (this.#isSame(item, live[at], path)) return at;
      }
      return undefined;
    } finally {
      this.#isSearching = outer;
    }
  }

  /** The places where an equal item may be: those with the same value, or with the same one of a member. */
  #places(item: unknown, live: readonly unknown[], candidates: Candidates): Iterable<number> {
    const coarseText = coarse(item);
    const [member, key] = coarseText === undefined ? this.#mark(item) : ['', coarseText];
    if (key === undefined) return candidates.all();
    return candidates.with(member, key, () => {
      this.#left -= live.length;
      return live.map((each) => coarse(member === '' ? each : isObject(each) && this.#live(each).member(member)));
    });
  }

  /** A member by which an object is found among others: its name, else the first that is a plain value. */
  #mark(item: unknown): readonly [member: string, key: string | undefined] {
    if (!isObject(item) || item instanceof SecretValue) return ['', undefined];
    const name = coarse(memberOf(item, 'name'));
    if (name !== undefined) return ['name', name];
    const [member = '', value] = Object.entries(item).find(([, each]) => coarse(each) !== undefined) ?? [];
    return [member, coarse(value)];
  }

  #isSame(item: unknown, candidate: unknown, list: string): boolean {
    return this.differences(item, candidate, `${list}[]`).length === 0;
  }

  #isEmpty(value: unknown): boolean {
    if (value === undefined || value === null) return true;
    if (typeof value !== 'object' || value instanceof SecretValue) return false;
    return Array.isArray(value) ? value.length === 0 : this.#live(value as JsonObject).size === 0;
  }

  #live(object: JsonObject): LiveObject {
    const seenText = this.#seen.get(object);
    if (seenText) return seenText;
    const made = new LiveObject(object);
    this.#seen.set(object, made);
    return made;
  }
}

/** Equal values have equal keys; others may have the same one. Undefined for values other than plain ones. */
function coarse(value: unknown): string | undefined {
  if (value instanceof EnumWord) return coarse(value.text);
  if (typeof value === 'string') return normalizeResourceId(value).replaceAll(' ', '');
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : undefined;
}

/** The places of a list in Azure whose items equal no declared one yet. */
class Candidates {
  readonly #left: Set<number>;
  /** By a member of the items, '' for the items themselves, and by its value. */
  readonly #by = new Map<string, Map<string | undefined, Set<number>>>();

  constructor(length: number) {
    this.#left = new Set(Array(length).keys());
  }

  isLeft(at: number): boolean {
    return this.#left.has(at);
  }

  all(): Iterable<number> {
    return this.#left;
  }

  /** Those whose member has this key. `keysOf` gives the keys of all items, once for a member. */
  *with(member: string, key: string, keysOf: () => readonly (string | undefined)[]): Iterable<number> {
    let places = this.#by.get(member);
    if (!places) {
      places = new Map();
      for (const [at, each] of keysOf().entries()) places.set(each, (places.get(each) ?? new Set()).add(at));
      this.#by.set(member, places);
    }
    const same = places.get(key) ?? new Set();
    for (const at of same) {
      if (this.#left.has(at)) yield at;
      else same.delete(at);
    }
  }

  take(at: number): void {
    this.#left.delete(at);
  }
}

/** An object whose members are found ignoring case: ARM is not consistent in it, and keys that are ids have none. */
class LiveObject {
  readonly size: number;
  readonly #object: JsonObject;
  #byLowerCase: ReadonlyMap<string, unknown> | undefined;

  constructor(object: JsonObject) {
    this.size = Object.keys(object).length;
    this.#object = object;
  }

  member(name: string): unknown {
    if (Object.hasOwn(this.#object, name)) return this.#object[name];
    // Of two names that differ by case the first one counts.
    this.#byLowerCase ??= new Map(
      Object.entries(this.#object)
        .reverse()
        .map(([other, value]) => [other.toLowerCase(), value]),
    );
    return this.#byLowerCase.get(name.toLowerCase());
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function sameValue(declared: unknown, live: unknown, path: string): boolean {
  if (declared === live) return true;
  return typeof declared === 'string' && typeof live === 'string' && sameText(declared, live, path);
}

function isMapOfIds(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((key) => key === 'principalId' || key === 'clientId');
}
