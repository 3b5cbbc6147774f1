/** Schemas that many kinds share: conditions, references, owners, and where exported values go. */
import type { XStatic } from 'typebox/schema';
import { atMostOne, exactlyOne, withExclusions } from './exclusion.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';

/** An ARM id of a subscription, a resource group or any resource, case ignored. */
export const armIdPattern =
  '(?i)(^(/subscriptions/([^/]+)(/resourcegroups/([^/]+))?)?/providers/([^/]+)/([^/]+/[^/]+)(/([^/]+/[^/]+))*$|^/subscriptions/([^/]+)(/resourcegroups/([^/]+))?$)';

/** Only in types: the kinds, as `group/Kind`, of the resource that a reference takes. No value has this member. */
export declare const referencedKind: unique symbol;

/** The target of a reference: `Kind` is the union of the kinds that the field takes; `string` is any kind. */
interface ReferenceTo<Kind extends string> {
  readonly [referencedKind]?: Kind;
}

const armId = {
  type: 'string',
  description: 'Full ARM id, for a resource that this cluster does not manage.',
  pattern: armIdPattern,
  maxLength: 2048,
} as const satisfies StructuralSchema;
const objectName = {
  type: 'string',
  description: 'Name of the object, in this namespace.',
  maxLength: 253,
} as const satisfies StructuralSchema;
const group = { type: 'string', description: 'API group of the object.', maxLength: 253 } as const;
const kind = { type: 'string', description: 'Kind of the object.', maxLength: 63 } as const;
const stringMap = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies StructuralSchema;

/** The condition list of every kind; `severity` is ASO v2's addition to the standard shape. */
export const conditionsSchema = {
  type: 'array',
  description: 'What the controller last found; the condition of type Ready sums it up.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time', description: 'When the status last changed.' },
      message: { type: 'string', description: 'For people; may be long.' },
      observedGeneration: { type: 'integer', format: 'int64', description: 'metadata.generation this was found for.' },
      reason: { type: 'string', description: 'For programs: one word.' },
      severity: { type: 'string', description: 'Of a status other than True: Info, Warning (tried again) or Error.' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: { type: 'string' },
    },
  },
} as const satisfies StructuralSchema;
/** Members that the status of each kind with conditions has; kstatus reads the generation. */
export const conditionMembers = {
  conditions: conditionsSchema,
  observedGeneration: {
    type: 'integer',
    format: 'int64',
    description: 'metadata.generation that the status was found for.',
  },
} as const satisfies Readonly<Record<string, StructuralSchema>>;
/** A condition of a status, as the types of Kubernetes define it (meta/v1). */
export type Condition = XStatic<typeof conditionsSchema.items>;

/** Another resource: by ARM id, or by group, kind and name in the same namespace. */
export const referenceSchema = {
  type: 'object',
  description: 'Another resource: its armId, or group, kind and name of its object in this namespace.',
  'x-kubernetes-map-type': 'atomic',
  properties: { armId, group, kind, name: objectName },
} as const satisfies StructuralSchema;
/** A reference has either an ARM id, or group, kind and name of an object. */
export const referenceExclusion = exactlyOne([['armId'], ['group', 'kind', 'name']]);
/** A reference to an ARM resource: by ARM id, or by an object of the same namespace. */
export type ArmReference<Kind extends string = string> = XStatic<typeof referenceSchema> & ReferenceTo<Kind>;

/** A reference that may also be one of Azure's own names, such as that of a built-in role. */
export const wellKnownReferenceSchema = {
  ...referenceSchema,
  description: "Another resource as above, or the name of one of Azure's own.",
  properties: {
    ...referenceSchema.properties,
    wellKnownName: { type: 'string', description: 'Name that Azure gives to it, such as Contributor.', maxLength: 512 },
  },
} as const satisfies StructuralSchema;
/** A reference has an ARM id, a well-known name, or group, kind and name of an object. */
export const wellKnownReferenceExclusion = exactlyOne([['armId'], ['wellKnownName'], ['group', 'kind', 'name']]);
/** An ArmReference that may also be a well-known name, such as that of a built-in role. */
export type WellKnownReference<Kind extends string = string> = XStatic<typeof wellKnownReferenceSchema> &
  ReferenceTo<Kind>;

/** The owner of a kind whose owner can be of one kind only. */
export const ownerSchema = {
  type: 'object',
  description: 'The resource this one lives in: the name of its object in this namespace, or its armId.',
  'x-kubernetes-map-type': 'atomic',
  properties: { armId, name: objectName },
} as const satisfies StructuralSchema;
/** An owner has either the name of an object or an ARM id. */
export const ownerExclusion = exactlyOne([['name'], ['armId']]);
/** A reference to the owner of a resource, whose kind is fixed: the object's name, or an ARM id. */
export type KnownOwner<Kind extends string = string> = XStatic<typeof ownerSchema> & ReferenceTo<Kind>;

/** One value of a Secret. */
export const secretKeySchema = {
  type: 'object',
  description: 'A value of a Secret in this namespace.',
  'x-kubernetes-map-type': 'atomic',
  required: ['key', 'name'],
  properties: { key: { type: 'string' }, name: { type: 'string' } },
} as const satisfies StructuralSchema;
/** A reference to one key of a Secret in the same namespace. */
export type SecretKeyReference = XStatic<typeof secretKeySchema>;

/** All values of a Secret. */
export const secretMapSchema = {
  type: 'object',
  description: 'All values of a Secret in this namespace.',
  'x-kubernetes-map-type': 'atomic',
  required: ['name'],
  properties: { name: { type: 'string' } },
} as const satisfies StructuralSchema;
/** A reference to all keys of a Secret in the same namespace. */
export type SecretMapReference = XStatic<typeof secretMapSchema>;

