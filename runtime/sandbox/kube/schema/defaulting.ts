import { copy, get, isObject, resolve, type SchemaNode, set } from './schema-node.ts';

/**
 * Fills in defaults in place, after dropping null members that are not nullable: those with a default then get it, the
 * others are absent, as the API server treats them. Nulls inside lists and maps stay and fail validation.
 */
export function fillDefaults(value: unknown, schema: SchemaNode): void {
  const node = resolve(schema);
  if (Array.isArray(value)) {
    if (node.items) for (const item of value) fillDefaults(item, node.items);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, declared] of Object.entries(node.properties ?? {})) {
    const member = resolve(declared);
    if (get(value, name) === null && member.nullable !== true) delete value[name];
    if (get(value, name) === undefined && member.default !== undefined && member.default !== null) {
      set(value, name, copy(member.default));
    }
    const present = get(value, name);
    if (present !== undefined && present !== null) fillDefaults(present, member);
  }
  if (typeof node.additionalProperties === 'object') {
    for (const [name, item] of Object.entries(value)) {
      if (!node.properties || !Object.hasOwn(node.properties, name)) fillDefaults(item, node.additionalProperties);
    }
  }
}

/** Drops every null member, as decoding into a typed struct does for built-in kinds. */
export function dropNulls(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (value[name] === null) delete value[name];
    else dropNulls(value[name]);
  }
}
