import type { XStatic } from 'typebox/schema';
import { atMostOne, withExclusions } from '../exclusion.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { KindDefinition } from '../types.ts';
import { group, legacyMetadata, mostName, mostText, podIdentityStatus, replicas, unapproved } from './common.ts';

/** Values of `spec.type`. Upstream's schema takes any integer, so ours does; NMI refuses unknown values. */
export const identityType = {
  userAssigned: 0,
  servicePrincipal: 1,
  servicePrincipalCertificate: 2,
  /** The pod's own service account token, exchanged at Microsoft Entra ID. An addition. */
  workloadFederation: 3,
} as const;

/** Schema of the spec of an AzureIdentity, with the members of aad-pod-identity v1. */
export const azureIdentitySpec = {
  type: 'object',
  description: 'The identity.',
  properties: {
    adEndpoint: {
      type: 'string',
      description: 'Authority of Microsoft Entra ID for types 1 to 3; that of the cloud when absent.',
      maxLength: mostText,
    },
    adResourceID: { type: 'string', description: 'Not read.', maxLength: mostText },
    auxiliaryTenantIDs: {
      type: 'array',
      nullable: true,
      description: 'One to three further tenants; type 1 only.',
      maxItems: 20,
      items: { type: 'string', maxLength: mostName },
    },
    clientID: {
      type: 'string',
      description: 'Client id of the identity; that of identityRef when absent.',
      maxLength: mostName,
    },
    clientPassword: {
      type: 'object',
      description: 'Secret, in any namespace, that holds the client secret or the certificate; types 1 and 2.',
      properties: { name: { type: 'string', maxLength: mostName }, namespace: { type: 'string', maxLength: mostName } },
    },
    identityRef: {
      type: 'object',
      description: 'UserAssignedIdentity in this namespace whose ids the identity takes; types 0 and 3.',
      required: ['name'],
      properties: { name: { type: 'string', description: 'Name of the object.', minLength: 1, maxLength: 253 } },
    },
    metadata: legacyMetadata,
    replicas,
    resourceID: {
      type: 'string',
      description: 'ARM id of the user-assigned identity; type 0 only. Not beside identityRef.',
      maxLength: mostText,
    },
    tenantID: {
      type: 'string',
      description: 'Tenant of Microsoft Entra ID; types 1 to 3. That of identityRef when absent.',
      maxLength: mostName,
    },
    type: {
      type: 'integer',
      description:
        '0 user-assigned identity (also when absent), 1 client secret, 2 client certificate, 3 workload federation.',
    },
  },
} as const satisfies StructuralSchema;
/** `auxiliaryTenantIDs` may be null, as old tools wrote it. */
export type AzureIdentitySpec = Omit<XStatic<typeof azureIdentitySpec>, 'auxiliaryTenantIDs' | 'replicas'> & {
  auxiliaryTenantIDs?: string[] | null;
  replicas?: number | null;
};

/**
 * Has a status subresource, which upstream has not: nothing upstream writes this status, and so conditions can be
 * written without the right to write identities.
 */
export const azureIdentity: KindDefinition = {
  group,
  kind: 'AzureIdentity',
  plural: 'azureidentities',
  singular: 'azureidentity',
  shortNames: [],
  categories: ['azure'],
  namespaced: true,
  versions: [{ name: 'v1' }],
  description: 'An identity of Azure that pods may be given by a binding.',
  schema: {
    type: 'object',
    properties: {
      // Not in the copies of AzureAssignedIdentities, which have the reference and the ids that it gave.
      spec: withExclusions(azureIdentitySpec, [atMostOne(['identityRef', 'resourceID'])]),
      status: podIdentityStatus,
    },
  },
  printerColumns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'ClientID', type: 'string', jsonPath: '.spec.clientID' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusSubresource: true,
  annotations: unapproved,
};
