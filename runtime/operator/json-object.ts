export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value at a dotted path of members. */
export function getPath(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}

/** Sets the value at a dotted path, making the objects on the way. */
export function setPath(target: JsonObject, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let at = target;
  for (const name of names) {
    if (!isObject(at[name])) at[name] = {};
    at = at[name] as JsonObject;
  }
  at[last] = value;
}
