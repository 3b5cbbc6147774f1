import { canonicalJson } from '../../../../runtime/base/json.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { Behaviour, WriteStyle } from '../behaviour.ts';
import { putAt } from './put-at.ts';
import type { ResourcePath } from './resource-path.ts';
import type { StoredResource } from './stored-resources.ts';

/** The request of the last PUT or PATCH: the base of a PATCH. */
export const requestedOf = (existing: StoredResource | undefined): Json => objectOf(existing?.system['request']);

/** Keeps the members at these paths from the request before, where a PUT does not name them. */
export function keepMembers(request: Json, before: Json, paths: readonly string[] = []): void {
  for (const path of paths) {
    const kept = at(before, path);
    if (kept !== undefined && at(request, path) === undefined) putAt(request, path, kept);
  }
}

/** Whether a child sent with its parent is unchanged: then nothing happens to it. */
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
  behaviour.etag ? { etag: etagText(stringOf(resource.system['etag']), behaviour) } : {};

/** An etag as the type writes it. */
export const etagText = (etag: string, { etag: form }: Behaviour): string => (form === 'plain' ? etag : `W/"${etag}"`);

/** The body with which a provider accepts what it will do; undefined where that is the resource or nothing. */
export function startedBody(form: WriteStyle['body'], { types }: ResourcePath, now: number): Json | undefined {
  if (form === 'operation') return { operation: `Write${types.at(-1) ?? ''}`, startTime: new Date(now).toISOString() };
  if (form === 'status') return { status: 'Enqueued' };
  return form === 'object' ? {} : undefined;
}
