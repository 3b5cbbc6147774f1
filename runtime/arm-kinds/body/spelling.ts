import type { FieldTree } from '../../api/types.ts';
import { isObject } from '../../base/json.ts';

/** The spec with words of enumerations in the spelling of the schema, which Azure does not always keep to. */
export function withSpelling(tree: FieldTree, value: unknown): unknown {
  if (tree.enum && typeof value === 'string') {
    return tree.enum.find((word) => String(word).toLowerCase() === value.toLowerCase()) ?? value;
  }
  if (tree.type === 'array' && Array.isArray(value)) {
    return value.map((item) => (tree.items ? withSpelling(tree.items, item) : item));
  }
  if (!isObject(value)) return value;
  const treeOf = (name: string) => (tree.type === 'map' ? tree.values : tree.properties?.[name]);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = treeOf(name);
      return [name, own ? withSpelling(own, member) : member];
    }),
  );
}
