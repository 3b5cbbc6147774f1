import { armIdPattern, referenceExclusion, referenceSchema } from '../common-schemas.ts';
import { withExclusions } from '../exclusion.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** The group of the kinds that Azimuth defines itself. */
export const machinesGroup = 'azimuth.dev';

/** A duration in Go's notation: 720h, 1h30m, 90s. */
export const durationSchema = {
  type: 'string',
  pattern: '^([0-9]{1,6}(h|m|s)){1,3}$',
  maxLength: 24,
} as const satisfies StructuralSchema;

const vaultIdPattern =
  '(?i)^/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft.keyvault/vaults/[0-9a-z-]{3,24}$';

/** A Key Vault: its ARM id, or the name of a Vault object of this namespace. */
export const vaultReferenceSchema = withExclusions(
  {
    ...referenceSchema,
    description: 'The Key Vault, as an object of this namespace or by its armId.',
    properties: {
      ...referenceSchema.properties,
      armId: { ...referenceSchema.properties.armId, pattern: vaultIdPattern },
      group: { ...referenceSchema.properties.group, enum: ['keyvault.azure.com'] },
      kind: { ...referenceSchema.properties.kind, enum: ['Vault'] },
    },
  },
  [referenceExclusion],
);

/** Any Azure resource: its ARM id, or the group, kind and name of its object in this namespace. */
export const resourceReferenceSchema = (description: string): StructuralSchema =>
  withExclusions(
    {
      ...referenceSchema,
      description,
      properties: {
        ...referenceSchema.properties,
        armId: { ...referenceSchema.properties.armId, pattern: armIdPattern },
      },
    },
    [referenceExclusion],
  );

/** A subscription of Azure, in lower case. */
export const subscriptionSchema = {
  type: 'string',
  description: 'Id of the subscription, in lower case.',
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  maxLength: 36,
} as const satisfies StructuralSchema;

/** The name of an object of Kubernetes. Names are pasted: blanks and line feeds around one are refused where it is written. */
export const objectNameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
} as const satisfies StructuralSchema;

/** An Azure region as ARM writes it: westeurope. */
export const locationSchema = {
  type: 'string',
  description: 'Azure region in lower case, such as westeurope.',
  pattern: '^[a-z][a-z0-9]{1,62}$',
  maxLength: 63,
} as const satisfies StructuralSchema;
