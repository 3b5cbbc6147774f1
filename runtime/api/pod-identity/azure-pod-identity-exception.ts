import type { XStatic } from 'typebox/schema';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { KindDefinition } from '../types.ts';
import { group, legacyMetadata, unapproved } from './common.ts';

const azurePodIdentityExceptionSpec = {
  type: 'object',
  description: 'Which pods are excepted.',
  properties: {
    metadata: legacyMetadata,
    podLabels: {
      type: 'object',
      description: 'A pod of this namespace with any one of these labels is excepted; values ignore case.',
      additionalProperties: { type: 'string' },
    },
  },
} as const satisfies StructuralSchema;
/** The spec of an AzurePodIdentityException. */
export type AzurePodIdentityExceptionSpec = XStatic<typeof azurePodIdentityExceptionSpec>;

/** Nothing ever writes its status, so it has no status subresource, like upstream. */
export const azurePodIdentityException: KindDefinition = {
  group,
  kind: 'AzurePodIdentityException',
  plural: 'azurepodidentityexceptions',
  singular: 'azurepodidentityexception',
  shortNames: [],
  categories: ['azure'],
  namespaced: true,
  versions: [{ name: 'v1' }],
  description: "Pods whose token requests go to the node's own metadata endpoint.",
  schema: {
    type: 'object',
    properties: {
      spec: azurePodIdentityExceptionSpec,
      status: {
        type: 'object',
        description: 'Not written.',
        properties: { metadata: legacyMetadata, status: { type: 'string', description: 'Not read.' } },
      },
    },
  },
  printerColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
  statusSubresource: false,
  annotations: unapproved,
};
