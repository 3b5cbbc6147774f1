import { isObject } from '../../../runtime/base/json.ts';
import { copy, get, set } from '../../json.ts';
import { memberOf, resolve, type SchemaNode } from './schema-node.ts';

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

/** Lists that a typed object shows even when they are empty, beside those its schema requires. */
const shownEmpty = new Set(['rules', 'storedVersions']);

/**
 * The effect on an object of decoding into a typed struct and encoding it again: null members go, and so do empty lists
 * and maps of optional members. Empty structs stay. Left different: optional scalars with their zero value stay here.
 */
export function dropEmpty(value: unknown, schema: SchemaNode): void {
  const node = resolve(schema);
  if (Array.isArray(value)) for (const item of value) dropEmpty(item, node.items ?? {});
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const member = memberOf(node, name) ?? {};
    dropEmpty(inner, member);
    if (inner === null) delete value[name];
    if (!node.properties || !Object.hasOwn(node.properties, name) || node.required?.includes(name)) continue;
    const container =
      member.type === 'array' || (member.type === 'object' && member.additionalProperties !== undefined);
    const vacant = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0;
    if (container && vacant && !shownEmpty.has(name)) delete value[name];
  }
}
