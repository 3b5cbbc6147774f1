import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';

/**
 * One user-assigned identity on one machine. Both ARM ids are normalised, so that equal references have equal texts.
 */
export interface AttachmentReference {
  /** ARM id of the virtual machine or scale set. */
  readonly machine: string;
  /** ARM id of the identity. */
  readonly identity: string;
}

/** The reference of two ARM ids in any letter case. */
export function attachmentReference(machine: string, identity: string): AttachmentReference {
  return { machine: normalizeResourceId(machine), identity: normalizeResourceId(identity) };
}

/** Whether both name the same identity on the same machine; false where either is undefined. */
export function sameReference(a: AttachmentReference | undefined, b: AttachmentReference | undefined): boolean {
  return a !== undefined && b !== undefined && a.machine === b.machine && a.identity === b.identity;
}
