import { isObject } from '../../../../runtime/base/json.ts';
import { equal } from '../../../json.ts';
import {
  type ApplyConflict,
  type ApplyOutcome,
  type ApplyRequest,
  PatchError,
  type Unstructured,
} from '../../model/types.ts';
import { asNode } from '../schema-node.ts';
import { FieldSet, pathText } from './field-set.ts';
import { type FieldType, rootType } from './field-type.ts';
import { compare, fieldsOf, merge, withoutFields, withStructs } from './field-walk.ts';
import {
  capUpdaters,
  changed,
  decodeOwners,
  disown,
  encodeOwners,
  type Owner,
  type Owners,
  ownerKey,
  tracked,
  withoutManagedFields,
} from './managed-fields.ts';
import { takeChanges } from './track-update.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Server-side apply: lays the applied configuration over the live object, removes fields that this manager applied
 * before and no longer names (unless somebody else owns it), and moves ownership. Fields that others own with another
 * value are conflicts unless forced. Every served version of a kind counts as having the same shape (conversion
 * strategy None). Throws PatchError for a configuration that cannot be applied.
 */
export function serverSideApply(request: ApplyRequest): ApplyOutcome {
  const outcome = apply(request, request.force);
  if ('object' in outcome || request.manager !== 'kubectl') return outcome;
  // A manager that comes from client-side apply owns the fields of its last-applied annotation.
  const allowed = lastAppliedPaths(request);
  if (outcome.conflicts.every((conflict) => allowed.has(conflict.field))) return apply(request, true);
  return { conflicts: outcome.conflicts.filter((conflict) => !allowed.has(conflict.field)) };
}

function apply(request: ApplyRequest, force: boolean): ApplyOutcome {
  const type = rootType(request.schema && asNode(request.schema));
  const applied = configuration(request);
  const live = withoutManagedFields(request.live ?? { apiVersion: applied['apiVersion'], kind: applied['kind'] });
  const owners = decodeOwners(request.live?.['metadata']?.managedFields) ?? new Map();
  if (owners.size === 0 && request.live !== undefined) {
    takeChanges(owners, undefined, live, type, { ...request, manager: 'before-first-apply', subresource: '' });
  }
  const former = new Map(owners);
  const self: Owner = {
    manager: request.manager,
    operation: 'Apply',
    apiVersion: request.apiVersion,
    subresource: request.subresource,
    time: request.now,
    fields: fieldsOf(applied, type),
  };
  const key = ownerKey(self);
  const last = owners.get(key)?.fields;
  owners.set(key, self);
  const merged = dropAbandoned(merge(live, applied, type), owners, last, type);

  const comparison = compare(live, merged, type);
  const conflicts: ApplyConflict[] = [];
  for (const [other, owner] of owners) {
    if (other === key) continue;
    const contested = owner.fields.intersection(changed(comparison));
    for (const path of contested.paths()) conflicts.push({ manager: ownerText(owner), field: pathText(path) });
    disown(owners, other, contested.union(comparison.removed));
  }
  if (!force && conflicts.length > 0) return { conflicts: conflicts.sort(byManagerAndField) };

  const fields = tracked(self.fields);
  if (fields.empty) owners.delete(key);
  else owners.set(key, { ...self, fields });
  if (equal(live, merged) && sameOwners(owners, former)) {
    const kept = former.get(key);
    if (kept) owners.set(key, kept);
  }
  capUpdaters(owners);
  return { object: { ...merged, metadata: { ...merged['metadata'], managedFields: encodeOwners(owners) } } };
}

/** The applied configuration without the members that this endpoint does not apply. */
function configuration({ applied, subresource, ignored = [] }: ApplyRequest): Unstructured {
  if (
    isObject(applied['metadata']) &&
    Array.isArray(applied['metadata']['managedFields']) &&
    applied['metadata']['managedFields'].length > 0
  ) {
    throw new PatchError('malformed', 'metadata.managedFields must be nil');
  }
  const config = withoutManagedFields(applied);
  if (subresource === 'status') {
    const { apiVersion, kind, metadata = {}, status } = config;
    const { name, namespace } = metadata;
    return { apiVersion, kind, metadata: { name, namespace }, ...(status === undefined ? {} : { status }) };
  }
  return Object.fromEntries(Object.entries(config).filter(([name]) => !ignored.includes(name)));
}

/** Removes fields of the last configuration that the new one leaves out and that nobody else owns. */
function dropAbandoned(
  merged: Unstructured,
  owners: Owners,
  last: FieldSet | undefined,
  type: FieldType,
): Unstructured {
  if (!last || last.empty) return merged;
  const whole = (fields: FieldSet) => withStructs(fields, type);
  const everything = whole(fieldsOf(merged, type));
  const before = whole(last);
  let pruned = withoutFields(merged, before, type);
  const owned = [...owners.values()].reduce((sum, owner) => sum.union(owner.fields), new FieldSet());
  // Owned by somebody: comes back.
  const kept = whole(fieldsOf(pruned, type)).union(whole(owned));
  pruned = withoutFields(merged, everything.difference(kept), type);
  // Never applied by this manager: comes back, unless the struct around it goes.
  const gone = everything.difference(whole(fieldsOf(pruned, type))).intersection(before);
  return withoutFields(merged, gone, type);
}

function sameOwners(a: Owners, b: Owners): boolean {
  return (
    a.size === b.size &&
    [...a].every(
      ([key, owner]) => b.get(key)?.fields.equals(owner.fields) && b.get(key)?.apiVersion === owner.apiVersion,
    )
  );
}

/** An owner as a conflict names it: `"kubectl"` for an applier, `"kubectl" using v1` for an updater. */
function ownerText({ manager, subresource, operation, apiVersion }: Owner): string {
  const name = JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

function byManagerAndField(a: ApplyConflict, b: ApplyConflict): number {
  return a.manager === b.manager ? (a.field < b.field ? -1 : 1) : a.manager < b.manager ? -1 : 1;
}

function lastAppliedPaths({ live, schema }: ApplyRequest): Set<string> {
  const text = live?.['metadata']?.annotations?.[lastApplied];
  if (typeof text !== 'string') return new Set();
  try {
    const fields = fieldsOf(JSON.parse(text) as Unstructured, rootType(schema && asNode(schema)));
    return new Set([...fields.paths()].map(pathText));
  } catch {
    return new Set();
  }
}
