import type { XStatic } from 'typebox/schema';
import { armIdPattern } from '../common-schemas.ts';
import { exactlyOne } from '../exclusion.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** Entries of `spec.bodySecrets`, and Secrets of one entry. */
const maxBodySecrets = 100;
const maxSecretsOfEntry = 20;

const oneSource = exactlyOne([['key', 'name'], ['azure'], ['keyVault'], ['managedSecret']]);

const azureAnswer = {
  type: 'object',
  description: "Azure's answer about a resource, read with the credential of this object when the body is sent.",
  required: ['apiVersion', 'id'],
  properties: {
    action: {
      type: 'string',
      description: 'POST action that only lists, such as listKeys; the resource itself when absent.',
      pattern: '^[Ll]ist[A-Za-z]{0,60}$',
      maxLength: 64,
    },
    actionBody: {
      type: 'object',
      description: 'Body of the action.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    apiVersion: { type: 'string', description: 'Version of the request.', minLength: 1, maxLength: 64 },
    id: { type: 'string', description: 'ARM id of the resource.', pattern: armIdPattern, maxLength: 2048 },
  },
} as const satisfies StructuralSchema;

const vaultSecret = {
  type: 'object',
  description: 'A secret of a Key Vault, read with the credential of this object when the body is sent.',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'string', description: 'ARM id of the vault.', pattern: armIdPattern, maxLength: 2048 },
    secret: { type: 'string', description: 'Name of the secret.', pattern: '^[0-9A-Za-z-]+$', maxLength: 127 },
    version: {
      type: 'string',
      description: 'Its version; the newest when absent.',
      pattern: '^[0-9A-Za-z]+$',
      maxLength: 64,
    },
  },
} as const satisfies StructuralSchema;

/** `spec.bodySecrets` of an ArmResource. */
export const bodySecrets = {
  type: 'array',
  description: 'Values of the body that come from Secrets; the body has any text in their places.',
  maxItems: maxBodySecrets,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['path'],
  items: {
    type: 'object',
    required: ['path', 'secrets'],
    properties: {
      expression: {
        type: 'string',
        description:
          "The value as an expression of ARM templates over parameters('secret0') and so on, the values of secrets; that of the first one when absent.",
        maxLength: 24_576,
      },
      path: {
        type: 'string',
        description: 'Place in the body as a JSON pointer, such as /properties/siteConfig/appSettings/0/value.',
        pattern: '^(/[^/]+)+$',
        maxLength: 1024,
      },
      secrets: {
        type: 'array',
        description: 'Values of Secrets or ManagedSecrets in this namespace, of Azure, or of a Key Vault.',
        minItems: 1,
        maxItems: maxSecretsOfEntry,
        'x-kubernetes-list-type': 'atomic',
        items: {
          type: 'object',
          'x-kubernetes-validations': [oneSource.cel],
          withoutCel: oneSource.structural,
          properties: {
            azure: azureAnswer,
            key: { type: 'string', description: 'Key within the Secret.', minLength: 1, maxLength: 253 },
            keyVault: vaultSecret,
            managedSecret: {
              type: 'string',
              description:
                'Name of a ManagedSecret of this namespace; its current version is read from its vault with the credential of this object.',
              minLength: 1,
              maxLength: 253,
            },
            name: { type: 'string', description: 'Name of the Secret.', minLength: 1, maxLength: 253 },
          },
        },
      },
    },
  },
} as const satisfies StructuralSchema;
/** A value of the body of an ArmResource that comes from Secrets (`spec.bodySecrets`). */
export type BodySecret = XStatic<typeof bodySecrets.items>;
