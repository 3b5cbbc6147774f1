import { isObject } from '../../../runtime/base/json.ts';
import type { Unstructured } from '../model/types.ts';
import { at, child } from './causes.ts';
import { memberOf, resolve, type SchemaNode } from './schema-node.ts';

const typeMeta = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes in place the members that the schema does not have, and names the paths. The root counts as a resource. */
export function pruneUnknown(object: Unstructured, root: SchemaNode): string[] {
  const removed: string[] = [];
  prune(object, root, '', true, removed);
  return removed;
}

function prune(value: unknown, schema: SchemaNode, path: string, resource: boolean, removed: string[]): void {
  const node = resolve(schema);
  if (Array.isArray(value)) {
    if (node.items)
      for (const [index, item] of value.entries()) prune(item, node.items, at(path, index), false, removed);
    return;
  }
  if (!isObject(value)) return;
  const keep = node['x-kubernetes-preserve-unknown-fields'] === true || node.additionalProperties === true;
  const isResource = resource || node['x-kubernetes-embedded-resource'] === true;
  for (const name of Object.keys(value)) {
    if (isResource && typeMeta.has(name)) continue;
    const member = memberOf(node, name);
    if (member) prune(value[name], member, child(path, name), false, removed);
    else if (!keep) {
      delete value[name];
      removed.push(child(path, name));
    }
  }
}
