/** One-ofs: a spec has the member that the user chose below its name, and ARM has its fields in the object itself. */
import type { FieldTree } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { getPath, setPath } from '../values/json-object.ts';

/**
 * The fields of an object that ARM's `value` can have: all fields, or of a one-of the member that the value stands for.
 * A value that stands for none of them, or for several, has none.
 */
export function fieldsFor(tree: FieldTree, value: JsonObject): [name: string, field: FieldTree][] {
  const fields = Object.entries(tree.properties ?? {});
  if (!tree.oneOf) return fields;
  const counts = fields.map(([, field]) => countWords(field, value));
  const most = Math.max(...counts);
  const members = fields.filter((_, index) => most > 0 && counts[index] === most);
  return members.length === 1 ? members : [];
}

/** The fields with one possible word, such as `"endpointType": "WebHook"`, that the value has; they show the member. */
const countWords = ({ properties = {} }: FieldTree, value: JsonObject): number =>
  Object.entries(properties).filter(
    ([name, { enum: words, arm }]) => words?.length === 1 && getPath(value, arm ?? name) === words[0],
  ).length;

/**
 * ARM's value with one-ofs as a status of ASO v2 has them: below the name of the member. A value that stands for no
 * member stays as it is. Changes objects within `value`.
 *
 * @param pathOf the path of a field in ARM, '' for the object itself. Default: the path within a part of a resource.
 */
export function namedMembers(
  tree: FieldTree,
  value: unknown,
  pathOf = (name: string, { arm }: FieldTree) => arm ?? name,
): unknown {
  if (!hasOneOf(tree)) return value;
  const { items, values } = tree;
  if (Array.isArray(value)) return items ? value.map((item) => namedMembers(items, item)) : value;
  if (!isObject(value)) return value;
  if (values)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, namedMembers(values, each)]));
  let shown = value;
  for (const [name, field] of fieldsFor(tree, value)) {
    const path = pathOf(name, field);
    if (path === '') {
      const inner = namedMembers(field, shown);
      shown = tree.oneOf ? { [field.inStatus ?? name]: inner } : (inner as JsonObject);
      continue;
    }
    const part = getPath(shown, path);
    if (part !== undefined) setPath(shown, path, namedMembers(field, part));
  }
  return shown;
}

const known = new WeakMap<FieldTree, boolean>();

/** Whether a tree has a one-of at any depth. Most have none. */
function hasOneOf(tree: FieldTree): boolean {
  const before = known.get(tree);
  if (before !== undefined) return before;
  const { oneOf = false, items, values, properties = {} } = tree;
  const hasOne = oneOf || [items, values, ...Object.values(properties)].some((each) => each && hasOneOf(each));
  known.set(tree, hasOne);
  return hasOne;
}
