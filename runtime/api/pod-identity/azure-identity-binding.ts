import type { XStatic } from 'typebox/schema';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { KindDefinition } from '../types.ts';
import { volumePolicy } from '../volumes/policy.ts';
import { group, legacyMetadata, mostName, podIdentityStatus, unapproved } from './common.ts';

/** When a binding may be used. An addition: without it a binding holds always. */
const availability = {
  type: 'object',
  description: 'When the identity may be used; always when absent.',
  'x-kubernetes-validations': [
    {
      rule: '!has(self.notBefore) || !has(self.notAfter) || self.notBefore < self.notAfter',
      message: 'notBefore must be earlier than notAfter',
    },
  ],
  properties: {
    notAfter: { type: 'string', format: 'date-time', description: 'No token from this moment on.' },
    notBefore: { type: 'string', format: 'date-time', description: 'No token before this moment.' },
    timeZone: {
      type: 'string',
      description: 'IANA name of the zone that the schedules are read in; UTC when absent.',
      minLength: 1,
      maxLength: 64,
    },
    windows: {
      type: 'array',
      description: 'Within notBefore and notAfter, only these recurring windows; all the time when absent.',
      'x-kubernetes-list-type': 'atomic',
      minItems: 1,
      maxItems: 64,
      items: {
        type: 'object',
        required: ['duration', 'schedule'],
        properties: {
          duration: {
            type: 'string',
            description: 'How long a window stays open, such as 1h or 90m.',
            pattern: '^([0-9]+(h|m|s))+$',
            maxLength: 32,
          },
          schedule: {
            type: 'string',
            description: 'When a window opens, as the five fields of cron.',
            pattern: '^(@[a-z]+|\\S+(\\s+\\S+){4})$',
            maxLength: 256,
          },
        },
      },
    },
  },
} as const satisfies StructuralSchema;
/** When a binding may be used (`spec.availability`). */
export type Availability = XStatic<typeof availability>;

/** Schema of the spec of an AzureIdentityBinding. */
export const azureIdentityBindingSpec = {
  type: 'object',
  description: 'Which pods get which identity.',
  properties: {
    availability,
    azureIdentity: {
      type: 'string',
      description: "Name of an AzureIdentity in the binding's namespace.",
      maxLength: mostName,
    },
    metadata: legacyMetadata,
    selector: {
      type: 'string',
      description: 'Value of the pod label aadpodidbinding; a plain value, no selector.',
      maxLength: mostName,
    },
    volumes: volumePolicy,
    weight: {
      type: 'integer',
      description: 'Of several bindings that fit a request, the one with the highest weight decides; 0 when absent.',
    },
  },
} as const satisfies StructuralSchema;
/** The spec of an AzureIdentityBinding. */
export type AzureIdentityBindingSpec = XStatic<typeof azureIdentityBindingSpec>;

/** Has a status subresource for the reason AzureIdentity has one. */
export const azureIdentityBinding: KindDefinition = {
  group,
  kind: 'AzureIdentityBinding',
  plural: 'azureidentitybindings',
  singular: 'azureidentitybinding',
  shortNames: [],
  categories: ['azure'],
  namespaced: true,
  versions: [{ name: 'v1' }],
  description: 'Gives an AzureIdentity to the pods that carry a label value.',
  schema: { type: 'object', properties: { spec: azureIdentityBindingSpec, status: podIdentityStatus } },
  printerColumns: [
    { name: 'AzureIdentity', type: 'string', jsonPath: '.spec.azureIdentity' },
    { name: 'Selector', type: 'string', jsonPath: '.spec.selector' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusSubresource: true,
  annotations: unapproved,
};
