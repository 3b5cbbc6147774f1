import { canonicalJson } from '../../../../runtime/base/json.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { StoredResource } from '../../state.ts';
import type { Behaviour } from '../behaviour.ts';
import { putAt } from './put-at.ts';

/** What the last PUT or PATCH asked for: the ground a PATCH is laid on. */
export const requestedOf = (existing: StoredResource | undefined): Json => objectOf(existing?.system['request']);

/** Puts what was asked for before where a PUT does not name it. */
export function keepMembers(request: Json, before: Json, paths: readonly string[] = []): void {
  for (const path of paths) {
    const kept = at(before, path);
    if (kept !== undefined && at(request, path) === undefined) putAt(request, path, kept);
  }
}

/** Whether a child sent with its parent is what it was: then nothing happens to it. */
export function sameContent(shown: Json, sent: Json): boolean {
  const content = ({ id: _, type: __, etag: ___, properties, ...rest }: Json) => {
    const { provisioningState: ____, ...own } = objectOf(properties);
    return canonicalJson({ ...rest, properties: own });
  };
  return content(shown) === content(sent);
}

/** The provisioning state that the resource shows; '' leaves it. */
export function setState(resource: StoredResource, word: string): void {
  if (word === '') return;
  resource.body = {
    ...resource.body,
    properties: { ...objectOf(resource.body['properties']), provisioningState: word },
  };
}

/** Headers with its ETag, for types that have one. */
export const etagOf = (resource: StoredResource, behaviour: Behaviour): Record<string, string> =>
  behaviour.etag ? { etag: `W/"${stringOf(resource.system['etag'])}"` } : {};
