import type { Json } from '../../types.ts';
import { copy, get, isObject, set } from '../schema-node.ts';

/** RFC 7386: members of the patch replace, null removes, objects merge, everything else replaces as a whole. */
export function mergePatch(live: Json, patch: Json): Json {
  if (!isObject(patch)) return copy(patch);
  const out = isObject(live) ? copy(live) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete out[name];
    else set(out, name, mergePatch(get(out, name) ?? null, value));
  }
  return out;
}
