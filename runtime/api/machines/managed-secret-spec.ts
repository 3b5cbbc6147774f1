import type { XStatic } from 'typebox/schema';
import { type ArmReference, secretKeySchema } from '../common-schemas.ts';
import { exactlyOne } from '../exclusion.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { durationSchema, locationSchema, resourceReferenceSchema, vaultReferenceSchema } from './common.ts';

/** Types of ManagedSecret. */
export const managedSecretKinds = [
  'Password',
  'SshKey',
  'SymmetricKey',
  'Certificate',
  'Identity',
  'ResourceKey',
] as const;
/** One of `managedSecretKinds`. */
export type ManagedSecretKind = (typeof managedSecretKinds)[number];

const password = {
  type: 'object',
  description: 'Only with kind Password.',
  properties: {
    length: { type: 'integer', description: 'Characters; 32 when absent.', minimum: 12, maximum: 72 },
    os: {
      type: 'string',
      description: 'System of the machines, for the form that VMAccess reads; Linux when absent.',
      enum: ['Linux', 'Windows'],
    },
    userName: {
      type: 'string',
      description: 'The account whose password it is; azureuser when absent.',
      maxLength: 32,
    },
  },
} as const satisfies StructuralSchema;

const sshKey = {
  type: 'object',
  description: 'Only with kind SshKey.',
  properties: {
    algorithm: { type: 'string', description: 'Ed25519 when absent.', enum: ['Ed25519', 'RSA'] },
    bits: { type: 'integer', description: 'Size of an RSA key; 3072 when absent.', minimum: 2048, maximum: 4096 },
    userName: { type: 'string', description: 'The account that it opens; azureuser when absent.', maxLength: 32 },
  },
} as const satisfies StructuralSchema;

const symmetricKey = {
  type: 'object',
  description: 'Only with kind SymmetricKey. The secret has the bytes in Base64.',
  properties: { bytes: { type: 'integer', description: '32 when absent.', minimum: 16, maximum: 512 } },
} as const satisfies StructuralSchema;

/** A list that goes into a certificate byte for byte, so that each entry is held to its form. */
const names = (description: string, pattern: string) =>
  ({
    type: 'array',
    description,
    'x-kubernetes-list-type': 'set',
    maxItems: 100,
    items: { type: 'string', pattern, minLength: 1, maxLength: 253 },
  }) as const satisfies StructuralSchema;

const certificate = {
  type: 'object',
  description: 'Only with kind Certificate.',
  required: ['subject'],
  properties: {
    dnsNames: names('DNS names of the certificate.', '^[A-Za-z0-9*.-]+$'),
    extendedKeyUsages: names(
      'OIDs of the uses; server and client authentication when absent.',
      '^[0-2](\\.[0-9]{1,9}){1,20}$',
    ),
    issuer: {
      type: 'object',
      description: 'Who signs it; itself when absent.',
      maxProperties: 1,
      properties: {
        caSecret: {
          ...secretKeySchema,
          description: 'A kubernetes.io/tls Secret of this namespace with the certificate and key of a CA.',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 253 } },
        },
        keyVault: { type: 'string', description: 'Name of an issuer of the home vault.', maxLength: 127 },
      },
    },
    keySize: {
      type: 'integer',
      description: 'RSA: 2048 (when absent), 3072, 4096. EC: 256 (when absent), 384, 521.',
      minimum: 256,
      maximum: 4096,
    },
    keyType: { type: 'string', description: 'RSA when absent.', enum: ['RSA', 'EC'] },
    subject: { type: 'string', description: 'Distinguished name, such as CN=web.example.com.', maxLength: 1024 },
    validity: { ...durationSchema, description: 'From issue to end; 2160h when absent.' },
  },
} as const satisfies StructuralSchema;

const identity = {
  type: 'object',
  description: 'Only with kind Identity: a user-assigned identity in the resource group `owner`.',
  required: ['location', 'owner'],
  properties: {
    location: locationSchema,
    owner: resourceReferenceSchema('The resource group of the identity.'),
  },
} as const satisfies StructuralSchema;

const resourceKey = {
  type: 'object',
  description: 'Only with kind ResourceKey: a key of another resource, which that resource renews.',
  required: ['key', 'resource'],
  properties: {
    key: { type: 'string', description: "The kind's own name of the key, such as key1.", minLength: 1, maxLength: 63 },
    resource: resourceReferenceSchema('The resource whose key it is.'),
  },
} as const satisfies StructuralSchema;

const vaultCopy = (description: string) =>
  ({
    type: 'object',
    description,
    required: ['vault'],
    properties: { vault: vaultReferenceSchema },
  }) as const satisfies StructuralSchema;

const oneConsumer = exactlyOne([['identity'], ['machine'], ['objectId']]);

