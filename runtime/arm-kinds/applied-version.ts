import { isObject } from '../base/json.ts';
import type { KubeObject } from '../kube/client/types.ts';

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: { readonly 'f:spec'?: unknown };
}

/**
 * The served version under which the spec was declared: by the manager that made or applied most of it, in its newest
 * write. All versions of a CRD share one schema and one stored form, so the object itself does not show it; the
 * managedFields of the API server do. Where these are missing, kubectl's last-applied annotation; where that is missing
 * too, the version the object was read under.
 */
export function appliedVersion(object: KubeObject): string {
  const entries = (object.metadata.managedFields ?? []) as readonly ManagedFields[];
  const writes = entries
    .filter(({ fieldsV1, subresource, apiVersion }) => isObject(fieldsV1?.['f:spec']) && !subresource && apiVersion)
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  const written = declaringWrite(writes)?.apiVersion ?? lastApplied(object) ?? object.apiVersion;
  return written.split('/').at(-1) ?? written;
}

/** The newest write of the manager that declares most members of the spec; of two with as many, the newer one. */
function declaringWrite(newestFirst: readonly ManagedFields[]): ManagedFields | undefined {
  const managers = [...new Set(newestFirst.map(managerOf))];
  const writesOf = managers.map((manager) => newestFirst.filter((write) => managerOf(write) === manager));
  const declaring = writesOf.filter((writes) => writes.some(declares));
  const [first] = (declaring.length > 0 ? declaring : writesOf).sort((a, b) => membersIn(b) - membersIn(a));
  return first?.[0];
}

/** kubectl names its commands as managers; those that send a whole manifest are one manager. */
const manifestsOfKubectl = /^kubectl(-client-side-apply|-create|-replace)?$/;

const managerOf = ({ manager = '' }: ManagedFields) => (manifestsOfKubectl.test(manager) ? 'kubectl' : manager);

const specIn = ({ fieldsV1 }: ManagedFields) => (fieldsV1?.['f:spec'] ?? {}) as object;

/** Who creates an object by another write than an apply owns the member `spec` itself. An edit owns what it changed. */
const declares = (write: ManagedFields) => write.operation === 'Apply' || Object.hasOwn(specIn(write), '.');

const membersIn = (writes: readonly ManagedFields[]) =>
  new Set(writes.flatMap((write) => Object.keys(specIn(write)).filter((member) => member !== '.'))).size;

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
