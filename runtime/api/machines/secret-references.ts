import type { XStatic } from 'typebox/schema';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** How a ManagedSecret reaches a machine. */
export const deliveries = ['OsProfile', 'VaultExtension', 'VMAccess', 'Endpoint', 'Identity'] as const;
/** One of `deliveries`. */
export type Delivery = (typeof deliveries)[number];

/** ARM types whose kinds take `operatorSpec.managedSecrets`. */
export const machineTypes: readonly string[] = [
  'Microsoft.Compute/virtualMachines',
  'Microsoft.Compute/virtualMachineScaleSets',
];

/** Schema of `operatorSpec.managedSecrets` of machines. */
export const managedSecretReferencesSchema = {
  type: 'array',
  description: 'ManagedSecrets of this namespace that the machine gets, each as the version in its own region.',
  'x-kubernetes-list-type': 'atomic',
  maxItems: 50,
  items: {
    type: 'object',
    required: ['delivery', 'managedSecret'],
    properties: {
      certificateStore: {
        type: 'string',
        description: 'Store of the certificate on Windows, such as My.',
        pattern: '^[A-Za-z0-9]+$',
        maxLength: 64,
      },
      delivery: { type: 'string', description: 'How it gets there.', enum: deliveries },
      managedSecret: { type: 'string', description: 'Name of the ManagedSecret.', minLength: 1, maxLength: 253 },
    },
  },
} as const satisfies StructuralSchema;
/** One entry of `operatorSpec.managedSecrets`. */
export type ManagedSecretReference = XStatic<typeof managedSecretReferencesSchema.items>;