const consumer = {
  type: 'object',
  description: 'Who may read it at the endpoint: an identity, or a machine with each of its identities.',
  'x-kubernetes-validations': [
    oneConsumer.cel,
    { rule: '!has(self.attested) || !self.attested || has(self.machine)', message: 'attested goes with machine' },
  ],
  withoutCel: oneConsumer.structural,
  properties: {
    attested: { type: 'boolean', description: 'Whether each request also proves the machine by an attested document.' },
    identity: resourceReferenceSchema('A user-assigned identity.'),
    machine: resourceReferenceSchema('A virtual machine or scale set.'),
    objectId: {
      type: 'string',
      description: 'Object id of a service principal.',
      pattern: '^[0-9a-f-]{36}$',
      maxLength: 36,
    },
  },
} as const satisfies StructuralSchema;

const rollout = {
  type: 'object',
  description: 'How a new version goes out: region by region. Everywhere at once when absent. Not with kind Identity.',
  properties: {
    bakeFor: { ...durationSchema, description: 'How long machines are well before the next step; 10m when absent.' },
    canaryPercent: {
      type: 'integer',
      description: 'Share of the machines of the first region that get a version first; none when absent.',
      minimum: 1,
      maximum: 99,
    },
    consumers: {
      type: 'array',
      description: 'Names of scale sets and virtual machines, in their order within a region; the others follow.',
      'x-kubernetes-list-type': 'set',
      maxItems: 100,
      items: { type: 'string', minLength: 1, maxLength: 253 },
    },
    regions: {
      type: 'array',
      description: 'Locations in their order; the others follow, that of the home vault first.',
      'x-kubernetes-list-type': 'set',
      maxItems: 61,
      items: locationSchema,
    },
  },
} as const satisfies StructuralSchema;

/** Schema of the spec of a ManagedSecret. */
export const managedSecretSpec = {
  type: 'object',
  description: 'What is generated, how often, and where it lies.',
  required: ['kind'],
  properties: {
    certificate,
    consumers: {
      type: 'array',
      description: 'Who may read it at the secret endpoint; nobody when absent.',
      'x-kubernetes-list-type': 'atomic',
      maxItems: 100,
      items: consumer,
    },
    home: vaultCopy('The vault that each new version is written to first.'),
    identity,
    kind: { type: 'string', description: 'What is generated; it cannot change.', enum: managedSecretKinds },
    maxStaleness: { ...durationSchema, description: 'The greatest age of a copy that machines get; 168h when absent.' },
    password,
    pinnedVersion: {
      type: 'integer',
      format: 'int64',
      description:
        'Number of the version that machines get; the newest when absent. Scheduled renewal waits meanwhile.',
      minimum: 1,
      maximum: 1_000_000,
    },
    regions: {
      type: 'array',
      description: 'Copies for machines of other regions, each in a vault of its own.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['location'],
      maxItems: 60,
      items: {
        type: 'object',
        required: ['location', 'vault'],
        properties: { location: locationSchema, vault: vaultReferenceSchema },
      },
    },
    resourceKey,
    rollout,
    rotation: {
      type: 'object',
      description: 'When the value is renewed; never when absent, but a certificate before its end.',
      properties: {
        every: { ...durationSchema, description: 'Age at which a value ends.' },
        overlap: { ...durationSchema, description: 'How long the version before stays enabled; 24h when absent.' },
        retain: {
          ...durationSchema,
          description: 'How long a former version stays enabled for a revert; as overlap when absent or shorter.',
        },
        renewBefore: { ...durationSchema, description: 'How long before its end a value is renewed; 0s when absent.' },
      },
    },
    sshKey,
    symmetricKey,
    vaultSecretName: {
      type: 'string',
      description: 'Name of the secret in every vault; made of namespace and name when absent.',
      pattern: '^[0-9A-Za-z-]+$',
      minLength: 1,
      maxLength: 127,
    },
  },
} as const satisfies StructuralSchema;

/** The spec of a ManagedSecret, as manifests write it. */
export type ManagedSecretSpec = Omit<
  XStatic<typeof managedSecretSpec>,
  'home' | 'regions' | 'consumers' | 'identity' | 'resourceKey'
> & {
  home?: { vault: ArmReference };
  regions?: { location: string; vault: ArmReference }[];
  consumers?: ManagedSecretConsumer[];
  identity?: { location: string; owner: ArmReference };
  resourceKey?: { key: string; resource: ArmReference };
};

/** Readers of a ManagedSecret at the endpoint; one of the three references is set. */
export interface ManagedSecretConsumer {
  attested?: boolean;
  identity?: ArmReference;
  machine?: ArmReference;
  /** Object id of a service principal, lower case. */
  objectId?: string;
}
