import type { KubeObject } from '../../kube/client/types.ts';

/** Prefix of the unique names of the operator's groups. */
const prefix = 'azimuth-';
const uid = /^azimuth-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The unique name in the directory of the group that the operator creates for an object. */
export function uniqueGroupName({ metadata }: KubeObject): string {
  return `${prefix}${metadata.uid ?? ''}`;
}

/** Whether a name in an id is such a unique name; others are object ids. */
export function isUniqueGroupName(name: string): boolean {
  return uid.test(name);
}

/** The last segment of the operator's own id for a group: the same for every object that would manage the group. */
export function groupSegment({ id, uniqueName }: { readonly id: string; readonly uniqueName: string | null }): string {
  return uniqueName !== null && isUniqueGroupName(uniqueName) ? uniqueName.toLowerCase() : id.toLowerCase();
}
