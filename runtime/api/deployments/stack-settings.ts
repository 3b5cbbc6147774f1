import type { XStatic } from 'typebox/schema';
import type { StructuralSchema } from '../schema/structural-schema.ts';

const action = (description: string) =>
  ({ type: 'string', enum: ['delete', 'detach'], description }) as const satisfies StructuralSchema;

/** The member `actionOnUnmanage` of a deployment, in the words of Azure's deployment stacks. */
export const unmanageSchema = {
  type: 'object',
  description:
    'What happens to objects that left the template, and to all of them when the deployment is deleted: delete removes the ' +
    'resource in Azure, detach keeps it there without an object. When absent, all are deleted.',
  required: ['resources'],
  'x-kubernetes-validations': [
    {
      rule: "!has(self.resourceGroups) || self.resourceGroups == 'detach' || self.resources == 'delete'",
      message: 'resourceGroups: delete takes all resources of a group along: set resources: delete too',
    },
  ],
  properties: {
    managementGroups: action('Of management groups. detach when absent.'),
    resourceGroups: action('Of resource groups, with all that is in them. detach when absent.'),
    resources: action('Of all other resources.'),
    resourcesWithoutDeleteSupport: {
      type: 'string',
      enum: ['detach', 'fail'],
      description:
        'Of resources that are to be deleted, and whose type Azure cannot delete: fail waits until they go with their ' +
        'owner. fail when absent.',
    },
  },
} as const satisfies StructuralSchema;
/** What happens to objects that left the template. */
export type UnmanageSettings = XStatic<typeof unmanageSchema>;

/** Why no other mode of `denySettings` is taken. */
export const denyReason =
  'deny settings are not supported: Azure has them for its own deployment stacks alone. Declare a lock ' +
  '(Microsoft.Authorization/locks) in the template, or grant people less in Azure';

/** The member `denySettings` of a deployment: Azure's deployment stacks have it, and it is refused with the reason. */
export const denySchema = {
  type: 'object',
  description: 'Deny settings of deployment stacks. They are not supported: mode none alone is taken.',
  required: ['mode'],
  'x-kubernetes-preserve-unknown-fields': true,
  'x-kubernetes-validations': [{ rule: "self.mode == 'none'", message: denyReason }],
  properties: {
    mode: { type: 'string', enum: ['none', 'denyDelete', 'denyWriteAndDelete'], description: 'none alone is taken.' },
  },
} as const satisfies StructuralSchema;
