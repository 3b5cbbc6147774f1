import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { EnumWord } from '../body/enum-values.ts';
import { MovedValue } from '../moved/moved-value.ts';
import { hasSecrets, SecretValue } from '../secret-value.ts';
import { EmptyObject } from '../values/empty-object.ts';
import { memberOf } from '../values/json-object.ts';
import { SharedList } from '../values/shared-list.ts';
import { sameText } from './same-text.ts';

/**
 * The part of Azure's value at members that are declared, for a fingerprint: what Azure adds beside them, such as etags
 * and back references, may change without a meaning. Values that count as equal are as declared. Items of lists are
 * known by a member; of an item that is not declared, only that member is in the result.
 */
export function declaredPart(declared: unknown, live: unknown, path: string): unknown {
  if (declared instanceof SecretValue) return undefined;
  if (declared instanceof MovedValue) {
    return declaredPart(declared.declared, declared.isMoved(live) ? declared.declared : live, path);
  }
  if (declared instanceof EnumWord) return declared.is(live) ? declared.text : live;
  if (declared instanceof SharedList) {
    return declaredPart(declared.items, Array.isArray(live) ? declared.ownAmong(live) : live, path);
  }
  if (declared instanceof EmptyObject) return isObject(live) ? declared.namesIn(live) : live;
  // Declared empty on purpose: every name that Azure has there counts.
  if (declared === null && isObject(live)) return Object.keys(live).sort();
  if (declared === null && Array.isArray(live)) return live.length;
  if (Array.isArray(declared) && Array.isArray(live)) return ofList(declared, live, path);
  if (isObject(declared) && isObject(live)) return ofObject(declared, live, path);
  if (hasSecrets(declared)) return typeof live;
  return typeof declared === 'string' && typeof live === 'string' && sameText(declared, live, path) ? declared : live;
}

function ofObject(declared: JsonObject, live: JsonObject, path: string): unknown {
  const names = Object.keys(declared);
  if (names.length === 0) return Object.keys(live).sort();
  const byLowerCase = new Map(Object.entries(live).map(([name, value]) => [name.toLowerCase(), value]));
  const shown = (name: string) => memberOf(live, name) ?? byLowerCase.get(name.toLowerCase());
  return Object.fromEntries(
    names.map((name) => [name, declaredPart(declared[name], shown(name), path === '' ? name : `${path}.${name}`)]),
  );
}

/** Members by which the items of one list are found; a list with more of them costs too much. */
const mostMarks = 16;

function ofList(declared: readonly unknown[], live: readonly unknown[], path: string): unknown {
  const left = new Set(live.keys());
  const places = new Map<string, Map<string | undefined, number[]>>();
  const take = (mark: string, key: string | undefined): unknown => {
    if (!places.has(mark) && places.size < mostMarks) places.set(mark, placesBy(mark, live));
    const same = places.get(mark)?.get(key) ?? [];
    const at = same.findLast((each) => left.has(each));
    if (at === undefined) return undefined;
    while (same.pop() !== at);
    left.delete(at);
    return live[at];
  };
  const items = declared.map((item) => {
    const mark = markOf(item);
    const liveItem = mark === undefined ? undefined : take(mark, keyOf(item, mark));
    return liveItem === undefined ? null : declaredPart(item, liveItem, `${path}[]`);
  });
  const mark = markOf(declared[0]);
  // A value that Azure shows in the place of a secret is none for a fingerprint without a key: such items are counted.
  const isKnown = mark !== undefined && !declared.some((item) => isSecretAt(item, mark));
  const others = [...left].map((at) => (isKnown ? (keyOf(live[at], mark) ?? '') : ''));
  return { items, others: others.sort() };
}

/** The places of the items by the value of a member, the last one first. */
function placesBy(mark: string, live: readonly unknown[]): Map<string | undefined, number[]> {
  const result = new Map<string | undefined, number[]>();
  for (let at = live.length - 1; at >= 0; at--) {
    const key = keyOf(live[at], mark);
    const same = result.get(key);
    if (same) same.push(at);
    else result.set(key, [at]);
  }
  return result;
}

/** The member by which an item is known: its name, its id, else its first plain value; '' for a plain item. */
function markOf(item: unknown): string | undefined {
  if (keyOf(item, '') !== undefined) return '';
  if (!isObject(item) || item instanceof SecretValue) return undefined;
  return ['name', 'id', ...Object.keys(item)].find((name) => keyOf(item, name) !== undefined);
}

/** Whether the item, or its member by which others are known, is a secret. */
const isSecretAt = (item: unknown, mark: string) =>
  item instanceof SecretValue || (isObject(item) && memberOf(item, mark) instanceof SecretValue);

/** Equal keys for values that Azure takes for equal. */
function keyOf(item: unknown, mark: string): string | undefined {
  const value = mark === '' ? item : memberOf(item, mark);
  const plain = value instanceof EnumWord ? value.text : value instanceof MovedValue ? value.declared : value;
  if (typeof plain === 'string') return normalizeResourceId(plain).replaceAll(' ', '').toLowerCase();
  return typeof plain === 'number' || typeof plain === 'boolean' ? `${typeof plain} ${plain}` : undefined;
}
