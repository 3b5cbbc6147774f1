import { type Environment, evaluate } from '@marcbachmann/cel-js';
import { isObject } from '../../../../runtime/base/json.ts';
import { get } from '../../../json.ts';
import { resolve, type SchemaNode } from '../schema-node.ts';

/** A value of an object type; its own members are the fields that are present. */
export class CelObject {
  [field: string]: unknown;
}

interface ObjectType {
  readonly name: string;
  readonly ctor: new () => CelObject;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A member name as CEL identifiers must be written: `namespace` is `__namespace__`, `x-y` is `x__dash__y`. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  const escaped = name.replaceAll(
    /__|[./-]/g,
    (part) => ({ __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' })[part] ?? part,
  );
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

const identity: SchemaNode = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};
const text: SchemaNode = { type: 'string' };

/** The schema of a resource as rules see it: type and name are always there, the rest of the metadata never. */
export function resourceNode(node: SchemaNode): SchemaNode {
  return {
    ...node,
    type: 'object',
    properties: { ...node.properties, apiVersion: text, kind: text, metadata: identity },
  };
}

/** Declares the object types of a schema in an environment and turns JSON values into CEL values of these types. */
export class CelTypes {
  readonly #env: Environment;
  readonly #types = new Map<SchemaNode, ObjectType>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** The CEL type of a schema; undefined where rules cannot read members (preserve-unknown-fields without members). */
  typeOf(schema: SchemaNode): string | undefined {
    const node = this.#node(schema);
    if (node['x-kubernetes-int-or-string']) return 'dyn';
    switch (node.type) {
      case 'integer':
        return 'int';
      case 'number':
        return 'double';
      case 'boolean':
        return 'bool';
      case 'string':
        return stringTypes[node.format ?? ''] ?? 'string';
      case 'array': {
        const items = node.items && this.typeOf(node.items);
        return items && `list<${items}>`;
      }
      default:
        return this.#objectType(node);
    }
  }

  #node(schema: SchemaNode): SchemaNode {
    const node = resolve(schema);
    if (!node['x-kubernetes-embedded-resource']) return node;
    const known = embedded.get(node) ?? resourceNode({ ...node, 'x-kubernetes-embedded-resource': false });
    embedded.set(node, known);
    return known;
  }

  #objectType(node: SchemaNode): string | undefined {
    if (typeof node.additionalProperties === 'object') {
      const values = this.typeOf(node.additionalProperties);
      return values && `map<string, ${values}>`;
    }
    if (!node.properties && node.type !== 'object') return undefined;
    const known = this.#types.get(node);
    if (known) return known.name;
    const fields: Record<string, string> = {};
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      const field = escapeName(name);
      const type = this.typeOf(member);
      if (field && type) fields[field] = type;
    }
    const type: ObjectType = { name: `Object${this.#types.size}`, ctor: class extends CelObject {} };
    this.#types.set(node, type);
    this.#env.registerType(type.name, { ctor: type.ctor, fields });
    this.#env.registerOperator(`${type.name} == ${type.name}`, celEqual);
    return type.name;
  }

  toCel(value: unknown, schema: SchemaNode): unknown {
    const node = this.#node(schema);
    if (typeof value === 'number')
      return node.type === 'number' ? value : Number.isInteger(value) ? BigInt(value) : value;
    if (typeof value === 'string')
      return node['x-kubernetes-int-or-string'] ? value : stringValue(value, node.format ?? '');
    if (Array.isArray(value)) return Array.from(value, (item) => this.toCel(item, node.items ?? {}));
    if (!isObject(value)) return value;
    if (typeof node.additionalProperties === 'object') {
      const values = node.additionalProperties;
      return new Map(Object.entries(value).map(([name, item]) => [name, this.toCel(item, values)]));
    }
    this.#objectType(node);
    const type = this.#types.get(node);
    if (!type) return new Map(Object.entries(value).map(([name, item]) => [name, this.toCel(item, {})]));
    const out = new type.ctor();
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      const item = get(value, name);
      const field = escapeName(name);
      if (field && item !== undefined && item !== null) out[field] = this.toCel(item, member);
    }
    return out;
  }
}

const embedded = new WeakMap<SchemaNode, SchemaNode>();

const stringTypes: Readonly<Record<string, string>> = {
  byte: 'bytes',
  date: 'google.protobuf.Timestamp',
  datetime: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

function stringValue(value: string, format: string): unknown {
  const type = stringTypes[format];
  if (type === 'bytes') return new Uint8Array(Buffer.from(value, 'base64'));
  if (type === 'google.protobuf.Timestamp') return new Date(value);
  return type ? evaluate(`duration(${JSON.stringify(value)})`) : value;
}

/** Equality of CEL values, whatever they are made of. */
export function celEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && celEqual(value, b.get(key)));
  }
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => celEqual(item, b[i]));
  if (!(a instanceof CelObject) || !(b instanceof CelObject)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && celEqual(a[name], b[name]))
  );
}
