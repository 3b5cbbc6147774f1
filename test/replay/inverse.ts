import type { ArmKind, FieldTree } from '../../runtime/api/types.ts';
import { getPath, isObject, type JsonObject } from '../../runtime/operator/json-object.ts';

/** How a spec names what a body has as an ARM id. */
export type Reference = JsonObject;

export interface Inverse {
  readonly spec: JsonObject;
  /** What `armBody` is to be given for the inputs of that spec, by path. */
  readonly inputs: ReadonlyMap<string, unknown>;
  /** Values of Secrets that the spec refers to, by name of the Secret; the key is `value`. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The spec that `armBody` turns into this body; what the kind has no field for is left out. */
export function specOf(
  arm: ArmKind,
  version: string,
  body: JsonObject,
  prefix: string,
  refer: (armId: string) => Reference,
): Inverse {
  const inverter = new Inverter(version, prefix, refer);
  const spec: JsonObject = {};
  for (const [name, tree] of Object.entries(arm.fields.properties ?? {})) {
    const inside = arm.propertiesFlattened && !arm.topLevel.includes(name);
    inverter.take(spec, name, tree, tree.arm ?? (inside ? `properties.${name}` : name), body, name);
  }
  return { spec, inputs: inverter.inputs, secrets: inverter.secrets };
}

class Inverter {
  readonly inputs = new Map<string, unknown>();
  readonly secrets: Record<string, string> = {};
  readonly #version: string;
  readonly #prefix: string;
  readonly #refer: (armId: string) => Reference;

  constructor(version: string, prefix: string, refer: (armId: string) => Reference) {
    this.#version = version;
    this.#prefix = prefix;
    this.#refer = refer;
  }

  take(spec: JsonObject, name: string, tree: FieldTree, armPath: string, body: JsonObject, path: string): void {
    // A value is as good as a ConfigMap with it.
    if (tree.type === 'configMap' || (tree.onlyIn && !tree.onlyIn.includes(this.#version))) return;
    const value = armPath === '' ? body : getPath(body, armPath);
    if (value === undefined || value === null) return;
    const inverted = this.#invert(tree, value, path);
    const nothing = armPath === '' && isObject(inverted) && Object.keys(inverted).length === 0;
    if (inverted !== undefined && !nothing) spec[name] = inverted;
  }

  #invert(tree: FieldTree, value: unknown, path: string): unknown {
    switch (tree.type) {
      case 'reference':
      case 'wellKnownReference':
        if (typeof value !== 'string') return undefined;
        this.inputs.set(path, value);
        return this.#refer(value);
      case 'secret': {
        if (typeof value !== 'string') return undefined;
        const name = `${this.#prefix}-${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
        this.inputs.set(path, value);
        this.secrets[name] = value;
        return { name, key: 'value' };
      }
      case 'array':
        if (tree.as === 'identityMap') return isObject(value) ? this.#identities(tree, value, path) : undefined;
        return Array.isArray(value)
          ? value.map((item, index) => this.#item(tree.items, item, `${path}[${index}]`))
          : value;
      case 'map':
        if (!isObject(value)) return value;
        return Object.fromEntries(
          Object.entries(value).map(([name, member]) => [name, this.#item(tree.values, member, `${path}{${name}}`)]),
        );
      case 'object': {
        if (!isObject(value)) return value;
        const spec: JsonObject = {};
        for (const [name, property] of Object.entries(tree.properties ?? {})) {
          this.take(spec, name, property, property.arm ?? name, value, `${path}.${name}`);
        }
        return spec;
      }
      default:
        return value;
    }
  }

  /** ARM has a map from id to an empty object. */
  #identities(tree: FieldTree, value: JsonObject, path: string): unknown {
    const items = Object.keys(value).map((reference) => ({ reference }));
    return items.map((item, index) => this.#item(tree.items, item, `${path}[${index}]`));
  }

  #item(tree: FieldTree | undefined, value: unknown, path: string): unknown {
    return tree ? this.#invert(tree, value, path) : value;
  }
}
