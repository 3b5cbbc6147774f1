import { isObject } from '../../../runtime/base/json.ts';
import { groupVersion, type Resource } from '../model/resource.ts';
import { badRequest, forbiddenField, invalid, invalidValue } from '../model/status.ts';
import type { Cause, Unstructured } from '../model/types.ts';

const members = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/** RFC 3339 with whole seconds, as metav1.Time is written. */
export const rfc3339 = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/**
 * Brings a decoded body into shape: apiVersion and kind as the resource wants them, a metadata object with members of
 * the right types and nothing else. Returns the paths of unknown members that it dropped. Throws 400 and 422.
 */
export function normalize(resource: Resource, object: Unstructured): string[] {
  const expected = groupVersion(resource);
  const { kind, apiVersion } = object;
  if (resource.custom) {
    if (!kind) throw cannotHandle(resource, `Object 'Kind' is missing in '${JSON.stringify(object)}'`);
    if (!apiVersion) throw cannotHandle(resource, `Object 'apiVersion' is missing in '${JSON.stringify(object)}'`);
    const name = isObject(object['metadata']) ? String(object['metadata']['name'] ?? '') : '';
    const named = { group: String(apiVersion).split('/').at(-2) ?? '', plural: '', kind: String(kind) };
    if (kind !== resource.kind) throw invalid(named, name, [invalidValue('kind', kind, `must be ${resource.kind}`)]);
    if (apiVersion !== expected)
      throw invalid(named, name, [invalidValue('apiVersion', apiVersion, `must be ${expected}`)]);
  } else if ((kind ?? resource.kind) !== resource.kind || (apiVersion ?? expected) !== expected) {
    const version = String(apiVersion ?? expected)
      .split('/')
      .at(-1);
    throw badRequest(
      `${kind ?? resource.kind} in version "${version}" cannot be handled as a ${resource.kind}: no kind "${kind ?? resource.kind}" of "${apiVersion ?? expected}" is served here, expected "${expected}"`,
    );
  }
  object['apiVersion'] = expected;
  object['kind'] = resource.kind;
  // A built-in kind is decoded into a struct, where null means absent; a CRD's schemas may hold null as a value.
  if (!resource.custom && resource.kind !== 'CustomResourceDefinition') dropNulls(object);
  object['metadata'] ??= {};
  if (!isObject(object['metadata'])) throw cannotHandle(resource, 'metadata must be an object');
  return normalizeMetadata(resource, object['metadata']);
}

function dropNulls(object: Unstructured): void {
  for (const [member, value] of Object.entries(object)) {
    if (value === null && !Array.isArray(object)) delete object[member];
    else if (value !== null && typeof value === 'object') dropNulls(value);
  }
}

function normalizeMetadata(resource: Resource, metadata: Unstructured): string[] {
  const unknown: string[] = [];
  for (const [member, value] of Object.entries(metadata)) {
    if (!members.has(member)) {
      unknown.push(`metadata.${member}`);
      delete metadata[member];
    } else if (value === null || value === undefined || member === 'selfLink') delete metadata[member];
  }
  const reject = (member: string, type: string) => cannotHandle(resource, `metadata.${member} must be ${type}`);
  for (const member of ['name', 'generateName', 'namespace', 'uid', 'resourceVersion']) {
    if (metadata[member] !== undefined && typeof metadata[member] !== 'string') throw reject(member, 'a string');
    if (metadata[member] === '') delete metadata[member];
  }
  for (const member of ['labels', 'annotations']) {
    const map = metadata[member];
    if (map === undefined) continue;
    if (!isObject(map)) throw reject(member, 'a map of strings');
    for (const [key, value] of Object.entries(map)) {
      if (value === null) map[key] = '';
      else if (typeof value !== 'string') throw reject(`${member}.${key}`, 'a string');
    }
    if (Object.keys(map).length === 0) delete metadata[member];
  }
  for (const member of ['finalizers', 'ownerReferences', 'managedFields']) {
    if (metadata[member] === undefined) continue;
    if (!Array.isArray(metadata[member])) throw reject(member, 'an array');
    if (metadata[member].length === 0 && member !== 'managedFields') delete metadata[member];
  }
  if (metadata['ownerReferences']?.some((owner: unknown) => !isObject(owner)))
    throw reject('ownerReferences', 'an array of objects');
  return unknown;
}

/** 400 for a body that cannot be decoded as the resource's kind. */
export const cannotHandle = (resource: Resource, why: string) =>
  badRequest(`${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`);

/** Metadata that only the server sets: taken over from the stored object. */
export function carryOver(metadata: Unstructured, old: Unstructured): void {
  for (const member of [
    'uid',
    'resourceVersion',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generation',
    'generateName',
  ]) {
    if (old[member] === undefined) delete metadata[member];
    else metadata[member] = old[member];
  }
}

/** Finalizers may only go once an object is being deleted. */
export function finalizerCauses(metadata: Unstructured, old: Unstructured): Cause[] {
  if (!old['deletionTimestamp']) return [];
  const known = new Set(old['finalizers'] ?? []);
  const added = (metadata['finalizers'] ?? []).filter((finalizer: string) => !known.has(finalizer));
  if (added.length === 0) return [];
  const listed = added.map((finalizer: string) => `"${finalizer}"`).join(', ');
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`,
    ),
  ];
}
