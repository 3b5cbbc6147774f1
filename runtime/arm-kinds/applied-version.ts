import { isObject } from '../base/json.ts';
import type { KubeObject } from '../kube/client/types.ts';

interface ManagedFields {
  readonly manager?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: { readonly 'f:spec'?: unknown };
}

/**
 * The served version under which the spec was last written. All versions of a CRD share one schema and one stored form,
 * so the object itself does not show it; the managedFields of the API server do. Where these are missing,
 * kubectl's last-applied annotation; where that is missing too, the version the object was read under.
 */
export function appliedVersion(object: KubeObject): string {
  const writers = (object.metadata.managedFields ?? []) as readonly ManagedFields[];
  const [last] = writers
    .filter(({ fieldsV1, subresource, apiVersion }) => fieldsV1?.['f:spec'] && !subresource && apiVersion)
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  const written = last?.apiVersion ?? lastApplied(object) ?? object.apiVersion;
  return written.split('/').at(-1) ?? written;
}

function lastApplied({ metadata }: KubeObject): string | undefined {
  try {
    const text = metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
    const applied: unknown = text === undefined ? undefined : JSON.parse(text);
    const version = isObject(applied) ? applied['apiVersion'] : undefined;
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
