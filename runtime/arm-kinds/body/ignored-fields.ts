import type { ArmKind, FieldTree } from '../../api/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ArmModel } from '../model.ts';
import { annotations } from '../names.ts';
import { memberOf, setOwn } from '../values/json-object.ts';
import { rootPath } from './arm-body.ts';

/** A place in an ARM body, by members. */
export type BodyPath = readonly string[];

/**
 * The places in the body that the annotation leaves to others. It lists paths of the spec, separated by commas or blanks,
 * such as `tags.cost, networkAcls`; a list can only be named whole. Throws AZ_TERMINAL for a path the kind does not have,
 * and for the generated password of an administrator.
 */
export function ignoredPaths(model: ArmModel, object: KubeObject): BodyPath[] {
  const text = object.metadata.annotations?.[annotations.ignoreFields] ?? '';
  if (text === '') return [];
  const generated = new Set(
    model.inputs(object).flatMap((input) => (input.type === 'credentials' ? [input.path] : [])),
  );
  return text
    .split(/[\s,]+/)
    .map((path) => path.replace(/^spec\./, ''))
    .filter(Boolean)
    .map((path) => {
      if (generated.has(path)) {
        const message = `The annotation ${annotations.ignoreFields} names ${path}, which operatorSpec.generatedCredentials sets: it can only be one of both`;
        throw new AzimuthError('AZ_TERMINAL', message);
      }
      const found = model.bodyPath(path.split('.'));
      if (found && !found.includes('__proto__')) return found;
      const message = `The annotation ${annotations.ignoreFields} names ${path}, which is no field of ${model.definition.kind} that is sent to Azure, or lies within a list`;
      throw new AzimuthError('AZ_TERMINAL', message);
    });
}

/** Where a field of the spec is in the body; undefined if it is not there, or only as an item of a list. */
export function bodyPathOf(arm: ArmKind, [name = '', ...rest]: readonly string[]): BodyPath | undefined {
  const tree = arm.fields.properties?.[name];
  return tree && descend(tree, members(rootPath(arm, name, tree)), rest);
}

function descend(tree: FieldTree, at: BodyPath, rest: readonly string[]): BodyPath | undefined {
  const [name, ...further] = rest;
  if (name === undefined) return at.length > 0 ? at : undefined;
  // Keys of a map may have dots.
  if (tree.type === 'map') return [...at, rest.join('.')];
  if (tree.type === 'any') return [...at, ...rest];
  const property = tree.type === 'object' ? tree.properties?.[name] : undefined;
  return property && descend(property, [...at, ...members(property.arm ?? name)], further);
}

const members = (path: string): string[] => path.split('.').filter(Boolean);

/** A copy of the body without these places. Takes time linear in body and paths, both of which may be a tenant's. */
export function withoutPaths(body: JsonObject, paths: readonly BodyPath[]): JsonObject {
  if (paths.length === 0) return body;
  const copy = structuredCloneOfObjects(body);
  const sizes = new WeakMap<JsonObject, number>();
  for (const path of paths) deletePath(copy, path, sizes);
  return copy;
}

/** Deletes the member at the path, and the objects on the way that it leaves empty. `sizes` counts members once. */
function deletePath(body: JsonObject, path: BodyPath, sizes: WeakMap<JsonObject, number>): void {
  const parents: JsonObject[] = [];
  let at: unknown = body;
  for (const name of path) {
    if (!isPlain(at) || !Object.hasOwn(at, name)) return;
    parents.push(at);
    at = at[name];
  }
  for (const [index, parent] of [...parents.entries()].reverse()) {
    const left = (sizes.get(parent) ?? Object.keys(parent).length) - 1;
    sizes.set(parent, left);
    delete parent[path[index] as string];
    // An empty object would declare that nothing is to be there.
    if (left > 0) return;
  }
}

/** The body for a PUT over `live`, with the live values at these paths, so that the PUT reverts no change of others. */
export function withLiveAt(body: JsonObject, paths: readonly BodyPath[], live: JsonObject): JsonObject {
  const merged = structuredCloneOfObjects(withoutPaths(body, paths));
  for (const path of paths) {
    const value = path.reduce<unknown>(memberOf, live);
    if (value !== undefined) setMember(merged, path, value);
  }
  return merged;
}

/** Members, and not a dotted path: keys of maps may have dots. */
function setMember(target: JsonObject, [name = '', ...rest]: BodyPath, value: unknown): void {
  if (rest.length === 0) setOwn(target, name, value);
  else {
    if (!isObject(memberOf(target, name))) setOwn(target, name, {});
    setMember(memberOf(target, name) as JsonObject, rest, value);
  }
}

/** Wrapped secrets stay themselves. */
function structuredCloneOfObjects(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, isPlain(value) ? structuredCloneOfObjects(value) : value]),
  );
}

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
