/** Bodies of Azure and paths of statuses, as Azure Service Operator's types say. */
import { isObject, type JsonObject } from '../../runtime/base/json.ts';
import { type GoTypes, partsOf } from '../../tools/judges/aso-go-types.ts';

/** The place of every name of the user in a map. */
const mapName = '{}';

/** The leaves of a type, such as `.rules[].name` and `.tags{}`, below `path`. */
export function pathsOfType(types: GoTypes, type: string, path = ''): string[] {
  const { container, element } = partsOf(type);
  if (container) return pathsOfType(types, element, path + container);
  const fields = types.structs.get(element);
  if (!fields?.length) return [path];
  return fields.flatMap((field) => pathsOfType(types, field.type, `${path}.${field.json}`));
}

/** The leaves of a value, in the same form. */
export function pathsOfValue(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsOfValue(each, `${path}[]`));
  if (!isObject(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([name, each]) =>
    pathsOfValue(each, name.startsWith(mapName) ? `${path}${mapName}` : `${path}.${name}`),
  );
}

/** The largest number of members of a one-of of ASO's. */
const mostMembers = 20;

/**
 * Bodies of Azure that together have every field of the type `root`: lists and maps have an item for each member of a
 * one-of, and another one-of has another member in each body.
 */
export function bodiesOf(types: GoTypes, root: string): JsonObject[] {
  return Array.from({ length: mostMembers }, (_, number) => exampleOf(types, root, number) as JsonObject);
}

function exampleOf(types: GoTypes, type: string, number: number): unknown {
  const { container, element } = partsOf(type);
  const count = types.oneOfs.get(partsOf(element).element)?.members.length ?? 1;
  if (!container) return exampleOfStruct(types, element, number, number % count);
  const items = Array.from({ length: count }, (_, index) =>
    partsOf(element).container ? exampleOf(types, element, number) : exampleOfStruct(types, element, number, index),
  );
  return container === '[]' ? items : Object.fromEntries(items.map((item, index) => [`${mapName}${index}`, item]));
}

/** @param member the index of the member, where the struct is a one-of */
function exampleOfStruct(types: GoTypes, type: string, number: number, member: number): unknown {
  const { element } = partsOf(type);
  const fields = types.structs.get(element);
  if (!fields) return 'text';
  const oneOf = types.oneOfs.get(element);
  const { word, goName } = oneOf?.members[member] ?? {};
  const chosen = fields.find((field) => field.goName === goName);
  if (oneOf && chosen) return { ...(exampleOf(types, chosen.type, number) as object), [oneOf.discriminator]: word };
  return Object.fromEntries(fields.map((field) => [field.json, exampleOf(types, field.type, number)]));
}
