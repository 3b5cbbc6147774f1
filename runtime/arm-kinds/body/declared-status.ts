import type { StatusMembers, StatusTree } from '../../api/schema/status-schema.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

/**
 * The status with values of the declared types. The API server refuses every write of an object whose status has
 * another one, and Azure shows null, and numbers as texts. Values that cannot be converted are left out; members that
 * are not declared stay as they are.
 */
export function declaredStatus(status: object, members: StatusMembers = {}): JsonObject {
  const fitted = Object.entries(status).map(([name, value]): [string, unknown] => {
    const tree = Object.hasOwn(members, name) ? members[name] : undefined;
    return [name, tree === undefined ? value : fittingValue(value, tree)];
  });
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined));
}

/** Undefined where the value does not fit and cannot be converted. */
function fittingValue(value: unknown, tree: StatusTree): unknown {
  if (tree === 'any') return value;
  if (value === null || value === undefined) return undefined;
  if (typeof tree === 'string') return scalar(value, tree);
  if (isList(tree)) return list(value, tree[0]);
  if (!isObject(value)) return undefined;
  const { '*': values } = tree;
  if (values === undefined) return declaredStatus(value, tree);
  return declaredStatus(value, Object.fromEntries(Object.keys(value).map((name) => [name, values])));
}

const isList = (tree: StatusTree): tree is readonly [StatusTree] => Array.isArray(tree);

/** A list without its nulls. One with another item that does not fit is left out: a part of it would be wrong. */
function list(value: unknown, tree: StatusTree): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.filter((item) => item !== null).map((item) => fittingValue(item, tree));
  return items.includes(undefined) ? undefined : items;
}

function scalar(value: unknown, type: string): unknown {
  if (type === 'string') return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  if (type === 'boolean') return typeof value === 'string' ? booleans.get(value.toLowerCase()) : bool(value);
  const number = typeof value === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
  return type === 'integer' ? (Number.isSafeInteger(number) ? number : undefined) : finite(number);
}

const bool = (value: unknown) => (typeof value === 'boolean' ? value : undefined);

const finite = (number: unknown) => (Number.isFinite(number) ? number : undefined);

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
