import { isObject } from '../../../../runtime/base/json.ts';
import type { ManagedFieldsEntry, Unstructured } from '../../model/types.ts';
import { FieldSet } from './field-set.ts';
import type { Comparison } from './field-walk.ts';

/** One manager's fields; `key` identifies the manager: an applier is the same at every version, an updater is not. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Owners by `ownerKey`. */
export type Owners = Map<string, Owner>;

/** Identifies an owner: appliers without their version, updaters with it. */
export function ownerKey(owner: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = owner.operation === 'Apply' ? '' : owner.apiVersion;
  return JSON.stringify([owner.manager, owner.operation, version, owner.subresource]);
}

/** undefined when the entries cannot be read. */
export function decodeOwners(entries: unknown): Owners | undefined {
  const owners: Owners = new Map();
  if (entries === undefined || entries === null) return owners;
  if (!Array.isArray(entries)) return undefined;
  for (const entry of entries) {
    if (!isObject(entry)) return undefined;
    const { manager = '', operation, apiVersion = '', subresource = '', time, fieldsV1 } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return undefined;
    let fields: FieldSet;
    try {
      fields = FieldSet.fromFieldsV1(fieldsV1 ?? {});
    } catch {
      return undefined;
    }
    const owner: Owner = {
      manager: String(manager),
      operation,
      apiVersion: String(apiVersion),
      subresource: String(subresource),
      time: typeof time === 'string' ? time : undefined,
      fields,
    };
    owners.set(ownerKey(owner), owner);
  }
  return owners;
}

/** `managedFields: [{}]` gives all ownership up. */
export function isReset(entries: unknown): boolean {
  return (
    Array.isArray(entries) &&
    entries.length > 0 &&
    entries.every((entry) => isObject(entry) && Object.keys(entry).length === 0)
  );
}

/** In the API server's order: appliers first, then by time, manager, version, subresource. */
export function encodeOwners(owners: Owners): ManagedFieldsEntry[] {
  const order = (owner: Owner) => [
    owner.operation,
    owner.time ?? '',
    owner.manager,
    owner.apiVersion,
    owner.subresource,
  ];
  return [...owners.values()]
    .sort((a, b) => {
      const [left, right] = [order(a), order(b)];
      const index = left.findIndex((item, position) => item !== right[position]);
      return index < 0 ? 0 : (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
    })
    .map(({ manager, operation, apiVersion, subresource, time, fields }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: fields.toFieldsV1(),
      ...(subresource === '' ? {} : { subresource }),
    }));
}

const identity = ['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation'];
const untracked = new FieldSet();
for (const name of ['apiVersion', 'kind', 'metadata']) untracked.insert([`f:${name}`]);
for (const name of [...identity, 'managedFields', 'resourceVersion']) untracked.insert(['f:metadata', `f:${name}`]);

/** Without the fields nobody owns: type, identity and bookkeeping. */
export function tracked(fields: FieldSet): FieldSet {
  return fields.difference(untracked);
}

/** Takes `lost` away from an owner, dropping it when nothing is left. */
export function disown(owners: Owners, key: string, lost: FieldSet): void {
  const owner = owners.get(key);
  if (!owner) return;
  const fields = owner.fields.difference(lost);
  if (fields.empty) owners.delete(key);
  else owners.set(key, { ...owner, fields });
}

/** The fields that were added or modified. */
export function changed(comparison: Comparison): FieldSet {
  return comparison.modified.union(comparison.added);
}

/** Ownership of a copy of the object is not part of the object that is compared. */
export function withoutManagedFields(object: Unstructured): Unstructured {
  if (!isObject(object['metadata'])) return object;
  const { managedFields: _, ...metadata } = object['metadata'];
  return { ...object, metadata };
}

const maxUpdaters = 10;

/** Beyond ten updaters the oldest of a version share the name `ancient-changes`. */
export function capUpdaters(owners: Owners): void {
  const updaters = [...owners.entries()]
    .filter(([, owner]) => owner.operation === 'Update')
    .sort(([, a], [, b]) => ((a.time ?? '') + a.manager < (b.time ?? '') + b.manager ? -1 : 1));
  const first = new Map<string, string>();
  let count = updaters.length;
  for (const [key, owner] of updaters) {
    if (count <= maxUpdaters) return;
    const earlier = first.get(owner.apiVersion);
    if (earlier === undefined) {
      first.set(owner.apiVersion, key);
      continue;
    }
    const bucket: Owner = { ...owner, manager: 'ancient-changes', subresource: '' };
    const bucketKey = ownerKey(bucket);
    const before = owners.get(bucketKey) ?? owners.get(earlier);
    if (!owners.has(bucketKey)) owners.delete(earlier);
    owners.delete(key);
    owners.set(bucketKey, { ...bucket, fields: owner.fields.union(before?.fields ?? new FieldSet()) });
    count -= 1;
  }
}
