import { getPath } from '../body/json-object.ts';
import { nameOf, withPath } from '../body/shared-list.ts';
import type { KindExtension } from './extension.ts';

/**
 * Keeps what others put into a resource: a PUT replaces it as a whole, and would delete the members that objects of
 * their own, or other controllers, manage.
 *
 * - `whole`: the spec has nothing at the path, so Azure's list is sent back as it is;
 * - `name`: the spec may have some of them; those win over Azure's of the same name, the others are kept.
 *
 * Where Azure shows an ETag, the PUT is bound to it: a member that came or went since is not lost or brought back.
 */
export function carryExisting(path: string, by: 'whole' | 'name'): KindExtension {
  return {
    takesTurns: true,
    ...(by === 'name' && { sharedList: path }),
    beforePut: async (_object, body, { tryGet, onlyIf, resourceId, apiVersion }) => {
      const live = await tryGet(resourceId, apiVersion);
      if (live === undefined) return body;
      const etag = getPath(live, 'etag');
      if (typeof etag === 'string') onlyIf(etag);
      const existing = getPath(live, path);
      if (!Array.isArray(existing) || existing.length === 0) return body;
      if (by === 'whole') return withPath(body, path.split('.'), existing);
      const declared = getPath(body, path);
      const own = Array.isArray(declared) ? declared : [];
      const names = new Set(own.map(nameOf));
      const others = existing.filter((item) => !names.has(nameOf(item)));
      return others.length === 0 ? body : withPath(body, path.split('.'), [...own, ...others]);
    },
  };
}
