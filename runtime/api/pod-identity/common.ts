/** What the four kinds of AAD Pod Identity share. Source: facts on pod identity, section 2. */
import type { StructuralSchema } from '../schema/structural-schema.ts';

export const group = 'aadpodidentity.k8s.io';

/** Groups below k8s.io need this annotation on a CRD; upstream never had an approval. */
export const unapproved = { 'api-approved.kubernetes.io': 'unapproved' } as const;

/** Upstream's Go types leave a `metadata` with nothing in it in every spec and status. */
export const legacyMetadata = {
  type: 'object',
  description: 'Left by old tools; not read.',
} as const satisfies StructuralSchema;

export const replicas = {
  type: 'integer',
  format: 'int32',
  nullable: true,
  description: 'Not read.',
} as const satisfies StructuralSchema;
