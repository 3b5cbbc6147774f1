import type { KindDefinition } from '../../api/types.ts';
import { isObject, type JsonObject, jsonHash } from '../../base/json.ts';
import { getPath, memberOf } from '../values/json-object.ts';
import { nameOf, SharedList, withPath } from '../values/shared-list.ts';
import { type CarriedField, carriedFields } from './carried-fields.ts';
import { identities, withComparedIdentityType, withIdentityType } from './identity-type.ts';

type Kind = Pick<KindDefinition, 'group' | 'kind' | 'arm'>;

/** A place of the table in a body, and what Azure shows there. */
interface Place {
  readonly name: string;
  readonly declared: unknown;
  readonly live: unknown;
}

/**
 * The body for a PUT over `live`: with what others made at the places of the table. Places in `before`, which the last
 * PUT declared, are not carried: the declaration lost them on purpose. Neither are entries of a place that is declared
 * null or empty.
 */
export function withCarried(kind: Kind, body: JsonObject, live: JsonObject, before: readonly string[]): JsonObject {
  const lost = new Set(before);
  const carried = rewritten(kind, body, live, (field, { name, declared, live: shown }) => {
    if (shown === undefined || shown === null || shown === false) return declared;
    if (field.entries === undefined) return declared === undefined && !lost.has(markOf(name)) ? shown : declared;
    if (declared !== undefined && entriesOf(field, declared).size === 0) return declared;
    const declaredEntries = entriesOf(field, declared);
    const others = [...entriesOf(field, shown)].filter(
      ([key]) => !declaredEntries.has(key) && !lost.has(markOf(name, key)),
    );
    if (others.length === 0) return declared;
    if (field.entries !== 'keys')
      return [...((declared as unknown[] | undefined) ?? []), ...others.map(([, item]) => item)];
    return {
      ...(declared as JsonObject | undefined),
      ...Object.fromEntries(others.map(([, entry]) => entry as [string, unknown])),
    };
  });
  return getPath(carried, 'identity') === getPath(body, 'identity') ? carried : withIdentityType(carried, live);
}

/** Marks of the places of the table, and of their entries, that the body declares. */
export function declaredPlaces(kind: Kind, body: JsonObject): readonly string[] {
  const marks: string[] = [];
  rewritten(kind, body, {}, (field, { name, declared }) => {
    if (declared === undefined) return declared;
    if (field.entries === undefined) marks.push(markOf(name));
    else for (const key of entriesOf(field, declared).keys()) marks.push(markOf(name, key));
    return declared;
  });
  return marks;
}

/** The body for comparisons: entries of lists, and identities, that others made are no difference. */
export function withSharedEntries(kind: Kind, body: JsonObject): JsonObject {
  let hasIdentities = false;
  const shared = rewritten(kind, body, {}, ({ path, entries }, { declared }) => {
    hasIdentities ||= path === identities;
    if (entries === undefined || entries === 'keys' || !Array.isArray(declared) || declared.length === 0)
      return declared;
    return new SharedList(declared, (item) => keyOf(item, entries.by));
  });
  return hasIdentities ? withComparedIdentityType(shared) : shared;
}

/** The body with the results of `change` at the places of the kind; the body itself where nothing changes. */
function rewritten(
  { group, kind, arm }: Kind,
  declared: JsonObject,
  live: JsonObject,
  change: (field: CarriedField, place: Place) => unknown,
): JsonObject {
  if (!arm) return declared;
  const id = `${group}/${kind}`;
  let body = declared;
  for (const field of carriedFields) {
    if (field.kinds !== 'all' && !field.kinds.includes(id)) continue;
    const [path = '', inItem] = field.path.split('[].');
    if (inItem === undefined) {
      body = changed(body, path, live, field, path, change);
      continue;
    }
    const items = getPath(body, path);
    if (!Array.isArray(items)) continue;
    const shown = getPath(live, path);
    const liveByName = new Map((Array.isArray(shown) ? shown : []).map((item) => [nameOf(item), item] as const));
    const next = items.map((item) =>
      isObject(item)
        ? changed(item, inItem, liveByName.get(nameOf(item)), field, `${path}[${nameOf(item)}].${inItem}`, change)
        : item,
    );
    if (next.some((item, index) => item !== items[index])) body = withPath(body, path.split('.'), next);
  }
  return body;
}

function changed(
  object: JsonObject,
  path: string,
  live: unknown,
  field: CarriedField,
  name: string,
  change: (field: CarriedField, place: Place) => unknown,
): JsonObject {
  const declared = getPath(object, path);
  const next = change(field, { name, declared, live: getPath(live, path) });
  return next === declared ? object : withPath(object, path.split('.'), next);
}

/** The entries by their keys: of a list its items, of a map names and values. */
function entriesOf({ path, entries }: CarriedField, value: unknown): ReadonlyMap<string, unknown> {
  if (entries === 'keys') {
    if (!isObject(value)) return new Map();
    // Azure shows ids of the identities, which it does not take.
    const shown = path === identities ? () => ({}) : (each: unknown) => each;
    return new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), [key, shown(each)]]));
  }
  const by = entries?.by ?? 'name';
  return new Map((Array.isArray(value) ? value : []).map((item) => [keyOf(item, by), item]));
}

const keyOf = (item: unknown, by: string) => String(memberOf(item, by)).toLowerCase();

/** A short mark: what a body declares is nobody's business, and may be long. */
const markOf = (place: string, key = '') => jsonHash([place, key]).slice(0, 8);
