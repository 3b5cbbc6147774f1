import { isObject, type JsonObject } from '../../base/json.ts';

/** An own member of the value; undefined for an inherited one, since paths come from users. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The members of a dotted path, in which `\\.` is a dot of a name. */
export function pathMembers(path: string): string[] {
  if (!path.includes('\\')) return path.split('.');
  return path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
}

/** The value at a dotted path of members. */
export function getPath(value: unknown, path: string): unknown {
  return pathMembers(path).reduce<unknown>(memberOf, value);
}

/** Sets the value at a dotted path, making the objects on the way. */
export function setPath(target: JsonObject, path: string, value: unknown): void {
  const names = pathMembers(path);
  const last = names.pop() as string;
  let at = target;
  for (const name of names) {
    if (!isObject(memberOf(at, name))) setOwn(at, name, {});
    at = memberOf(at, name) as JsonObject;
  }
  setOwn(at, last, value);
}

/** Assignment would change the prototype for the name `__proto__`. */
export function setOwn(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
