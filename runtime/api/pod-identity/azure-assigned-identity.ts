import type { XStatic } from 'typebox/schema';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { KindDefinition } from '../types.ts';
import { type AzureIdentitySpec, azureIdentitySpec } from './azure-identity.ts';
import { type AzureIdentityBindingSpec, azureIdentityBindingSpec } from './azure-identity-binding.ts';
import { group, legacyMetadata, podIdentityStatus, replicas, unapproved } from './common.ts';

const azureAssignedIdentitySpec = {
  type: 'object',
  description: 'One identity for one pod.',
  properties: {
    azureBindingRef: {
      type: 'object',
      description: 'Copy of the binding that matched.',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: azureIdentityBindingSpec, status: podIdentityStatus },
    },
    azureIdentityRef: {
      type: 'object',
      description: 'Copy of the identity.',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: azureIdentitySpec, status: podIdentityStatus },
    },
    metadata: legacyMetadata,
    nodename: { type: 'string', description: 'Node the pod runs on.' },
    pod: { type: 'string', description: 'Name of the pod.' },
    podNamespace: { type: 'string', description: 'Namespace of the pod.' },
    replicas,
  },
} as const satisfies StructuralSchema;

/** An object copied into another, with the metadata it had. */
export interface Embedded<Spec> {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; resourceVersion?: string; annotations?: Record<string, string> };
  spec: Spec;
}
/** The spec of an AzureAssignedIdentity; it embeds the binding and the identity. */
export interface AzureAssignedIdentitySpec
  extends Omit<XStatic<typeof azureAssignedIdentitySpec>, 'azureIdentityRef' | 'azureBindingRef' | 'replicas'> {
  azureIdentityRef?: Embedded<AzureIdentitySpec>;
  azureBindingRef?: Embedded<AzureIdentityBindingSpec>;
  replicas?: number | null;
}

const azureAssignedIdentityStatus = {
  type: 'object',
  description: 'How far the assignment is.',
  properties: {
    availableReplicas: { type: 'integer', format: 'int32', description: '1 once written.' },
    metadata: legacyMetadata,
    status: { type: 'string', description: 'Created, Assigned or Unassigned; empty from releases before 1.5.' },
  },
} as const satisfies StructuralSchema;
/** The status of an AzureAssignedIdentity. */
export type AzureAssignedIdentityStatus = XStatic<typeof azureAssignedIdentityStatus>;

/**
 * Has no status subresource, like upstream: MIC and NMI of AAD Pod Identity, which may run beside Azimuth during a
 * migration, write status with the object itself and would be ignored.
 */
export const azureAssignedIdentity: KindDefinition = {
  group,
  kind: 'AzureAssignedIdentity',
  plural: 'azureassignedidentities',
  singular: 'azureassignedidentity',
  shortNames: [],
  categories: ['azure'],
  namespaced: true,
  versions: [{ name: 'v1' }],
  description: 'An identity as given to one pod. Written by the identity controller, not by people.',
  schema: { type: 'object', properties: { spec: azureAssignedIdentitySpec, status: azureAssignedIdentityStatus } },
  printerColumns: [
    { name: 'Namespace', type: 'string', jsonPath: '.spec.podNamespace' },
    { name: 'Pod', type: 'string', jsonPath: '.spec.pod' },
    { name: 'AzureIdentity', type: 'string', jsonPath: '.spec.azureIdentityRef.metadata.name' },
    { name: 'Node', type: 'string', jsonPath: '.spec.nodename' },
    { name: 'Status', type: 'string', jsonPath: '.status.status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusSubresource: false,
  annotations: unapproved,
};
