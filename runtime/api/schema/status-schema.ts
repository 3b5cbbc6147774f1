import { conditionsSchema } from '../common-schemas.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * The type of a field of a status: that of a value, of the items of a list, of the values of a map (`*`), or of the
 * members of an object, which may have more.
 */
export type StatusTree =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'any'
  | readonly [StatusTree]
  | { readonly [member: string]: StatusTree };

/** The types of the members of a status. */
export type StatusMembers = Readonly<Record<string, StatusTree>>;

const statusFields: Readonly<Record<string, StructuralSchema>> = {
  conditions: conditionsSchema,
  id: { type: 'string', description: 'ARM id, set once Azure has the resource.' },
};

/**
 * The schema of the status of an Azure resource: its conditions and ARM id, and the declared members. The API server
 * preserves all others, at every depth, because Azure shows undeclared members.
 */
export function statusSchema(members: StatusMembers = {}): StructuralSchema {
  const description = 'Conditions, and the resource as Azure described it last.';
  return { description, ...objectSchema(members, statusFields) };
}

function objectSchema(members: StatusMembers, more: Readonly<Record<string, StructuralSchema>> = {}): StructuralSchema {
  const declared = Object.entries(members).map(([name, tree]) => [name, treeSchema(tree)] as const);
  const properties = { ...Object.fromEntries(declared), ...more };
  // An API server drops empty properties, and each apply would send them again.
  return {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function treeSchema(tree: StatusTree): StructuralSchema {
  if (tree === 'any') return { 'x-kubernetes-preserve-unknown-fields': true };
  if (typeof tree === 'string') return { type: tree };
  if (isList(tree)) return { type: 'array', items: treeSchema(tree[0]) };
  const { '*': values } = tree;
  return values === undefined ? objectSchema(tree) : { type: 'object', additionalProperties: treeSchema(values) };
}

const isList = (tree: StatusTree): tree is readonly [StatusTree] => Array.isArray(tree);