/** One value of a ConfigMap. */
export const configMapKeySchema = {
  type: 'object',
  description: 'A value of a ConfigMap in this namespace, instead of the field without FromConfig.',
  'x-kubernetes-map-type': 'atomic',
  required: ['key', 'name'],
  properties: { key: { type: 'string' }, name: { type: 'string' } },
} as const satisfies StructuralSchema;
/** A reference to one key of a ConfigMap in the same namespace. */
export type ConfigMapKeyReference = XStatic<typeof configMapKeySchema>;

/** Where one exported value goes. */
export const destinationSchema = {
  type: 'object',
  required: ['key', 'name'],
  properties: {
    annotations: { ...stringMap, description: 'Put on the Secret or ConfigMap.' },
    key: { type: 'string', description: 'Key within it.' },
    labels: { ...stringMap, description: 'Put on the Secret or ConfigMap.' },
    name: { type: 'string', description: 'Name of the Secret or ConfigMap; made when it does not exist.' },
  },
} as const satisfies StructuralSchema;
/** The Secret or ConfigMap and the key that a value is exported to. */
export type ExportDestination = XStatic<typeof destinationSchema>;

/** The Secret with credentials that the operator generates. */
export const credentialsSchema = {
  type: 'object',
  description: 'Makes up the administrator and keeps it in a Secret, from which it is set in Azure.',
  required: ['name'],
  properties: {
    annotations: destinationSchema.properties.annotations,
    labels: destinationSchema.properties.labels,
    name: { type: 'string', description: 'Name of the Secret; another name means another password.', maxLength: 253 },
  },
} as const satisfies StructuralSchema;
/** The Secret that generated credentials are stored in. */
export type CredentialsDestination = XStatic<typeof credentialsSchema>;

/** Characters of one expression. */
export const maxExpressionLength = 4096;
/** Expressions of each of an object's two lists. */
export const maxExpressions = 100;

/** An exported value that an expression computes. */
export const exportExpressionsSchema = {
  type: 'array',
  maxItems: maxExpressions,
  'x-kubernetes-list-type': 'atomic',
  items: {
    type: 'object',
    required: ['name', 'value'],
    properties: {
      ...destinationSchema.properties,
      annotations: { ...stringMap, description: 'Put on it. Each value is CEL over `self` that yields a text.' },
      key: { type: 'string', description: 'Key within it; absent if the value is a map.' },
      labels: { ...stringMap, description: 'Put on it. Each value is CEL over `self` that yields a text.' },
      value: {
        type: 'string',
        description: 'CEL over `self`, this object, and `secret`, the values Azure keeps secret.',
        maxLength: maxExpressionLength,
      },
    },
  },
} as const satisfies StructuralSchema;
/** A CEL expression and the Secret or ConfigMap that its value is exported to. */
export type ExportExpression = XStatic<typeof exportExpressionsSchema.items>;

/** A vault by its name, or by its URL. */
export const vaultPattern =
  '^([A-Za-z][0-9A-Za-z-]{1,22}[0-9A-Za-z]|https://[A-Za-z][0-9A-Za-z-]{1,22}[0-9A-Za-z]\\.[0-9A-Za-z.-]+(:[0-9]{1,5})?/?)$';

const vaultIdPattern =
  '(?i)^/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft.keyvault/vaults/[0-9a-z-]{3,24}$';

/** Where values go that are to be secrets of a Key Vault. The words of `keys` are the kind's own. */
export const keyVaultSchema = {
  type: 'object',
  description: "Writes what Azure keeps secret into a Key Vault; ASO v1's names and keys where v1 had the kind.",
  properties: {
    expires: {
      type: 'string',
      description: 'Time until the secret expires, from its renewal on, such as 720h or 1h30m; never when absent.',
      pattern: '^[1-9][0-9]{0,4}h([0-9]{1,2}m)?([0-9]{1,2}s)?$',
      maxLength: 12,
    },
    flatten: { type: 'boolean', description: 'A secret for each key, name-key, instead of one with a JSON object.' },
    name: {
      type: 'string',
      description: 'Name of the secret; kind, namespace and name when absent.',
      pattern: '^[0-9A-Za-z-]+$',
      minLength: 1,
      maxLength: 127,
    },
    vault: {
      type: 'string',
      description: "Name or URL of the vault; the operator's own when there is no vaultReference either.",
      pattern: vaultPattern,
      maxLength: 253,
    },
    vaultReference: {
      ...referenceSchema,
      description: 'The vault, as an object of this namespace or by its armId.',
      properties: {
        ...referenceSchema.properties,
        armId: { ...armId, pattern: vaultIdPattern },
        group: { ...group, enum: ['keyvault.azure.com'] },
        kind: { ...kind, enum: ['Vault'] },
      },
    },
  },
} as const satisfies StructuralSchema;
/** The Key Vault that values are exported to. */
export type KeyVaultDestination = XStatic<typeof keyVaultSchema>;

/** `keyVaultSchema` with its rules, and with the properties that a kind adds. */
export function keyVaultSchemaWith(properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  const vaultReference = withExclusions(keyVaultSchema.properties.vaultReference, [referenceExclusion]);
  const schema = { ...keyVaultSchema, properties: { ...keyVaultSchema.properties, vaultReference, ...properties } };
  return withExclusions(schema, [atMostOne(['vault', 'vaultReference'])]);
}
