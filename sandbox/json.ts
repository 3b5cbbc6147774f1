import { isObject } from '../runtime/base/json.ts';

/** Any JSON value; an undefined member counts as absent. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json | undefined };
/** A JSON object; an undefined member counts as absent. */
export type JsonObject = { [member: string]: Json | undefined };

/** A deep copy; cheaper than structuredClone for plain JSON. */
export function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(value)) set(out, name, copy(value[name]));
  return out as T;
}

/** An own member; inherited ones such as `constructor` do not count. */
export function get(source: object, name: string): Json | undefined {
  return Object.hasOwn(source, name) ? (source as JsonObject)[name] : undefined;
}

/** Assigns an own member whatever its name is: `__proto__` is an ordinary key in JSON. */
export function set(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else (target as Record<string, unknown>)[name] = value;
}

/** Deep equality of JSON. Unlike `isDeepStrictEqual`, an undefined member counts as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let members = 0;
  for (const name of Object.keys(a)) {
    if (a[name] === undefined) continue;
    if (!Object.hasOwn(b, name) || !equal(a[name], b[name])) return false;
    members++;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined) members--;
  return members === 0;
}

/** A JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces. Changes neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return copy(patch);
  const out: Record<string, unknown> = isObject(target) ? copy(target) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete out[name];
    else set(out, name, mergePatch(get(out, name), value));
  }
  return out;
}
