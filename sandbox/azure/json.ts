import { isObject } from '../../runtime/base/json.ts';

/** Plain JSON, as request and answer bodies hold it. */
export type Json = Record<string, unknown>;

/** The value as an object, or an empty one. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** The value if it is a string, else ''. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The member that an object has itself: a name that a caller chose may be one of its prototype. */
export const ownMember = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

/** The record in a member, made where there is none. It has no prototype: callers choose its names. */
export function recordIn<T>(holder: Json, member: string): Record<string, T> {
  const there = holder[member];
  const isBare = isObject(there) && Object.getPrototypeOf(there) === null;
  // JSON.parse and structuredClone give records a prototype.
  if (!isBare) holder[member] = Object.assign(Object.create(null), there);
  return holder[member] as Record<string, T>;
}

/** The member at a dotted path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((current, name) => (isObject(current) ? current[name] : undefined), value);
}

/** `over` laid on `under`: objects merge member by member, everything else in `over` wins. Neither is changed. */
export function merge(under: Json, over: Json): Json {
  const result: Json = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = result[name];
    result[name] = isObject(value) && isObject(below) ? merge(below, value) : value;
  }
  return result;
}

/** A copy without members that are null: Azure treats them as absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

/** The values at a path, those of every item of a list. */
export function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) {
    const path = name === undefined ? [] : [name, ...rest];
    return value.flatMap((item) => valuesAt(item, path));
  }
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  return isObject(value) ? valuesAt(value[name], rest) : [];
}
