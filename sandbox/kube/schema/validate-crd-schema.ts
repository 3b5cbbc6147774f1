import { copy, equal } from '../../json.ts';
import type { Cause, OpenApiSchema, Unstructured } from '../model/types.ts';
import { child, forbidden, invalid, notSupported, required } from './causes.ts';
import { CelRules } from './cel/cel-rules.ts';
import { compileRe2 } from './cel/re2.ts';
import { fillDefaults } from './defaulting.ts';
import { pruneUnknown } from './prune.ts';
import { asNode, type SchemaNode } from './schema-node.ts';
import { validateStructure } from './validate.ts';

type Raw = SchemaNode & { readonly [member: string]: unknown };

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];
const metadataMembers = new Set(['name', 'generateName']);

/**
 * The problems for which the API server refuses a CRD's `openAPIV3Schema`: schemas that are not structural, defaults
 * that do not fit, patterns and CEL rules that do not compile. `path` is that of the schema, such as
 * `spec.versions[0].schema.openAPIV3Schema`. Empty = the CRD may be served.
 */
export function validateCrdSchema(schema: OpenApiSchema, path: string): Cause[] {
  const causes: Cause[] = [];
  const root = asNode(schema) as Raw;
  if (!root.type) causes.push(required(child(path, 'type'), 'must not be empty at the root'));
  else if (root.type !== 'object') causes.push(invalid(child(path, 'type'), root.type, 'must be object at the root'));
  if (root.nullable) causes.push(forbidden(child(path, 'nullable'), 'nullable cannot be true at the root'));
  checkMetadata(root, path, causes);
  checkNode(root, path, causes);
  if (causes.length > 0) return causes;
  causes.push(...new CelRules(root, path).problems);
  return causes;
}

function checkMetadata(root: Raw, path: string, causes: Cause[]): void {
  const { metadata, apiVersion, kind } = root.properties ?? {};
  if (Object.keys(metadata?.properties ?? {}).some((name) => !metadataMembers.has(name))) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.push(forbidden(`${path}.properties[metadata]`, detail));
  }
  for (const [name, node] of Object.entries({ apiVersion, kind })) {
    if (node && node.type !== 'string')
      causes.push(invalid(`${path}.properties[${name}].type`, node.type ?? '', 'must be string'));
  }
}

function checkNode(node: Raw, path: string, causes: Cause[]): void {
  const say = (member: string) => child(path, member);
  for (const name of unsupported) {
    if (node[name] !== undefined) causes.push(forbidden(say(name), `${name} is not supported`));
  }
  if (node.type && !types.includes(node.type)) causes.push(notSupported(say('type'), node.type, types));
  if (node.uniqueItems) {
    causes.push(
      forbidden(say('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'),
    );
  }
  if (node.additionalProperties && node.properties) {
    causes.push(forbidden(say('additionalProperties'), 'additionalProperties and properties are mutual exclusive'));
  }
  checkPattern(node, path, causes);
  checkExtensions(node, path, causes);
  checkListType(node, path, causes);
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    checkTyped(member as Raw, `${path}.properties[${name}]`, 'must not be empty for specified object fields', causes);
  }
  if (typeof node.additionalProperties === 'object') {
    checkTyped(
      node.additionalProperties as Raw,
      say('additionalProperties'),
      'must not be empty for specified object fields',
      causes,
    );
  }
  if (Array.isArray(node.items)) causes.push(forbidden(say('items'), 'items must be a schema object and not an array'));
  else if (node.items)
    checkTyped(node.items as Raw, say('items'), 'must not be empty for specified array items', causes);
  else if (node.type === 'array') causes.push(required(say('items'), 'must be specified'));
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, branch] of (node[name] ?? []).entries()) {
      if (!isIntOrString(node, branch)) checkBranch(branch as Raw, `${path}.${name}[${index}]`, causes);
    }
  }
  if (node.not) checkBranch(node.not as Raw, say('not'), causes);
  if (node.default !== undefined && node.default !== null) checkDefault(node, say('default'), causes);
}

function checkTyped(node: Raw, path: string, detail: string, causes: Cause[]): void {
  const typeless = node['x-kubernetes-int-or-string'] || node['x-kubernetes-preserve-unknown-fields'] || node['$ref'];
  if (!node.type && !typeless) causes.push(required(child(path, 'type'), detail));
  checkNode(node, path, causes);
}

/** `anyOf: [{type: integer}, {type: string}]` is allowed beside x-kubernetes-int-or-string. */
function isIntOrString(node: Raw, branch: SchemaNode): boolean {
  const alone = Object.keys(branch).length === 1 && (branch.type === 'integer' || branch.type === 'string');
  return node['x-kubernetes-int-or-string'] === true && (alone || branch.anyOf !== undefined);
}

