import { getPath } from '../values/json-object.ts';
import { nameOf, withPath } from '../values/shared-list.ts';
import type { KindExtension } from './extension.ts';

/**
 * Keeps list members that others put into a resource: a PUT replaces the whole resource, and would delete members that
 * other objects or controllers manage.
 *
 * - `whole`: the spec has nothing at the path, so the PUT repeats Azure's list as it is;
 * - `name`: the spec may have some members; those replace Azure's members of the same name, the others stay.
 *
 * Where Azure shows an ETag, the PUT is bound to it, so that no concurrent change of the list is lost.
 */
export function carryExisting(path: string, by: 'whole' | 'name'): KindExtension {
  return {
    ...(by === 'name' && { sharedList: path }),
    beforePut: async (_object, body, { tryResource, onlyIf, resourceId, apiVersion }) => {
      const live = await tryResource(resourceId, apiVersion);
      if (live === undefined) return body;
      const etag = getPath(live, 'etag');
      if (typeof etag === 'string') onlyIf(etag);
      const existing = getPath(live, path);
      if (!Array.isArray(existing) || existing.length === 0) return body;
      if (by === 'whole') return withPath(body, path.split('.'), existing);
      const declared = getPath(body, path);
      const declaredItems = Array.isArray(declared) ? declared : [];
      const names = new Set(declaredItems.map(nameOf));
      const others = existing.filter((item) => !names.has(nameOf(item)));
      return others.length === 0 ? body : withPath(body, path.split('.'), [...declaredItems, ...others]);
    },
  };
}
