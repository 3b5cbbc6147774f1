import type { ArmKind, FieldTree } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ResolvedInputs } from '../inputs.ts';
import { getPath, setPath } from '../values/json-object.ts';

/**
 * The body of the PUT for a spec: ARM's names and places, references as ids, inputs filled in. Secrets stay wrapped
 * (`revealSecrets` makes the wire form). `version` is the served version the object was applied under: fields and
 * defaulted collections that it does not know are left out.
 */
export function armBody(arm: ArmKind, version: string, spec: JsonObject, inputs: ResolvedInputs): JsonObject {
  const builder = new BodyBuilder(version, inputs);
  const body: JsonObject = {};
  const fields = Object.entries(arm.fields.properties ?? {}).map(([name, tree]) => ({
    tree,
    armPath: rootPath(arm, name, tree),
    value: spec[name],
    path: name,
  }));
  builder.placeAll(body, fields);
  return body;
}

/** Renamed fields carry their full path at the root; others lie outside or inside `properties` as the kind says. */
export function rootPath(arm: ArmKind, name: string, tree: FieldTree): string {
  if (tree.arm !== undefined) return tree.arm;
  return arm.propertiesFlattened && !arm.topLevel.includes(name) ? `properties.${name}` : name;
}

interface Field {
  readonly tree: FieldTree;
  /** '' inlines an object into its ARM parent. */
  readonly armPath: string;
  readonly value: unknown;
  /** In the spec. */
  readonly path: string;
}

const isAbsent = ({ value }: Field): boolean => value === undefined || value === null;

class BodyBuilder {
  readonly #version: string;
  readonly #inputs: ResolvedInputs;

  constructor(version: string, inputs: ResolvedInputs) {
    this.#version = version;
    this.#inputs = inputs;
  }

  /** Puts the fields of one object into its ARM parent; placeholders of absent fields create no object. */
  placeAll(parent: JsonObject, fields: readonly Field[]): void {
    const known = fields.filter(({ tree }) => !tree.onlyIn || tree.onlyIn.includes(this.#version));
    for (const field of known) if (!isAbsent(field)) this.#place(parent, field);
    for (const field of known) if (isAbsent(field)) this.#placeAbsent(parent, field);
  }

  #place(parent: JsonObject, { tree, armPath, value, path }: Field): void {
    const converted = this.#convert(tree, value, path);
    if (armPath === '' && isObject(converted)) Object.assign(parent, converted);
    else if (converted !== undefined) setPath(parent, armPath, converted);
  }

  #placeAbsent(parent: JsonObject, { tree, armPath }: Field): void {
    if (tree.whenAbsent === undefined || tree.whenAbsentNotIn?.includes(this.#version)) return;
    const within = armPath.slice(0, armPath.lastIndexOf('.'));
    if (armPath.includes('.') && getPath(parent, within) === undefined) return;
    setPath(parent, armPath, tree.whenAbsent === 'null' ? null : tree.type === 'array' ? [] : {});
  }

  #convert(tree: FieldTree, value: unknown, path: string): unknown {
    switch (tree.type) {
      case 'reference':
      case 'wellKnownReference':
      case 'secret':
      case 'secretMap':
      case 'configMap':
        return this.#inputs.get(path);
      case 'array': {
        if (!Array.isArray(value)) return value;
        const items = value.map((item, index) => this.#item(tree.items, item, `${path}[${index}]`));
        return tree.as === 'identityMap' ? identityMap(items) : items;
      }
      case 'map':
        if (!isObject(value)) return value;
        return Object.fromEntries(
          Object.entries(value).map(([name, member]) => [name, this.#item(tree.values, member, `${path}{${name}}`)]),
        );
      case 'object': {
        if (!isObject(value)) return value;
        const object: JsonObject = {};
        const fields = Object.entries(tree.properties ?? {}).map(([name, property]) => ({
          tree: property,
          armPath: property.arm ?? name,
          value: value[name],
          path: `${path}.${name}`,
        }));
        this.placeAll(object, fields);
        return object;
      }
      default:
        return value;
    }
  }

  #item(tree: FieldTree | undefined, value: unknown, path: string): unknown {
    return tree ? this.#convert(tree, value, path) : value;
  }
}

/** ARM has a map from id to an empty object where the spec has a list of references. */
function identityMap(items: readonly unknown[]): JsonObject {
  return Object.fromEntries(
    items.flatMap((item) => (isObject(item) && typeof item['reference'] === 'string' ? [[item['reference'], {}]] : [])),
  );
}
