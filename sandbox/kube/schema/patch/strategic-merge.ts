import { isObject } from '../../../../runtime/base/json.ts';
import { copy, equal, get, set } from '../../../json.ts';
import { type Json, type JsonObject, PatchError, type Unstructured } from '../../model/types.ts';
import { memberOf, resolve, type SchemaNode } from '../schema-node.ts';

const patchDirective = '$patch';
const retainKeysDirective = '$retainKeys';
const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';

/**
 * Strategic merge patch, steered by `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`: objects merge,
 * lists with a merge key merge by it, primitive lists with the merge strategy are sets, other lists are replaced.
 * Source: community/contributors/devel/sig-api-machinery/strategic-merge-patch.md.
 */
export function strategicMergePatch(live: Unstructured, patch: JsonObject, schema: SchemaNode): Unstructured {
  return mergeObjects(copy(live), copy(patch), resolve(schema));
}

function mergeObjects(live: JsonObject, patch: JsonObject, node: SchemaNode): JsonObject {
  const directive = patch[patchDirective];
  if (directive !== undefined) {
    if (directive === 'replace') return withoutDirectives(patch);
    if (directive === 'delete') return {};
    if (directive !== 'merge') throw new PatchError('malformed', `Unknown patch type: ${JSON.stringify(directive)}`);
  }
  const retained = patch[retainKeysDirective];
  if (Array.isArray(retained)) {
    for (const name of Object.keys(patch)) {
      if (!name.startsWith('$') && patch[name] !== null && !retained.includes(name)) {
        throw new PatchError('malformed', `unable to find ${name} in ${retainKeysDirective}`);
      }
    }
    for (const name of Object.keys(live)) if (!retained.includes(name)) delete live[name];
  }
  applyListDirectives(live, patch, node);
  for (const [name, value] of Object.entries(patch)) {
    if (name === patchDirective || name === retainKeysDirective || name.startsWith(deletePrefix)) continue;
    if (name.startsWith(orderPrefix)) continue;
    if (value === null || value === undefined) {
      delete live[name];
      continue;
    }
    const member = memberOf(node, name) ?? {};
    const before = get(live, name);
    if (isObject(value)) {
      const replaces = hasStrategy(member, 'replace');
      const merged = replaces ? withoutDirectives(value) : mergeObjects(isObject(before) ? before : {}, value, member);
      // A $patch: delete takes the member away altogether.
      if (value[patchDirective] === 'delete') delete live[name];
      else set(live, name, merged);
    } else if (Array.isArray(value)) {
      set(live, name, mergeLists(Array.isArray(before) ? before : [], value, member, patch[orderPrefix + name]));
    } else set(live, name, value);
  }
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(orderPrefix)) continue;
    const target = name.slice(orderPrefix.length);
    const list = get(live, target);
    if (Array.isArray(list) && Array.isArray(order) && !Array.isArray(get(patch, target))) {
      set(live, target, reorder(list, order, list, memberOf(node, target)?.['x-kubernetes-patch-merge-key']));
    }
  }
  return live;
}

function applyListDirectives(live: JsonObject, patch: JsonObject, _node: SchemaNode): void {
  for (const [name, values] of Object.entries(patch)) {
    if (!name.startsWith(deletePrefix)) continue;
    if (!Array.isArray(values)) throw new PatchError('malformed', `${name} must be a list`);
    const target = name.slice(deletePrefix.length);
    const list = get(live, target);
    if (Array.isArray(list))
      set(
        live,
        target,
        list.filter((item) => !values.some((value) => equal(value, item))),
      );
  }
}

function hasStrategy(node: SchemaNode, strategy: string): boolean {
  return node['x-kubernetes-patch-strategy']?.split(',').includes(strategy) ?? false;
}

function mergeLists(live: Json[], patch: Json[], node: SchemaNode, order: Json | undefined): Json[] {
  if (!hasStrategy(node, 'merge')) return patch.filter((item) => !isDirective(item)).map(plain);
  const key = node['x-kubernetes-patch-merge-key'];
  if (key === undefined) {
    const merged = [...live];
    for (const item of patch) if (!merged.some((known) => equal(known, item))) merged.push(item);
    return Array.isArray(order) ? reorder(merged, order, live, undefined) : merged;
  }
  if (patch.some((item) => isObject(item) && item[patchDirective] === 'replace')) {
    return patch
      .filter((item) => !(isObject(item) && item[patchDirective] === 'replace' && Object.keys(item).length === 1))
      .map(plain);
  }
  const items = node.items ? resolve(node.items) : {};
  let merged = [...live];
  const sameKey = (a: Json, b: JsonObject) => isObject(a) && equal(a[key] ?? null, b[key] ?? null);
  for (const item of patch) {
    if (!isObject(item)) throw new PatchError('malformed', `list with merge key ${key} may only hold objects`);
    if (item[key] === undefined) {
      throw new PatchError('malformed', `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    }
    if (item[patchDirective] === 'delete') {
      merged = merged.filter((known) => !sameKey(known, item));
      continue;
    }
    const index = merged.findIndex((known) => sameKey(known, item));
    const known = merged[index];
    if (index < 0) merged.push(mergeObjects({}, item, items));
    else if (isObject(known)) merged[index] = mergeObjects(known, item, items);
  }
  return Array.isArray(order) ? reorder(merged, order, live, key) : merged;
}

/** Items named by the order come in that order; those only the server has keep their place relative to their left neighbour. */
function reorder(
  merged: readonly Json[],
  order: readonly Json[],
  live: readonly Json[],
  key: string | undefined,
): Json[] {
  const identity = (item: Json) => JSON.stringify((key !== undefined && isObject(item) ? item[key] : item) ?? null);
  const wanted = new Map(order.map((item, index) => [identity(item), index]));
  const named = merged
    .filter((item) => wanted.has(identity(item)))
    .sort((a, b) => (wanted.get(identity(a)) ?? 0) - (wanted.get(identity(b)) ?? 0));
  const positions = new Map(live.map((item, index) => [identity(item), index]));
  const serverOnly = merged.filter((item) => !wanted.has(identity(item)));
  const out: Json[] = [];
  let next = 0;
  for (const item of named) {
    const position = positions.get(identity(item));
    for (let other = serverOnly[next]; other !== undefined; other = serverOnly[next]) {
      const otherPosition = positions.get(identity(other));
      if (position === undefined || otherPosition === undefined || otherPosition > position) break;
      out.push(other);
      next += 1;
    }
    out.push(item);
  }
  return [...out, ...serverOnly.slice(next)];
}

function isDirective(item: Json): boolean {
  return isObject(item) && item[patchDirective] !== undefined && Object.keys(item).length === 1;
}

function plain(item: Json): Json {
  return isObject(item) ? withoutDirectives(item) : item;
}

function withoutDirectives(value: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === patchDirective || name === retainKeysDirective) continue;
    if (name.startsWith(deletePrefix) || name.startsWith(orderPrefix)) continue;
    set(out, name, isObject(member) ? withoutDirectives(member) : Array.isArray(member) ? member.map(plain) : member);
  }
  return out;
}
