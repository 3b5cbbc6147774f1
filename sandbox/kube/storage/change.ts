import { equal } from '../../json.ts';
import type { Resource } from '../model/resource.ts';
import { modified } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';

/** Throws 409 for a write upon another version than the present one. */
export function checkVersion(resource: Resource, sent: Unstructured, old: Unstructured): void {
  const { resourceVersion } = sent['metadata'];
  if (resourceVersion && resourceVersion !== '0' && resourceVersion !== old['metadata'].resourceVersion)
    throw modified(resource, old['metadata'].name);
}

const contentOf = ({ metadata: _metadata, status: _status, ...content }: Unstructured) => content;
/** Whether anything but metadata and status differs: a change that `metadata.generation` counts. */
export const contentChanged = (object: Unstructured, old: Unstructured) => !equal(contentOf(object), contentOf(old));

/** Whether a write would change nothing but the times of managed fields. */
export function sameButForTimes(object: Unstructured, old: Unstructured): boolean {
  const strip = ({ metadata, ...rest }: Unstructured) => ({
    ...rest,
    metadata: {
      ...metadata,
      managedFields: metadata.managedFields?.map(({ time: _time, ...entry }: Unstructured) => entry),
    },
  });
  return equal(strip(object), strip(old));
}

/** An empty list of managed fields, or one with an empty entry, asks to forget all owners of fields. */
export const resetsManagedFields = (entries: unknown): boolean =>
  Array.isArray(entries) &&
  (entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0));
