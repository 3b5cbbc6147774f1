import type { XStatic } from 'typebox/schema';
import { readyColumns } from '../arm-kind.ts';
import { conditionMembers } from '../common-schemas.ts';
import type { CelRule, StructuralSchema, ValueRules } from '../schema/structural-schema.ts';
import { machineKind } from './machine-kind.ts';
import { managedSecretSpec } from './managed-secret-spec.ts';

const versionNumber = { type: 'integer', format: 'int64', minimum: 1 } as const satisfies StructuralSchema;
const moment = (description: string) =>
  ({ type: 'string', format: 'date-time', description }) as const satisfies StructuralSchema;
const text = (description: string) => ({ type: 'string', description }) as const satisfies StructuralSchema;

const version = {
  type: 'object',
  description: 'A version: what is known of it but its value.',
  required: ['number'],
  properties: {
    created: moment('When it was generated.'),
    expires: moment('When its value ends.'),
    hash: text('First 16 digits of the keyed hash of its value, to compare copies by.'),
    number: { ...versionNumber, description: 'Its number, the same in every vault.' },
    state: {
      type: 'string',
      enum: ['Current', 'Previous', 'Waiting', 'Disabled'],
      description: 'Whether it is in use; Waiting: it is newer than the pinned version.',
    },
  },
} as const satisfies StructuralSchema;

const copy = {
  type: 'object',
  description: 'The copy in one vault.',
  required: ['location', 'state'],
  properties: {
    age: text('How long ago the copy was last in sync, such as 26h.'),
    location: text('Region of the copy, or home.'),
    message: text('Why it is not Current.'),
    secretId: text('URL of the version in this vault.'),
    state: { type: 'string', enum: ['Current', 'Stale', 'Expired'], description: 'Expired: older than maxStaleness.' },
    syncedAt: moment('When the copy was last read or written.'),
    vaultId: text('ARM id of the vault.'),
    version: { ...versionNumber, description: 'Number of the version there.' },
  },
} as const satisfies StructuralSchema;

const managedSecretStatus = {
  type: 'object',
  description: 'Versions and copies; never a value. The operator trusts its vaults, not this status.',
  properties: {
    ...conditionMembers,
    copies: {
      type: 'array',
      description: 'The home vault and each region.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['location'],
      items: copy,
    },
    rollout: {
      type: 'object',
      description: 'With spec.rollout: how far the newest version is. The operator trusts the vault, not this.',
      properties: {
        location: text('Region of the step that is under way.'),
        message: text('The machine that it waits for, or that stopped it.'),
        nextAt: moment('When the next step may follow.'),
        phase: { type: 'string', enum: ['Rolling', 'Baking', 'Stopped', 'Done'], description: 'State of the step.' },
        regions: {
          type: 'array',
          description: 'The version that each region has.',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['location'],
          items: {
            type: 'object',
            required: ['location', 'version'],
            properties: { location: text('The region.'), version: versionNumber },
          },
        },
        step: {
          type: 'integer',
          format: 'int64',
          description: 'Number of the step in its region, from 1.',
          minimum: 1,
        },
        version: { ...versionNumber, description: 'Number of the version that goes out.' },
      },
    },
    identityId: text('ARM id of the current identity, with kind Identity.'),
    nextRenewal: moment('When the next version is due.'),
    version: { ...versionNumber, description: 'Number of the current version.' },
    versions: {
      type: 'array',
      description: 'The newest versions, newest first.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['number'],
      maxItems: 10,
      items: version,
    },
  },
} as const satisfies StructuralSchema;
/** The status of a ManagedSecret, as the operator writes it. */
export type ManagedSecretStatus = XStatic<typeof managedSecretStatus>;

/** The member of the spec that goes with each kind, and with no other. */
const memberOf = {
  Certificate: 'certificate',
  Identity: 'identity',
  Password: 'password',
  ResourceKey: 'resourceKey',
  SshKey: 'sshKey',
  SymmetricKey: 'symmetricKey',
} as const;
/** Kinds whose member has no defaults. */
const needsMember: readonly string[] = ['Certificate', 'Identity', 'ResourceKey'];

const onlyWith = ([kind, member]: [string, string]): CelRule => ({
  rule: `self.kind == '${kind}' || !has(self.${member})`,
  message: `${member} goes with kind ${kind} only`,
});
const needs = (kind: keyof typeof memberOf): CelRule => ({
  rule: `self.kind != '${kind}' || has(self.${memberOf[kind]})`,
  message: `kind ${kind} needs ${memberOf[kind]}`,
});
const withoutCel: ValueRules[] = [
  {
    oneOf: Object.entries(memberOf).map(([kind, member]) => ({
      properties: { kind: { enum: [kind] } },
      required: [...(kind === 'Identity' ? [] : ['home']), ...(needsMember.includes(kind) ? [member] : [])],
      allOf: Object.values(memberOf)
        .filter((other) => other !== member)
        .map((other): string => other)
        .concat(kind === 'Identity' ? ['rollout'] : [])
        .map((other) => ({ not: { required: [other] } })),
    })),
  },
];

/** A secret that the operator generates, renews, and copies into the vaults of regions. */
export const managedSecret = machineKind({
  kind: 'ManagedSecret',
  shortName: 'msec',
  namespaced: true,
  description: 'A secret for machines: generated, renewed, copied to the vault of each region, never shown.',
  spec: {
    ...managedSecretSpec,
    'x-kubernetes-validations': [
      ...Object.entries(memberOf).map(onlyWith),
      ...(needsMember as (keyof typeof memberOf)[]).map(needs),
      {
        rule: "self.kind != 'Identity' || !has(self.rollout)",
        message: 'rollout does not go with kind Identity, which has no home vault to keep its state: remove rollout',
      },
      { rule: 'self.kind == oldSelf.kind', message: 'spec.kind cannot change: make another object' },
      {
        rule: "self.kind == 'Identity' || has(self.home)",
        message: 'home names the vault that versions are written to',
      },
    ],
    withoutCel,
  } as StructuralSchema,
  status: managedSecretStatus,
  printerColumns: [
    { name: 'Kind', type: 'string', jsonPath: '.spec.kind' },
    { name: 'Version', type: 'integer', jsonPath: '.status.version' },
    { name: 'Renewal', type: 'string', jsonPath: '.status.nextRenewal' },
    ...readyColumns,
  ],
});