/** Beneath allOf, anyOf, oneOf and not only value validation may stand. */
function checkBranch(node: Raw, path: string, causes: Cause[]): void {
  const refuse = (member: string, what: string) =>
    causes.push(forbidden(child(path, member), `must be ${what} to be structural`));
  if (node.additionalProperties !== undefined) refuse('additionalProperties', 'undefined');
  if (node.default !== undefined) refuse('default', 'undefined');
  if (node.description) refuse('description', 'empty');
  if (node.nullable) refuse('nullable', 'false');
  if (node.title) refuse('title', 'empty');
  if (node.type) refuse('type', 'empty');
  for (const name of [
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-int-or-string',
  ]) {
    if (node[name]) refuse(name, 'false');
  }
  if (node['x-kubernetes-validations']) refuse('x-kubernetes-validations', 'empty');
  checkPattern(node, path, causes);
  for (const [name, member] of Object.entries(node.properties ?? {}))
    checkBranch(member as Raw, `${path}.properties[${name}]`, causes);
  if (node.items) checkBranch(node.items as Raw, child(path, 'items'), causes);
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, branch] of (node[name] ?? []).entries())
      checkBranch(branch as Raw, `${path}.${name}[${index}]`, causes);
  }
  if (node.not) checkBranch(node.not as Raw, child(path, 'not'), causes);
}

function checkPattern(node: Raw, path: string, causes: Cause[]): void {
  if (node.pattern === undefined) return;
  try {
    compileRe2(node.pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    causes.push(
      invalid(child(path, 'pattern'), node.pattern, `must be a valid regular expression, but isn't: ${reason}`),
    );
  }
}

function checkExtensions(node: Raw, path: string, causes: Cause[]): void {
  const preserve = node['x-kubernetes-preserve-unknown-fields'];
  if (preserve === false) {
    causes.push(invalid(child(path, 'x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  if (node['x-kubernetes-embedded-resource']) {
    if (!preserve && !node.properties) {
      const detail =
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
      causes.push(required(child(path, 'properties'), detail));
    }
    if (node.type !== 'object') {
      causes.push(
        invalid(child(path, 'type'), node.type ?? '', 'must be object if x-kubernetes-embedded-resource is true'),
      );
    }
  }
  const mapType = node['x-kubernetes-map-type'];
  if (mapType !== undefined) {
    if (node.type !== 'object') {
      causes.push(
        invalid(child(path, 'type'), node.type ?? '', 'must be object if x-kubernetes-map-type is specified'),
      );
    }
    if (mapType !== 'atomic' && mapType !== 'granular') {
      causes.push(notSupported(child(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
    }
  }
}

function checkListType(node: Raw, path: string, causes: Cause[]): void {
  const listType = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const keysPath = child(path, 'x-kubernetes-list-map-keys');
  if (listType !== undefined && node.type !== 'array') {
    causes.push(invalid(child(path, 'type'), node.type ?? '', 'must be array if x-kubernetes-list-type is specified'));
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    causes.push(notSupported(child(path, 'x-kubernetes-list-type'), listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    causes.push(
      required(child(path, 'x-kubernetes-list-type'), 'must be map if x-kubernetes-list-map-keys is non-empty'),
    );
  }
  const items = node.items;
  if (listType === 'set' && items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    const value = items['x-kubernetes-map-type'] ?? null;
    causes.push(
      invalid(
        `${path}.items.x-kubernetes-map-type`,
        value,
        'must be atomic as item of a list with x-kubernetes-list-type=set',
      ),
    );
  }
  if (listType !== 'map') return;
  if (keys.length === 0) causes.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  const shown = `[]string{${keys.map((key) => JSON.stringify(key)).join(', ')}}`;
  const listed = (detail: string) =>
    causes.push({ reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${detail}`, field: keysPath });
  if (keys.some((key) => !items?.properties?.[key])) listed('entries must all be names of item properties');
  if (new Set(keys).size < keys.length) listed('must not contain duplicate entries');
  for (const key of new Set(keys)) {
    const member = items?.properties?.[key];
    if (member && member.default === undefined && !items?.required?.includes(key)) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      causes.push(required(`${path}.items.properties[${key}].default`, detail));
    }
  }
}

function checkDefault(node: Raw, path: string, causes: Cause[]): void {
  const value = copy(node.default);
  const holder = { value };
  const wrapped: SchemaNode = { type: 'object', properties: { value: node } };
  pruneUnknown(holder, wrapped);
  if (!equal(value, node.default)) {
    const { message } = invalid(path, node.default, 'must not have unknown fields');
    causes.push({ reason: 'FieldValueInvalid', message, field: path });
    return;
  }
  fillDefaults(value, node);
  const rules = new CelRules({ type: 'object', properties: { value: node } });
  const broken = rules.problems.length > 0 ? [] : rules.validate({ value } as Unstructured);
  causes.push(...broken.map((cause) => ({ ...cause, field: path + cause.field.slice('value'.length) })));
  causes.push(
    ...validateStructure(value, node).map((cause) => ({
      ...cause,
      field: cause.field === '' ? path : `${path}.${cause.field}`,
    })),
  );
}
