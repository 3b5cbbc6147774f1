import type { Position } from '../problems.ts';

/** A value of the text with its place. Integers have 64 bits. */
export type JsonNode = Position &
  (
    | { readonly kind: 'null' }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'number'; readonly value: number | bigint }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonNode> }
  );

/** A node that is an object. */
export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
/** A node that is an array. */
export type ArrayNode = Extract<JsonNode, { kind: 'array' }>;

/** The member of this name, ignoring case; undefined for nodes that are no object. */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  const exact = node.members.get(name);
  if (exact) return exact;
  const lower = name.toLowerCase();
  for (const [key, member] of node.members) if (key.toLowerCase() === lower) return member;
  return undefined;
}

/** The path of a member. */
export function memberPath(path: string, name: string): string {
  const shown = /^[A-Za-z_$][\w$-]{0,99}$/.test(name) ? name : `['${name.slice(0, 60)}']`;
  return path === '' || shown.startsWith('[') ? `${path}${shown}` : `${path}.${shown}`;
}
