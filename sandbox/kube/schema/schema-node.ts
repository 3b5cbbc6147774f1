import type { Json, JsonObject, OpenApiSchema } from '../types.ts';

/** The members of an OpenAPI schema that mean something to the API server. `$ref` occurs in built-in kinds only. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly title?: string;
  readonly default?: Json;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

const prefix = '#/definitions/';
const definitions = new Map<string, SchemaNode>();
const resolved = new WeakMap<SchemaNode, SchemaNode>();

/** Makes a definition known under the name that `$ref: '#/definitions/<name>'` uses. */
export function define(name: string, node: SchemaNode): void {
  definitions.set(name, node);
}

/** The definition of this full name, such as `io.k8s.api.core.v1.Pod`. */
export function definitionOf(name: string): SchemaNode | undefined {
  return definitions.get(name);
}

/** The full names of all definitions. */
export function definitionNames(): string[] {
  return [...definitions.keys()];
}

/** The last part of a reference: `io.k8s.api.core.v1.Pod`. */
export function refName(node: SchemaNode): string | undefined {
  return node.$ref?.startsWith(prefix) ? node.$ref.slice(prefix.length) : undefined;
}

/** Follows `$ref`; members beside the reference (a patch strategy, a default) win over those of its target. */
export function resolve(node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const known = resolved.get(node);
  if (known) return known;
  const target = definitions.get(refName(node) ?? '');
  const { $ref: _, ...beside } = node;
  const whole = target ? { ...resolve(target), ...beside } : beside;
  resolved.set(node, whole);
  return whole;
}

/** The schema with its members typed. */
export function asNode(schema: OpenApiSchema): SchemaNode {
  return schema as SchemaNode;
}

/** The schema of a member, and whether it is declared; additionalProperties otherwise. */
export function memberOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const declared = node.properties && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
  if (declared) return resolve(declared);
  return typeof node.additionalProperties === 'object' ? resolve(node.additionalProperties) : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A deep copy; cheaper than structuredClone for plain JSON. */
export function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const name of Object.keys(value)) set(out, name, copy(value[name]));
  return out as T;
}

/** Assigns an own member whatever its name is: `__proto__` is an ordinary key in JSON. */
export function set(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else (target as Record<string, unknown>)[name] = value;
}

/** An own member; inherited ones such as `constructor` do not count. */
export function get(source: object, name: string): Json | undefined {
  return Object.hasOwn(source, name) ? (source as JsonObject)[name] : undefined;
}

/** Deep equality of JSON; an undefined member counts as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = (o: JsonObject) => Object.keys(o).filter((name) => o[name] !== undefined);
  const left = names(a);
  return left.length === names(b).length && left.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]));
}
