import { createHash } from 'node:crypto';

/** A JSON object whose members are not checked yet. */
export type JsonObject = Record<string, unknown>;

/** Whether the value is an object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value of a JSON text. Undefined for another text: the error of the parser quotes a part of it. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * JSON with sorted members and without undefined ones, so that equal values give equal text. `empty` also leaves out
 * members that are null or an empty list. `map` gives what stands for a value that JSON lacks. @default 'kept'
 */
export function canonicalJson(
  value: unknown,
  empty: 'kept' | 'left out' = 'kept',
  map: (value: unknown) => unknown = (same) => same,
): string {
  const isLeftOut = (member: unknown) => member === null || (Array.isArray(member) && member.length === 0);
  return JSON.stringify(value, (_, given: unknown) => {
    const member = map(given);
    if (empty === 'left out' && isLeftOut(member)) return undefined;
    if (!isObject(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** Hash of a value: 16 hexadecimal digits that do not depend on the order of members. */
export function jsonHash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(value) ?? 'undefined')
    .digest('hex')
    .slice(0, 16);
}

/** Characters of a value as JSON. Infinity where it is nested too deep for JSON.stringify, which takes some thousand levels. */
export function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Whether objects and arrays are nested more than `levels` deep. Recurses no deeper than that itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, levels - 1));
}
