import { canonicalJson, isObject } from '../../../../runtime/base/json.ts';
import { get } from '../../../json.ts';
import { PatchError } from '../../model/types.ts';
import { objectMeta } from '../builtin-types.ts';
import { refName, resolve, type SchemaNode } from '../schema-node.ts';
import type { Step } from './field-set.ts';

/**
 * How server-side apply sees a place in an object. `untyped` values are owned as a whole; `deduced` ones (beneath
 * preserve-unknown-fields) have granular maps and atomic lists. Source: kube-openapi's conversion of schemas for
 * structured-merge-diff.
 */
export type FieldType =
  | { readonly of: 'schema'; readonly node: SchemaNode }
  | { readonly of: 'deduced' }
  | { readonly of: 'untyped' };

/** How a field is merged: whole, by item or by member. */
export type Shape =
  | { readonly is: 'scalar' }
  | { readonly is: 'list'; readonly atomic: boolean; readonly keys: readonly string[]; readonly items: FieldType }
  | {
      readonly is: 'map';
      readonly atomic: boolean;
      readonly declared: (name: string) => boolean;
      readonly member: (name: string) => FieldType;
    };

const deduced: FieldType = { of: 'deduced' };
const untyped: FieldType = { of: 'untyped' };
const scalar: Shape = { is: 'scalar' };

/** The type of a whole object; its metadata is always ObjectMeta. */
export function rootType(schema: SchemaNode | undefined): FieldType {
  const node: SchemaNode = schema ? resolve(schema) : { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return { of: 'schema', node: asResource(node) };
}

function asResource(node: SchemaNode): SchemaNode {
  const text: SchemaNode = { type: 'string' };
  return { ...node, properties: { ...node.properties, apiVersion: text, kind: text, metadata: objectMeta } };
}

const resources = new WeakMap<SchemaNode, SchemaNode>();

/** The shape of a place, given the values found there (a null fits every shape). */
export function shapeOf(type: FieldType, ...values: readonly unknown[]): Shape {
  const value = values.find((item) => item !== undefined && item !== null);
  const found = Array.isArray(value) ? 'list' : isObject(value) ? 'map' : value === undefined ? undefined : 'scalar';
  const shape = type.of === 'schema' ? schemaShape(type.node, found) : freeShape(type, found);
  // A value that does not fit its schema is one field; validation refuses it later.
  return found !== undefined && shape.is !== found ? scalar : shape;
}

function freeShape(type: FieldType, found: Shape['is'] | undefined): Shape {
  if (found === 'list') return { is: 'list', atomic: true, keys: [], items: type };
  if (found === 'scalar') return scalar;
  return {
    is: 'map',
    atomic: type.of === 'untyped',

    declared: () => false,
    member: () => type,
  };
}

function schemaShape(source: SchemaNode, found: Shape['is'] | undefined): Shape {
  let node = resolve(source);
  if (refName(source) === 'io.k8s.apimachinery.pkg.runtime.RawExtension') return freeShape(untyped, found);
  if (node['x-kubernetes-int-or-string']) return scalar;
  if (node['x-kubernetes-embedded-resource']) {
    const known = resources.get(node) ?? asResource(node);
    resources.set(node, known);
    node = known;
  }
  const arbitrary = node['x-kubernetes-preserve-unknown-fields'] ? deduced : untyped;
  if (node.type === 'array') {
    const items: FieldType = node.items ? { of: 'schema', node: node.items } : arbitrary;
    return { is: 'list', items, ...listRelation(node) };
  }
  if (node.type !== undefined && node.type !== 'object') return scalar;
  if (node.type === undefined && !node.properties) return freeShape(arbitrary, found);
  const { properties, additionalProperties } = node;
  const rest: FieldType =
    typeof additionalProperties === 'object' ? { of: 'schema', node: additionalProperties } : deduced;
  const declared = (name: string) => properties !== undefined && Object.hasOwn(properties, name);
  return {
    is: 'map',
    atomic: node['x-kubernetes-map-type'] === 'atomic',
    declared,
    member: (name) => {
      const member = declared(name) ? properties?.[name] : undefined;
      return member ? { of: 'schema', node: member } : rest;
    },
  };
}

/** The list type, or that of the patch strategy of a built-in kind. */
function listRelation(node: SchemaNode): { atomic: boolean; keys: readonly string[] } {
  const listType = node['x-kubernetes-list-type'];
  if (listType === 'map') return { atomic: false, keys: node['x-kubernetes-list-map-keys'] ?? [] };
  if (listType === 'set') return { atomic: false, keys: [] };
  const merges = listType === undefined && node['x-kubernetes-patch-strategy']?.split(',').includes('merge');
  if (!merges) return { atomic: true, keys: [] };
  const key = node['x-kubernetes-patch-merge-key'];
  return { atomic: false, keys: key === undefined ? [] : [key] };
}

/** The path element of a list item; a key that is absent has its schema's default. */
export function itemStep(shape: Shape & { is: 'list' }, item: unknown, where: string, index: number): Step {
  if (shape.keys.length === 0) return `v:${canonicalJson(item)}`;
  if (!isObject(item)) {
    throw new PatchError(
      'malformed',
      `${where}: element ${index}: associative list with keys may not have non-map elements`,
    );
  }
  const keys: Record<string, unknown> = {};
  for (const key of shape.keys) {
    const value = get(item, key) ?? keyDefault(shape.items, key);
    if (value !== undefined) keys[key] = value;
    else if (shape.keys.length === 1) {
      const reason = `associative list with keys has an element that omits key field "${key}" (and doesn't have default value)`;
      throw new PatchError('malformed', `${where}: element ${index}: ${reason}`);
    }
  }
  return `k:${canonicalJson(keys)}`;
}

function keyDefault(type: FieldType, key: string): unknown {
  const member = type.of === 'schema' ? resolve(type.node).properties?.[key] : undefined;
  return member && resolve(member).default;
}
