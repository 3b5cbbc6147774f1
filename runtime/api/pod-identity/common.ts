/** Members that the four kinds of AAD Pod Identity share. */
import type { XStatic } from 'typebox/schema';
import { conditionMembers } from '../common-schemas.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** API group of the kinds of pod identity, as aad-pod-identity has it. */
export const group = 'aadpodidentity.k8s.io';

/** Groups below k8s.io need this annotation on a CRD; upstream never had an approval. */
export const unapproved = { 'api-approved.kubernetes.io': 'unapproved' } as const;

/** Upstream's Go types leave a `metadata` with nothing in it in every spec and status. */
export const legacyMetadata = {
  type: 'object',
  description: 'Left by old tools; not read.',
} as const satisfies StructuralSchema;

/**
 * Longest texts in the specs: every node daemon keeps these objects of all namespaces in memory. Upstream has no limit; what
 * is longer was never of use.
 */
export const mostText = 2048;
/** Longest name of an object, and longest id of a client or a tenant. */
export const mostName = 253;

/** Schema of `spec.replicas`, which aad-pod-identity has and does not read. */
export const replicas = {
  type: 'integer',
  format: 'int32',
  nullable: true,
  description: 'Not read.',
} as const satisfies StructuralSchema;

/** Schema of the status of an AzureIdentity, and of an AzureIdentityBinding. */
export const podIdentityStatus = {
  type: 'object',
  description: 'Conditions found by the identity controller.',
  properties: {
    availableReplicas: { type: 'integer', format: 'int32', description: 'Not written.' },
    ...conditionMembers,
    metadata: legacyMetadata,
  },
} as const satisfies StructuralSchema;
/** The status of an AzureIdentity, and of an AzureIdentityBinding. */
export type PodIdentityStatus = XStatic<typeof podIdentityStatus>;
