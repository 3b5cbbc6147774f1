import type { Json } from '../../json.ts';
import type { OpenApiSchema } from '../model/types.ts';

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
