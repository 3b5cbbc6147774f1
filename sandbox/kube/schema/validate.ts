import { canonicalJson, isObject } from '../../../runtime/base/json.ts';
import { equal, get } from '../../json.ts';
import type { Cause } from '../model/types.ts';
import { at, child, duplicate, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from './causes.ts';
import { compileRe2 } from './cel/re2.ts';
import { formatHolds } from './formats.ts';
import { memberOf, refName, resolve, type SchemaNode } from './schema-node.ts';
import { validateEmbedded } from './validate-embedded.ts';

/**
 * The structural rules of a schema, worded as the API server of 1.36 words them (1.20 has no list indexes in
 * paths and FieldValueInvalid for wrong types and sizes). CEL rules are checked elsewhere.
 */
export function validateStructure(value: unknown, schema: SchemaNode, path = ''): Cause[] {
  const causes: Cause[] = [];
  check(value, schema, path, causes);
  return causes;
}

function check(value: unknown, schema: SchemaNode, path: string, causes: Cause[]): void {
  const node = resolve(schema);
  if (value === undefined) return;
  checkType(value, schema, node, path, causes);
  if (node.enum && !(value === null && node.nullable && node.enum.length === 0)) {
    if (!node.enum.some((allowed) => equal(allowed, value))) causes.push(notSupported(path, value, node.enum));
  }
  if (value === null) return;
  checkJunctors(value, node, path, causes);
  if (typeof value === 'string') checkString(value, node, path, causes);
  else if (typeof value === 'number') checkNumber(value, node, path, causes);
  else if (Array.isArray(value)) checkList(value, node, path, causes);
  else if (isObject(value)) checkObject(value, node, path, causes);
}

/** A quantity may be written as a number: the API server turns it into a string. */
const looseNumbers = new Set(['io.k8s.apimachinery.pkg.api.resource.Quantity']);

function checkType(value: unknown, schema: SchemaNode, node: SchemaNode, path: string, causes: Cause[]): void {
  const got = typeName(value);
  if (value === null) {
    if (!node.nullable && (node.type || node['x-kubernetes-int-or-string'])) {
      causes.push(typeInvalid(path, got, `${path} in body must be of type ${wanted(node)}: "null"`));
    }
    return;
  }
  const loose =
    node['x-kubernetes-int-or-string'] || node.format === 'int-or-string'
      ? got === 'integer' || got === 'string'
      : typeof value === 'number' && looseNumbers.has(refName(schema) ?? '');
  if (loose) return;
  if (
    node['x-kubernetes-int-or-string'] ||
    (node.type && got !== node.type && !(node.type === 'number' && got === 'integer'))
  ) {
    causes.push(typeInvalid(path, got, `${path} in body must be of type ${wanted(node)}: ${JSON.stringify(got)}`));
  }
}

function wanted(node: SchemaNode): string {
  return node['x-kubernetes-int-or-string'] ? 'integer,string' : (node.type ?? '');
}

/** The OpenAPI type of a value. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' || typeof value === 'string' ? typeof value : 'object';
}

function checkString(value: string, node: SchemaNode, path: string, causes: Cause[]): void {
  const length = [...value].length;
  if (node.maxLength !== undefined && length > node.maxLength) causes.push(tooLong(path, node.maxLength));
  if (node.minLength !== undefined && length < node.minLength) {
    causes.push(invalid(path, value, `${path} in body should be at least ${node.minLength} chars long`));
  }
  if (node.pattern !== undefined && !compileRe2(node.pattern).test(value)) {
    causes.push(invalid(path, value, `${path} in body should match '${node.pattern}'`));
  }
  if (node.format !== undefined && node.type === 'string' && !formatHolds(node.format, value)) {
    causes.push(typeInvalid(path, value, `${path} in body must be of type ${node.format}: ${JSON.stringify(value)}`));
  }
}

function checkNumber(value: number, node: SchemaNode, path: string, causes: Cause[]): void {
  const { minimum, maximum, multipleOf } = node;
  if (node.type === 'integer' && node.format === 'int32' && Math.abs(value) > 2 ** 31 - 1 && value !== -(2 ** 31)) {
    causes.push(invalid('<nil>', '', `Checked value must be of type integer with format int32 in ${path}`));
  }
  const invalidUnless = (text: string) => causes.push(invalid(path, value, `${path} in body should be ${text}`));
  if (multipleOf !== undefined && Math.abs(value / multipleOf - Math.round(value / multipleOf)) > 1e-9) {
    invalidUnless(`a multiple of ${multipleOf}`);
  }
  if (maximum !== undefined && (node.exclusiveMaximum ? value >= maximum : value > maximum)) {
    invalidUnless(node.exclusiveMaximum ? `less than ${maximum}` : `less than or equal to ${maximum}`);
  }
  if (minimum !== undefined && (node.exclusiveMinimum ? value <= minimum : value < minimum)) {
    invalidUnless(node.exclusiveMinimum ? `greater than ${minimum}` : `greater than or equal to ${minimum}`);
  }
}

function checkList(value: readonly unknown[], node: SchemaNode, path: string, causes: Cause[]): void {
  if (node.items) for (const [index, item] of value.entries()) check(item, node.items, at(path, index), causes);
  if (node.minItems !== undefined && value.length < node.minItems) {
    causes.push(invalid(path, value.length, `${path} in body should have at least ${node.minItems} items`));
  }
  if (node.maxItems !== undefined && value.length > node.maxItems)
    causes.push(tooMany(path, value.length, node.maxItems));
  checkListType(value, node, path, causes);
}

function checkListType(value: readonly unknown[], node: SchemaNode, path: string, causes: Cause[]): void {
  const listType = node['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return;
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const identity = listType === 'set' ? item : isObject(item) ? keysOf(item, keys) : undefined;
    if (identity === undefined) continue;
    const text = canonicalJson(identity);
    if (seen.has(text)) causes.push(duplicate(at(path, index), identity));
    seen.add(text);
  }
}

function keysOf(item: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (get(item, key) === undefined ? [] : [[key, get(item, key)]])));
}

function checkObject(value: object, node: SchemaNode, path: string, causes: Cause[]): void {
  const names = Object.keys(value);
  if (node.maxProperties !== undefined && names.length > node.maxProperties) {
    causes.push(tooMany(path, names.length, node.maxProperties));
  }
  if (node.minProperties !== undefined && names.length < node.minProperties) {
    causes.push(invalid(path, names.length, `${path} in body should have at least ${node.minProperties} properties`));
  }
  for (const name of node.required ?? []) {
    if (get(value, name) === undefined) causes.push(required(child(path, name)));
  }
  for (const name of names) {
    const member = node.properties && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
    const schema = member ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
    if (schema) check(get(value, name), schema, child(path, name), causes);
  }
  if (node['x-kubernetes-embedded-resource']) causes.push(...validateEmbedded(value, path));
}

function checkJunctors(value: unknown, node: SchemaNode, path: string, causes: Cause[]): void {
  const trial = (branch: SchemaNode) => validateStructure(value, branch, path);
  const whole = (text: string) => causes.push(invalid('<nil>', '', `${JSON.stringify(path)} ${text}`));
  const best = (failures: readonly Cause[][]) => {
    causes.push(...(failures.toSorted((a, b) => a.length - b.length)[0] ?? []));
  };
  if (node.anyOf?.length) {
    const failures = node.anyOf.map(trial);
    if (failures.every((failure) => failure.length > 0)) {
      whole('must validate at least one schema (anyOf)');
      best(failures);
    }
  }
  if (node.oneOf?.length) {
    const failures = node.oneOf.map(trial);
    const valid = failures.filter((failure) => failure.length === 0).length;
    if (valid === 0) {
      whole('must validate one and only one schema (oneOf). Found none valid');
      best(failures);
    } else if (valid > 1) whole(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
  }
  if (node.allOf?.length) {
    const failures = node.allOf.map(trial);
    const failed = failures.filter((failure) => failure.length > 0).length;
    if (failed > 0) {
      causes.push(...failures.flat());
      whole(`must validate all the schemas (allOf)${failed === failures.length ? '. None validated' : ''}`);
    }
  }
  if (node.not && trial(node.not).length === 0) whole('must not validate the schema (not)');
}

/** The schema found by following member names from a root; undefined where the schema has none. */
export function schemaAt(root: SchemaNode, names: readonly string[]): SchemaNode | undefined {
  return names.reduce<SchemaNode | undefined>((node, name) => (node ? memberOf(node, name) : undefined), resolve(root));
}
