import type { ArmKind, FieldTree } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { getPath } from '../values/json-object.ts';
import { rootPath } from './arm-body.ts';
import { fieldsFor } from './one-of.ts';

/** How `specOf` writes references and secrets. */
export interface SpecOfOptions {
  /** The reference in the spec for an ARM id of the body. */
  readonly refer: (armId: string) => JsonObject;
  /** The reference in the spec for a secret of the body. @default the field is left out */
  readonly secret?: (path: string, value: string) => JsonObject;
  /** The same for an object whose members are all secret; undefined where none can stand for it. */
  readonly secretMap?: (path: string, value: JsonObject) => JsonObject | undefined;
}

/** The spec that an ARM body stands for. */
export interface InverseOfBody {
  readonly spec: JsonObject;
  /** The values for `armBody` of the inputs of that spec, by path. */
  readonly inputs: ReadonlyMap<string, unknown>;
}

/**
 * The spec that `armBody` turns into this body: ARM's places back into the kind's fields. Members without a field in
 * the kind, such as those that Azure computes, are left out, and so are fields that the served `version` does not have.
 */
export function specOf(arm: ArmKind, version: string, body: JsonObject, options: SpecOfOptions): InverseOfBody {
  const inverter = new Inverter(version, options);
  const spec: JsonObject = {};
  for (const [name, tree] of fieldsFor(arm.fields, body)) {
    inverter.take(spec, name, tree, rootPath(arm, name, tree), body, name);
  }
  return { spec, inputs: inverter.inputs };
}

class Inverter {
  readonly inputs = new Map<string, unknown>();
  readonly #version: string;
  readonly #options: SpecOfOptions;

  constructor(version: string, options: SpecOfOptions) {
    this.#version = version;
    this.#options = options;
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
        // Azure itself knows what is no id, such as the alias of a private link service.
        if (tree.type === 'wellKnownReference' && !value.startsWith('/')) return { wellKnownName: value };
        return this.#options.refer(value);
      case 'secret':
        if (typeof value !== 'string' || !this.#options.secret) return undefined;
        this.inputs.set(path, value);
        return this.#options.secret(path, value);
      case 'secretMap': {
        const inverted = isObject(value) ? this.#options.secretMap?.(path, value) : undefined;
        if (inverted) this.inputs.set(path, value);
        return inverted;
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
      case 'object':
        return isObject(value) ? this.#object(tree, value, path) : value;
      default:
        return value;
    }
  }

  #object(tree: FieldTree, value: JsonObject, path: string): JsonObject {
    const spec: JsonObject = {};
    for (const [name, property] of fieldsFor(tree, value)) {
      this.take(spec, name, property, property.arm ?? name, value, `${path}.${name}`);
    }
    return spec;
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
