import type { FieldTree } from '../api/types.ts';
import { isSecretText } from '../arm-kinds/secret-value.ts';
import { isObject, type JsonObject } from '../base/json.ts';

/** Keys, signatures, passwords and tokens that travel inside of other values. */
const secretWithin = new RegExp(
  [
    /(?:AccountKey|SharedAccessKey|SharedAccessSignature|client_?secret|api_?key|Password|pwd)\s*=/,
    /[?&](?:sig|code|key|token|access_token|api[-_]?key|subscription-key)=/,
    /:\/\/[^\s/@:]*:[^\s/@]+@/,
    /\bBearer\s+[\w.~+/-]{16,}/,
    /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,2000}\./,
    /-----BEGIN [A-Z ]*PRIVATE KEY/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** Names of environment variables and parameters, which are values here: the named value stands beside them. */
const secretVariable =
  /passw(or)?d|pwd|secret|token|credential|connectionstring|(api|access|account|private|shared)key/i;

/**
 * The value without everything that is secret by its member's name, by the name beside it or by its own look; nothing else
 * changes. `dropped` gets the paths of the missing values.
 */
export function withoutSecrets(live: JsonObject, dropped: string[] = []): JsonObject {
  return stripped(live, '', dropped) as JsonObject;
}

function stripped(value: unknown, path: string, dropped: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => stripped(item, `${path}[${index}]`, dropped));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    const secret = looksSecret(member) || isSecretMember(name, member) || isValueOfSecret(value, name, member);
    if (secret) dropped.push(own);
    return secret ? [] : [[name, stripped(member, own, dropped)] as const];
  });
  return Object.fromEntries(kept);
}

/** A list loses all its items with one: with an item less it would declare something else. */
const looksSecret = (value: unknown): boolean =>
  typeof value === 'string'
    ? secretWithin.test(value)
    : Array.isArray(value) && value.some((item) => typeof item === 'string' && looksSecret(item));

/** As `"adminPassword": "x"`, or as a template has its parameters, `"adminPassword": {"value": "x"}`. */
function isSecretMember(name: string, member: unknown): boolean {
  return isSecretText(name, isObject(member) && 'value' in member ? member['value'] : member);
}

/** As containers have their environment: `{"name": "DB_PASSWORD", "value": "x"}`. */
function isValueOfSecret(object: JsonObject, name: string, member: unknown): boolean {
  if (name !== 'value' || typeof member !== 'string') return false;
  const named = object['name'] ?? object['key'];
  return typeof named === 'string' && secretVariable.test(named.replaceAll(/[^A-Za-z]/g, ''));
}

/** The spec without empty collections, lists of empty objects, and empty objects, that the schema does not require: they declare nothing. */
export function withoutEmpty(tree: FieldTree, spec: JsonObject): JsonObject {
  const kept = Object.entries(spec).flatMap(([name, value]) => {
    const tidy = tidied(tree.properties?.[name], value);
    return declaresNothing(tidy) && !tree.required?.includes(name) ? [] : [[name, tidy] as const];
  });
  return Object.fromEntries(kept);
}

/** Whether a value is an empty object, or a list of nothing else. */
function declaresNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isObject(item) && Object.keys(item).length === 0);
  return isObject(value) && Object.keys(value).length === 0;
}

function tidied(tree: FieldTree | undefined, value: unknown): unknown {
  if (tree?.type === 'object' && isObject(value)) return withoutEmpty(tree, value);
  if (tree?.type === 'array' && Array.isArray(value)) return value.map((item) => tidied(tree.items, item));
  if (tree?.type === 'map' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tidied(tree.values, member)]));
  }
  return value;
}
