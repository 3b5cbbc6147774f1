import type { XStatic } from 'typebox/schema';
import { readyColumns } from '../arm-kind.ts';
import {
  armIdPattern,
  conditionsSchema,
  destinationSchema,
  exportExpressionsSchema,
  type KeyVaultDestination,
  keyVaultSchemaWith,
  maxExpressionLength,
  referenceSchema,
} from '../common-schemas.ts';
import { atMostOne, exactlyOne } from '../exclusion.ts';
import { azureNameStays, staysOptional } from '../schema/immutability.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { KindDefinition } from '../types.ts';
import { bodySecrets } from './body-secrets.ts';

const valuePath = {
  type: 'string',
  description: 'Path in the answer: member.member, list[0], list[?member==value].',
  minLength: 1,
  maxLength: 1024,
} as const satisfies StructuralSchema;

const action = {
  action: {
    type: 'string',
    description: 'POST action that answers with the value, such as listKeys; the resource itself when absent.',
    pattern: '^[A-Za-z0-9][A-Za-z0-9_./-]*$',
    maxLength: 256,
  },
  actionBody: {
    type: 'object',
    description: 'Body of the action.',
    'x-kubernetes-preserve-unknown-fields': true,
  },
  path: valuePath,
} as const satisfies Record<string, StructuralSchema>;

const secrets = {
  type: 'array',
  description: 'Values to write into Secrets.',
  'x-kubernetes-list-type': 'atomic',
  items: {
    type: 'object',
    required: ['key', 'name', 'path'],
    properties: {
      ...destinationSchema.properties,
      ...action,
    },
  },
} as const satisfies StructuralSchema;
/** A value that an AzureResource exports to a Secret (`spec.operatorSpec.secrets`). */
export type ArmResourceSecret = XStatic<typeof secrets.items>;

const vaultSecrets = {
  type: 'array',
  description: 'The values to write, each under its key.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['key'],
  items: {
    type: 'object',
    required: ['key', 'path'],
    properties: {
      key: { type: 'string', description: 'Key of the value.', pattern: '^[0-9A-Za-z-]+$', maxLength: 63 },
      ...action,
    },
  },
} as const satisfies StructuralSchema;
/** A value that an AzureResource exports to a Key Vault secret (`spec.operatorSpec.keyVault.secrets`). */
export type ArmResourceVaultSecret = XStatic<typeof vaultSecrets.items>;

const configMaps = {
  type: 'array',
  description: 'Values of the resource to write into ConfigMaps.',
  'x-kubernetes-list-type': 'atomic',
  items: {
    type: 'object',
    required: ['key', 'name', 'path'],
    properties: { ...destinationSchema.properties, path: valuePath },
  },
} as const satisfies StructuralSchema;

const keyVault = keyVaultSchemaWith({ secrets: vaultSecrets });

const ownerOrScope = atMostOne(['owner', 'scope']);
const ownerForm = exactlyOne([['name'], ['armId']]);

const armResourceSpec = {
  type: 'object',
  description: 'The wanted state.',
  required: ['type'],
  'x-kubernetes-validations': [ownerOrScope.cel],
  withoutCel: ownerOrScope.structural,
  properties: {
    azureName: {
      type: 'string',
      description: 'Name in Azure; metadata.name when absent.',
      minLength: 1,
      maxLength: 260,
    },
    body: {
      type: 'object',
      description: 'The resource as ARM or Bicep has it: location, tags, sku, properties and so on, without name.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    bodySecrets,
    operatorSpec: {
      type: 'object',
      description: 'What the operator writes for others to read; nothing of it is sent to Azure Resource Manager.',
      properties: {
        configMapExpressions: { ...exportExpressionsSchema, description: 'Computed values to write into ConfigMaps.' },
        configMaps,
        keyVault,
        secretExpressions: { ...exportExpressionsSchema, description: 'Computed values to write into Secrets.' },
        secrets,
      },
    },
    owner: {
      ...referenceSchema,
      description:
        'The resource this one lives in: name (of a ResourceGroup unless group and kind are given) or armId.',
      'x-kubernetes-validations': [
        ownerForm.cel,
        { rule: 'has(self.group) == has(self.kind)', message: 'set both or none of group and kind' },
        { rule: '!has(self.armId) || !has(self.kind)', message: 'group and kind go with name, not with armId' },
      ],
      withoutCel: ownerForm.structural,
    },
    readyWhen: {
      type: 'string',
      description: "CEL over `self`, Azure's answer; true means ready. By provisioningState when absent.",
      minLength: 1,
      maxLength: maxExpressionLength,
    },
    scope: {
      type: 'string',
      description:
        'ARM id of the scope, or / for the tenant; the subscription of the credential when neither owner nor scope is set.',
      pattern: `${armIdPattern}|^/$`,
      maxLength: 2048,
    },
    type: {
      type: 'string',
      description: 'Type and version, such as Microsoft.Web/staticSites@2023-12-01.',
      pattern: '^[A-Za-z0-9]+(\\.[A-Za-z0-9]+)+(/[A-Za-z0-9._-]+)+@[0-9]{4}-[0-9]{2}-[0-9]{2}(-[A-Za-z0-9.]+)?$',
      maxLength: 512,
    },
  },
} as const satisfies StructuralSchema;
type WrittenSpec = XStatic<typeof armResourceSpec>;
/** The spec of an AzureResource, as manifests write it. */
export type ArmResourceSpec = Omit<WrittenSpec, 'operatorSpec'> & {
  operatorSpec?: Omit<NonNullable<WrittenSpec['operatorSpec']>, 'keyVault'> & {
    keyVault?: KeyVaultDestination & { secrets?: ArmResourceVaultSecret[] };
  };
};

const armResourceStatus = {
  type: 'object',
  description: 'Conditions, and the resource as Azure described it last.',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    conditions: conditionsSchema,
    id: { type: 'string', description: 'ARM id, set once Azure has the resource.' },
    resource: { type: 'object', description: "Azure's answer.", 'x-kubernetes-preserve-unknown-fields': true },
  },
} as const satisfies StructuralSchema;
/** The status of an AzureResource, as the operator writes it. */
export type ArmResourceStatus = XStatic<typeof armResourceStatus>;

/** Any ARM resource whose type has no kind of its own. */
export const armResource: KindDefinition = {
  group: 'azimuth.dev',
  kind: 'ArmResource',
  plural: 'armresources',
  singular: 'armresource',
  shortNames: ['arm'],
  categories: ['azure', 'azimuth'],
  namespaced: true,
  versions: [{ name: 'v1alpha1' }],
  description: 'A resource of any ARM type, its body written as in ARM templates or Bicep.',
  schema: {
    type: 'object',
    required: ['spec'],
    'x-kubernetes-validations': [azureNameStays, staysOptional('owner'), staysOptional('scope')],
    properties: { spec: armResourceSpec, status: armResourceStatus },
  },
  printerColumns: [{ name: 'Type', type: 'string', jsonPath: '.spec.type' }, ...readyColumns],
  statusSubresource: true,
};
