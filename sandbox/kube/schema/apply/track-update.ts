import type { ManagedFieldsEntry, TrackRequest, Unstructured } from '../../model/types.ts';
import { asNode } from '../schema-node.ts';
import { FieldSet } from './field-set.ts';
import { type FieldType, rootType } from './field-type.ts';
import { compare } from './field-walk.ts';
import {
  capUpdaters,
  changed,
  decodeOwners,
  disown,
  encodeOwners,
  isReset,
  type Owners,
  ownerKey,
  tracked,
  withoutManagedFields,
} from './managed-fields.ts';
import { fillZero, zeroObject } from './zero-objects.ts';

/**
 * The managed fields of an object after a write that is not an apply: the writer takes every field it changed or added.
 * A client may write the entries itself; entries that are absent or unreadable are taken from the stored object, `[{}]`
 * resets them. An existing object without entries is not tracked until somebody applies.
 */
export function trackUpdate(request: TrackRequest): ManagedFieldsEntry[] {
  const { before, after, schema } = request;
  const sent = after['metadata']?.managedFields;
  const stored = decodeOwners(before?.['metadata']?.managedFields) ?? new Map();
  let owners: Owners = stored;
  if (isReset(sent)) owners = new Map();
  else if (request.subresource === '') {
    const decoded = decodeOwners(sent);
    if (decoded && decoded.size > 0) owners = decoded;
  }
  if (owners.size === 0 && before !== undefined) return [];
  const type = rootType(schema && asNode(schema));
  takeChanges(owners, before, after, type, request);
  capUpdaters(owners);
  return encodeOwners(owners);
}

/** Moves the fields in which the objects differ to the updater that `identity` names; everybody else loses them. */
export function takeChanges(
  owners: Owners,
  before: Unstructured | undefined,
  after: Unstructured,
  type: FieldType,
  identity: Pick<TrackRequest, 'manager' | 'apiVersion' | 'subresource' | 'now'>,
): void {
  const old = before ? fillZero(withoutManagedFields(before)) : zeroObject(after);
  const comparison = compare(old, fillZero(withoutManagedFields(after)), type);
  const taken = tracked(changed(comparison).difference(comparison.removed));
  for (const [key, owner] of owners) {
    disown(owners, key, owner.fields.intersection(changed(comparison)).union(comparison.removed));
  }
  if (taken.empty) return;
  const { manager, apiVersion, subresource, now } = identity;
  const owner = { manager, apiVersion, subresource, operation: 'Update' as const, time: now };
  const key = ownerKey(owner);
  owners.set(key, { ...owner, fields: taken.union(owners.get(key)?.fields ?? new FieldSet()) });
}
