import type { KindDefinition } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { getPath } from '../values/json-object.ts';
import { withPath } from '../values/shared-list.ts';
import { type MovedField, movedFields } from './moved-fields.ts';
import { MovedValue } from './moved-value.ts';
import { isMoved } from './movements.ts';

type Kind = Pick<KindDefinition, 'group' | 'kind'>;

/** The body for comparisons, with markers at the values that Azure may move. */
export function withMovedValues(kind: Kind, body: JsonObject): JsonObject {
  const mark = (entry: Found, field: MovedField, body: JsonObject) =>
    new MovedValue(entry.value, (live) => moved(field, entry, live, body));
  return rewritten(kind, body, {}, mark);
}

/** The body for a PUT over `live`: values that Azure moved, as the body allows, stay as they are in Azure. */
export function withMovedFrom(kind: Kind, body: JsonObject, live: JsonObject): JsonObject {
  return rewritten(kind, body, live, (entry, field, declared) =>
    moved(field, entry, entry.live, declared) && !covers(entry.value, entry.live) ? entry.live : entry.value,
  );
}

/** Whether a declared major version, such as 6, stands for each version of it, such as 6.0. */
function covers(declared: unknown, live: unknown): boolean {
  return (
    typeof declared === 'string' &&
    typeof live === 'string' &&
    /^\d+$/.test(declared) &&
    live.startsWith(`${declared}.`)
  );
}

/** A declared value, the one in Azure, and the item of a list that it is in. */
interface Found {
  readonly value: unknown;
  readonly live: unknown;
  readonly item: unknown;
}

type Change = (entry: Found, field: MovedField, declared: JsonObject) => unknown;

function rewritten({ group, kind }: Kind, declared: JsonObject, live: JsonObject, change: Change): JsonObject {
  const id = `${group}/${kind}`;
  let body = declared;
  for (const field of movedFields) {
    if (!field.kinds.includes(id)) continue;
    const [path = '', inItem] = field.path.split('[].');
    const value = getPath(body, path);
    const now = getPath(live, path);
    if (inItem === undefined)
      body = changed(body, path, { value, live: now, item: undefined }, field, declared, change);
    else if (Array.isArray(value)) {
      const liveByKey = new Map((Array.isArray(now) ? now : []).map((item) => [keyOf(item), item] as const));
      const originals = getPath(declared, path) as readonly unknown[];
      const items = value.map((item, index) => {
        if (!isObject(item)) return item;
        const entry = { value: getPath(item, inItem), live: getPath(liveByKey.get(keyOf(item)), inItem) };
        return changed(item, inItem, { ...entry, item: originals[index] }, field, declared, change);
      });
      body = withPath(body, path.split('.'), items);
    }
  }
  return body;
}

function changed(
  object: JsonObject,
  path: string,
  entry: Found,
  field: MovedField,
  declared: JsonObject,
  change: Change,
): JsonObject {
  const { value } = entry;
  if (value === undefined || value === null || value instanceof MovedValue || !isAllowed(field, entry, declared)) {
    return object;
  }
  const next = change(entry, field, declared);
  return next === value ? object : withPath(object, path.split('.'), next);
}

function isAllowed({ while: condition }: MovedField, { item }: Found, declared: JsonObject): boolean {
  if (!condition) return true;
  const value = at(condition.path, item, declared);
  return condition.is.some((each) => each === value || lower(each) === lower(value));
}

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined) ?? Number.NaN;

function moved({ moves }: MovedField, { value, item }: Found, live: unknown, declared: JsonObject): boolean {
  return isMoved(moves, value, live, (path) => at(path, item, declared));
}

/** A member of the declared body, or of the item of the list that the path goes through. */
function at(path: string, item: unknown, declared: JsonObject): unknown {
  const [outer = '', inner] = path.split('[].');
  return inner === undefined ? getPath(declared, outer) : getPath(item, inner);
}

/** Items are known by name, and Cosmos's by region, which has several spellings. */
function keyOf(item: unknown): string {
  const name = getPath(item, 'name') ?? getPath(item, 'locationName');
  return String(name).toLowerCase().replaceAll(' ', '');
}
