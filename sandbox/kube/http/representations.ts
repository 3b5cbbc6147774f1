import { groupVersion, present } from '../model/resource.ts';
import type { Unstructured } from '../model/types.ts';
import { partial, tableOf } from '../tables/table.ts';
import type { Accepted } from './negotiation.ts';
import type { ResourceRequest } from './request-options.ts';
import type { Reply } from './respond.ts';

/** An object in the representation that the request accepts: itself, a Table, or its metadata. `now` in ms since the epoch. */
export function representObject(
  { accepted, resource, info }: ResourceRequest,
  code: number,
  object: Unstructured,
  now: number,
): Reply {
  const shown = present(resource, object);
  if (accepted.as === 'Table') {
    const { resourceVersion } = object['metadata'];
    const include = info.query.get('includeObject') ?? 'Metadata';
    return typed(code, accepted, tableOf(resource, [shown], { resourceVersion }, include, now));
  }
  return accepted.as ? typed(code, accepted, partial(shown)) : { code, body: shown };
}

/** A list in the representation that the request accepts. */
export function representList(
  { accepted, resource, info }: ResourceRequest,
  items: Unstructured[],
  metadata: object,
  now: number,
): Reply {
  if (accepted.as === 'Table') {
    const include = info.query.get('includeObject') ?? 'Metadata';
    return typed(200, accepted, tableOf(resource, items, metadata, include, now));
  }
  if (accepted.as) {
    const kind = 'PartialObjectMetadataList';
    return typed(200, accepted, { kind, apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partial) });
  }
  return { code: 200, body: { kind: resource.listKind, apiVersion: groupVersion(resource), metadata, items } };
}

const typed = (code: number, { as, group, version }: Accepted, body: Unstructured): Reply => ({
  code,
  body,
  contentType: `application/json;as=${as};g=${group};v=${version}`,
});
