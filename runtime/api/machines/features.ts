import type { XStatic } from 'typebox/schema';
import { readyColumns } from '../arm-kind.ts';
import { conditionMembers } from '../common-schemas.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { locationSchema, objectNameSchema, subscriptionSchema } from './common.ts';
import { machineKind } from './machine-kind.ts';

/** The feature that gates managed secrets, where the operator's flag names no feature of Azure. */
export const managedSecretsFeature = 'azimuth.dev/ManagedSecrets';

const featurePattern = /^[A-Za-z][A-Za-z0-9.]{1,126}\/[A-Za-z0-9._-]{1,127}$/;

/** Whether a text is a feature as namespace/name. */
export function isFeatureName(text: string): boolean {
  return featurePattern.test(text);
}

/** States of a feature, as Microsoft.Features writes them. */
export const featureStates = [
  'NotSpecified',
  'NotRegistered',
  'Pending',
  'Registering',
  'Registered',
  'Unregistering',
  'Unregistered',
] as const;

const registrationSpec = {
  type: 'object',
  description: 'Which feature of which subscription; neither can change.',
  required: ['feature', 'subscription'],
  'x-kubernetes-validations': [
    {
      rule: 'self.subscription == oldSelf.subscription && self.feature == oldSelf.feature',
      message: 'subscription and feature cannot change: make another object',
    },
  ],
  properties: {
    feature: {
      type: 'string',
      description: `Namespace and name, such as Microsoft.Compute/EncryptionAtHost, or ${managedSecretsFeature}.`,
      pattern: featurePattern.source.replace('\\/', '/'),
      maxLength: 256,
    },
    locations: {
      type: 'array',
      description: 'Regions in which the provider has to be registered; every region when absent.',
      'x-kubernetes-list-type': 'set',
      maxItems: 100,
      items: locationSchema,
    },
    subscription: subscriptionSchema,
  },
} as const satisfies StructuralSchema;
/** The spec of a FeatureRegistration. */
export type FeatureRegistrationSpec = XStatic<typeof registrationSpec>;

const registrationStatus = {
  type: 'object',
  description: "The feature's state in Azure, and whether its owner consents.",
  properties: {
    approvedBy: { type: 'string', description: 'Name of the FeatureApproval in force.' },
    approver: {
      type: 'string',
      description:
        'User name in spec.approvedBy of that FeatureApproval; marked unverified where no admission policy checked it.',
    },
    ...conditionMembers,
    providerState: { type: 'string', description: 'registrationState of the resource provider.' },
    state: {
      type: 'string',
      description: "Azure's state; Registered for a feature of Azimuth's own.",
      enum: featureStates,
    },
  },
} as const satisfies StructuralSchema;
/** The status of a FeatureRegistration. */
export type FeatureRegistrationStatus = XStatic<typeof registrationStatus>;

/** The registration of a feature in a subscription. */
export const featureRegistration = machineKind({
  kind: 'FeatureRegistration',
  shortName: 'featreg',
  namespaced: false,
  description: 'Registers a preview feature in a subscription once its owner has approved it.',
  spec: registrationSpec,
  status: registrationStatus,
  printerColumns: [
    { name: 'Subscription', type: 'string', jsonPath: '.spec.subscription' },
    { name: 'Feature', type: 'string', jsonPath: '.spec.feature' },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
    { name: 'Approver', type: 'string', jsonPath: '.status.approver', priority: 1 },
    ...readyColumns,
  ],
});

const approvalSpec = {
  type: 'object',
  description: 'What is approved, and for how long.',
  required: ['for'],
  properties: {
    approvedBy: {
      type: 'string',
      description: 'User name of whoever creates the object; an admission policy of Azimuth refuses every other name.',
      maxLength: 253,
    },
    for: {
      type: 'object',
      description: 'The FeatureRegistration that is approved.',
      required: ['name'],
      properties: { name: objectNameSchema },
    },
    note: { type: 'string', description: 'For people: who asked, and why.', maxLength: 1024 },
    until: { type: 'string', format: 'date-time', description: 'End of the approval; it does not end when absent.' },
  },
} as const satisfies StructuralSchema;
const approvalStatus = {
  type: 'object',
  description: 'Whether the approval is in force.',
  properties: {
    approver: {
      type: 'string',
      description: 'spec.approvedBy; marked unverified where no admission policy checked it.',
    },
    ...conditionMembers,
  },
} as const satisfies StructuralSchema;
/** The status of a FeatureApproval. */
export type FeatureApprovalStatus = XStatic<typeof approvalStatus>;

/** The spec of a FeatureApproval. */
export type FeatureApprovalSpec = XStatic<typeof approvalSpec>;

/** The consent of a subscription's owner; RBAC decides who may create it. */
export const featureApproval = machineKind({
  kind: 'FeatureApproval',
  shortName: 'featok',
  namespaced: false,
  description: "The consent of a subscription's owner to the use of a feature.",
  spec: approvalSpec,
  status: approvalStatus,
  printerColumns: [
    { name: 'For', type: 'string', jsonPath: '.spec.for.name' },
    { name: 'Until', type: 'string', jsonPath: '.spec.until' },
    { name: 'Approver', type: 'string', jsonPath: '.status.approver', priority: 1 },
    { name: 'Note', type: 'string', jsonPath: '.spec.note', priority: 1 },
    ...readyColumns,
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
