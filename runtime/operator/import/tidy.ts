import type { FieldTree } from '../../api/types.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import { withoutSecretMembers } from '../secret-value.ts';

/** Keys, signatures and passwords that travel inside of other values. */
const secretWithin =
  /(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|pwd)\s*=|[?&]sig=|-----BEGIN [A-Z ]*PRIVATE KEY/i;

/** The value without everything that is secret by its member's name or by its own look; nothing else changes. */
export function withoutSecrets(live: JsonObject): JsonObject {
  return dropLooks(withoutSecretMembers(live)) as JsonObject;
}

function dropLooks(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !looksSecret(item)).map(dropLooks);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => !looksSecret(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, dropLooks(member)]));
}

const looksSecret = (value: unknown) => typeof value === 'string' && secretWithin.test(value);

/** The spec without empty collections and objects that nobody requires: they declare nothing that Azure has. */
export function withoutEmpty(tree: FieldTree, spec: JsonObject): JsonObject {
  const kept = Object.entries(spec).flatMap(([name, value]) => {
    const tidy = tidied(tree.properties?.[name], value);
    const empty = typeof tidy === 'object' && tidy !== null && Object.keys(tidy).length === 0;
    return empty && !tree.required?.includes(name) ? [] : [[name, tidy] as const];
  });
  return Object.fromEntries(kept);
}

function tidied(tree: FieldTree | undefined, value: unknown): unknown {
  if (tree?.type === 'object' && isObject(value)) return withoutEmpty(tree, value);
  if (tree?.type === 'array' && Array.isArray(value)) return value.map((item) => tidied(tree.items, item));
  if (tree?.type === 'map' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tidied(tree.values, member)]));
  }
  return value;
}

/** The spec with words of enumerations in the spelling of the schema, which Azure does not always keep to. */
export function withSpelling(tree: FieldTree, value: unknown): unknown {
  if (tree.enum && typeof value === 'string') {
    return tree.enum.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value;
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
