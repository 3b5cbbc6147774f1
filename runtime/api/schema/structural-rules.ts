import { isObject, type JsonObject } from '../../base/json.ts';
import { type Problem, problem, unknownField } from '../problem.ts';
import { propertyOf, type StructuralSchema, type ValueRules } from './structural-schema.ts';

interface Walk {
  readonly strict: boolean;
  readonly path?: string;
}

/**
 * The members that count: those that are undefined do not survive JSON, and the API server drops a null whose schema
 * is not nullable before it validates further.
 */
export function presentMembers(schema: StructuralSchema, value: JsonObject): [string, unknown][] {
  return Object.entries(value).filter(([name, member]) => {
    const property = propertyOf(schema, name) ?? schema.additionalProperties;
    return member !== undefined && (member !== null || !property || property.nullable === true);
  });
}
const join = (path: string, name: string) => (path ? `${path}.${name}` : name);

const fits: Readonly<Record<NonNullable<StructuralSchema['type']>, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};
const articles: Readonly<Record<string, string>> = { object: 'an object', array: 'an array', integer: 'an integer' };

const patterns = new Map<string, RegExp>();
/** RE2's leading (?i) is a flag in JavaScript; the rest of the syntax used in schemas is common to both. */
function regExp(pattern: string): RegExp {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    const insensitive = pattern.startsWith('(?i)');
    compiled = new RegExp(insensitive ? pattern.slice(4) : pattern, insensitive ? 'i' : '');
    patterns.set(pattern, compiled);
  }
  return compiled;
}

/** Dates as Kubernetes takes them: RFC 3339 without leap seconds. */
function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})t(\d{2}):(\d{2}):(\d{2})(\.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(text.toLowerCase());
  if (!match) return false;
  const [, date, hours, minutes, seconds] = match;
  const day = new Date(`${date}T00:00:00Z`);
  const realDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(String(date));
  return realDay && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

/** The demands of a scalar's rules that the value breaks. */
function* scalarRules(rules: ValueRules, value: unknown): Generator<string> {
  if (rules.enum && !rules.enum.includes(value as string | number)) yield `one of ${rules.enum.join(', ')}`;
  if (typeof value === 'string') {
    const length = [...value].length;
    if (rules.minLength !== undefined && length < rules.minLength) yield `at least ${rules.minLength} characters`;
    if (rules.maxLength !== undefined && length > rules.maxLength) yield `at most ${rules.maxLength} characters`;
    if (rules.pattern !== undefined && !regExp(rules.pattern).test(value)) yield `a match of ${rules.pattern}`;
    if (rules.format === 'date-time' && !isDateTime(value)) yield 'a date and time of RFC 3339';
  }
  if (typeof value === 'number') {
    if (rules.minimum !== undefined && value < rules.minimum) yield `at least ${rules.minimum}`;
    if (rules.maximum !== undefined && value > rules.maximum) yield `at most ${rules.maximum}`;
  }
}

/** Whether a value fits rules that stand in `not`, `oneOf` or `allOf`. */
function holds(rules: ValueRules, value: unknown): boolean {
  if (isObject(value) && rules.required?.some((name) => !(name in value))) return false;
  const members = Object.entries(rules.properties ?? {});
  if (isObject(value) && members.some(([name, each]) => name in value && !holds(each, value[name]))) return false;
  if (rules.not && holds(rules.not, value)) return false;
  if (rules.oneOf && rules.oneOf.filter((each) => holds(each, value)).length !== 1) return false;
  if (rules.allOf && !rules.allOf.every((each) => holds(each, value))) return false;
  return scalarRules(rules, value).next().done === true;
}

const typeMeta = new Set(['apiVersion', 'kind', 'metadata']);
const text = { type: 'string' } as const;
const texts = { type: 'object', additionalProperties: text } as const;
/** The types of metadata. With other types the API server cannot even read such an object. */
export const metadataSchema: StructuralSchema = {
  type: 'object',
  properties: {
    annotations: texts,
    finalizers: { type: 'array', items: text },
    generateName: text,
    labels: texts,
    name: text,
    namespace: text,
    resourceVersion: text,
    uid: text,
  },
};

function* objectRules(schema: StructuralSchema, members: [string, unknown][], walk: Walk): Generator<Problem> {
  const { path = '', strict } = walk;
  const value = Object.fromEntries(members);
  for (const name of schema.required ?? []) {
    if (!(name in value)) yield problem(join(path, name), 'a value', undefined);
  }
  const count = members.length;
  const { minProperties: least = 0, maxProperties: most = Number.POSITIVE_INFINITY } = schema;
  if (count < least || count > most) yield problem(path, `${least} to ${most} members`, count);
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (embedded) {
    for (const name of ['apiVersion', 'kind']) {
      if (typeof value[name] !== 'string' || value[name] === '') yield problem(join(path, name), 'a text', value[name]);
    }
    const { metadata } = value;
    if (metadata != null) yield* structural(metadataSchema, metadata, { strict: false, path: join(path, 'metadata') });
  }
  for (const [name, member] of members) {
    const property = propertyOf(schema, name);
    const at = join(path, name);
    if (property) yield* structural(property, member, { strict, path: at });
    else if (schema.additionalProperties) {
      yield* structural(schema.additionalProperties, member, { strict, path: `${path}[${name}]` });
    } else if (strict && !schema['x-kubernetes-preserve-unknown-fields'] && !(embedded && typeMeta.has(name))) {
      yield unknownField(at, name, Object.keys(schema.properties ?? {}));
    }
  }
}

function* arrayRules(schema: StructuralSchema, value: unknown[], walk: Walk): Generator<Problem> {
  const { path = '', strict } = walk;
  const { minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY } = schema;
  if (value.length < least) yield problem(path, `at least ${least} items`, value.length);
  if (value.length > most) yield problem(path, `at most ${most} items`, value.length);
  const seen = new Set<string>();
  const keys = schema['x-kubernetes-list-map-keys'];
  for (const [index, item] of value.entries()) {
    const at = `${path}[${index}]`;
    if (schema.items) yield* structural(schema.items, item, { strict, path: at });
    const listType = schema['x-kubernetes-list-type'];
    if (listType !== 'map' && listType !== 'set') continue;
    const identity = JSON.stringify(keys && isObject(item) ? keys.map((key) => item[key]) : item);
    if (seen.has(identity)) yield problem(at, keys ? `another ${keys.join(' and ')}` : 'no repetition', item);
    seen.add(identity);
  }
}

function* structural(schema: StructuralSchema, value: unknown, walk: Walk): Generator<Problem> {
  const { path = '' } = walk;
  if (value === null && schema.nullable) return;
  if (schema.type && !fits[schema.type](value)) {
    yield problem(path, articles[schema.type] ?? `a ${schema.type}`, value);
    return;
  }
  for (const expected of scalarRules(schema, value)) yield problem(path, expected, value);
  const members = isObject(value) ? presentMembers(schema, value) : undefined;
  const considered = members ? Object.fromEntries(members) : value;
  for (const rules of schema.allOf ?? []) {
    if (!holds(rules, considered)) yield problem(path, `a value for which ${JSON.stringify(rules)} holds`, value);
  }
  if (members) yield* objectRules(schema, members, walk);
  else if (Array.isArray(value)) yield* arrayRules(schema, value, walk);
}

/** Everything about a value that its schema refuses, other than by CEL rules. */
export function structuralProblems(schema: StructuralSchema, value: unknown, walk: Walk): Problem[] {
  return [...structural(schema, value, walk)];
}
