import type { AttachmentRole } from '../attachments/attachment-index.ts';
import type { AttachmentReference } from '../attachments/attachment-reference.ts';
import type { Machine } from '../attachments/machine.ts';
import type { Binding, Identity, Pod } from '../objects.ts';
import type { Verification } from '../verification/identity-verifier.ts';
import type { WindowUse } from './availability-windows.ts';

/** One identity that one pod needs. */
export interface Desired {
  /** Namespace and name of the AzureAssignedIdentity. */
  readonly key: string;
  readonly pod: Pod;
  readonly binding: Binding;
  readonly identity: Identity;
  readonly node: string;
  /** Type 0 only: the machine to attach the identity to; undefined while the node names none. */
  readonly machine: Machine | undefined;
  readonly reference: AttachmentReference | undefined;
  readonly region: string;
  /** Whether an identity has to be attached to a machine (type 0). */
  readonly attachable: boolean;
  /** Never refused: no pod may have such an identity. */
  readonly verification: Exclude<Verification, { state: 'refused' }>;
  /** The requirement of the windows of its bindings. */
  readonly windows: WindowUse;
  /** The former identity of the pod in this process, which stays attached until this one is. */
  readonly replaces: AttachmentReference | undefined;
}

/**
 * The attachment references of an assignment, and the role of each. Its identity is not attached before the
 * verification has its client id.
 */
export function rolesOf({
  reference,
  replaces,
  windows,
  verification,
}: Desired): [AttachmentReference, AttachmentRole][] {
  const role = windows === 'attach' && verification.state === 'verified' ? 'attach' : 'keep';
  return [
    ...(reference && windows !== 'none' ? [[reference, role] satisfies [AttachmentReference, AttachmentRole]] : []),
    ...(replaces ? [[replaces, 'keep'] satisfies [AttachmentReference, AttachmentRole]] : []),
  ];
}
