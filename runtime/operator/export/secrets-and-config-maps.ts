import { operatorName } from '../../arm-kinds/names.ts';
import { AzimuthError } from '../../base/errors.ts';
import { jsonHash } from '../../base/json.ts';
import { configMapsType, secretsType } from '../../kube/client/core-types.ts';
import { ownerReference, ownership } from '../../kube/client/owner-references.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../kube/client/types.ts';
import type { ExportTarget } from './export-targets.ts';

/** The client and the owner of a write of an export. */
export interface ExportWriter {
  readonly client: KubeClient;
  /** The owner of the export, in the same namespace. */
  readonly owner: KubeObject;
  readonly signal: AbortSignal;
}

/** The field manager of an object's exports; equal for a later object of the same name. */
export function exportManager({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  return `${operatorName}-${jsonHash([apiVersion.split('/')[0], kind, namespace, name])}`;
}

/**
 * Creates or updates one Secret or ConfigMap, and writes only keys that differ. Removes keys of an earlier plan of
 * this owner, which it recognises by their field manager; the keys of others stay. Creates no object without values.
 * Returns the object if it wrote one. Throws AZ_CONFLICT_OWNED for an object that the owner does not own.
 */
export async function writeExport(target: ExportTarget, writer: ExportWriter): Promise<KubeObject | undefined> {
  const { client, owner, signal } = writer;
  const fieldManager = exportManager(owner);
  const type: ResourceType = target.target === 'Secret' ? secretsType : configMapsType;
  const key = { namespace: owner.metadata.namespace ?? '', name: target.name };
  const encode = (value: string) => (target.target === 'Secret' ? Buffer.from(value).toString('base64') : value);
  const data = Object.fromEntries(Object.entries(target.values).map(([name, value]) => [name, encode(value)]));
  const { labels, annotations } = target;
  const existing = await client.tryGet(type, key, signal);
  const isNothing = Object.keys(data).length === 0;
  if (!existing && isNothing) return undefined;
  if (!existing) {
    return client.create<KubeObject>(
      type,
      {
        apiVersion: apiVersionOf(type),
        kind: type.kind,
        metadata: { ...key, labels, annotations, ownerReferences: [ownerReference(owner)] },
        ...(target.target === 'Secret' && { type: 'Opaque' }),
        data,
      },
      { fieldManager, signal },
    );
  }
  const { mine, inherited, ownerReferences } = ownership(existing, owner);
  if (!mine && isNothing) return undefined;
  if (!mine && !inherited) {
    throw new AzimuthError(
      'AZ_CONFLICT_OWNED',
      `${type.kind} ${target.name} exists and does not belong to this ${owner.kind}: it is left as it is. Delete it or choose another name`,
    );
  }
  const have = (existing['data'] ?? {}) as Record<string, string>;
  const overtaken = Object.entries(target.unchanged ?? {}).some(
    ([name, value]) => (have[name] || undefined) !== (value === undefined ? undefined : encode(value)),
  );
  if (overtaken) return undefined;
  const changed = (want: Readonly<Record<string, string>>, have: unknown) =>
    Object.entries(want).some(([name, value]) => (have as Record<string, string> | undefined)?.[name] !== value);
  const { metadata } = existing;
  const notAsked = target.partial ? [] : ownKeys(existing, fieldManager).filter((name) => !(name in data));
  const unwanted = (target.drop ?? []).filter((name) => name in ((existing['data'] ?? {}) as object));
  const dropped = [...notAsked, ...unwanted];
  const same =
    mine &&
    dropped.length === 0 &&
    !changed(data, existing['data']) &&
    !changed(labels, metadata.labels) &&
    !changed(annotations, metadata.annotations);
  if (same) return undefined;
  const changes = { ...data, ...Object.fromEntries(dropped.map((name) => [name, null])) };
  const { uid, resourceVersion } = metadata;
  const body = {
    metadata: { uid, resourceVersion, labels, annotations, ...(!mine && { ownerReferences }) },
    data: changes,
  };
  return client.patch(type, key, { type: 'merge', body }, { fieldManager, signal });
}

/** The keys of `data` that this field manager set last, by the server's record. */
export function ownKeys({ metadata, data }: KubeObject, fieldManager: string): string[] {
  const entries = (metadata.managedFields ?? []) as readonly { manager?: string; fieldsV1?: Record<string, object> }[];
  const operatorEntries = entries.filter(({ manager }) => manager === fieldManager);
  const names = operatorEntries.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1?.['f:data'] ?? {}));
  return names.map((name) => name.slice('f:'.length)).filter((name) => name in (data ?? {}));
}
