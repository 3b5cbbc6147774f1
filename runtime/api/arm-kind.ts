import {
  type Condition,
  type CredentialsDestination,
  conditionsSchema,
  credentialsSchema,
  destinationSchema,
  type ExportDestination,
  type ExportExpression,
  exportExpressionsSchema,
  type KeyVaultDestination,
  keyVaultSchemaWith,
  ownerExclusion,
  ownerSchema,
  referenceExclusion,
  referenceSchema,
} from './common-schemas.ts';
import { type Exclusion, withExclusions } from './exclusion.ts';
import { fieldSchema } from './field-schema.ts';
import { keyVaultKeys } from './key-vault-outputs.ts';
import { machineTypes, managedSecretReferencesSchema } from './machines/secret-references.ts';
import { azureNameStays, staysInAzure } from './schema/immutability.ts';
import { type CelRule, celName, type StructuralSchema } from './schema/structural-schema.ts';
import type { ArmKind, GeneratedCredentials, KindDefinition, PrinterColumn } from './types.ts';

/** A kind as the generator writes it down: its names and its way to ARM. All else follows from these. */
export interface ArmKindEntry {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly arm: ArmKind;
}

/**
 * `spec.operatorSpec`: what the operator exports. The type arguments are the names a kind can export into Secrets, into
 * ConfigMaps and into a Key Vault.
 */
export interface OperatorSpec<
  Secret extends string = never,
  ConfigMap extends string = never,
  Key extends string = never,
> {
  /** All of the kind's keys, or those of `keys`. */
  keyVault?: [Key] extends [never] ? never : KeyVaultDestination & { keys?: Key[] };
  secrets?: { [name in Secret]?: ExportDestination };
  configMaps?: { [name in ConfigMap]?: ExportDestination };
  secretExpressions?: ExportExpression[];
  configMapExpressions?: ExportExpression[];
}

/** `spec.operatorSpec` of servers whose administrator the operator can make up. */
export interface CredentialsSpec {
  generatedCredentials?: CredentialsDestination;
}

/** `status` of every Azure resource: the conditions beside what ARM answered last, in the shape of the spec. */
export interface ArmStatus {
  conditions?: Condition[];
  /** The ARM id, set once Azure has the resource. */
  id?: string;
  [member: string]: unknown;
}

const descriptions: Readonly<Record<string, string>> = {
  location: 'Azure region, such as westeurope.',
  tags: 'Azure tags.',
  identity: 'The managed identities the resource itself uses.',
  sku: 'Pricing tier.',
};

const column = (name: string, member: string): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=='Ready')].${member}`,
});
/** READY, SEVERITY, REASON, MESSAGE, as ASO v2 prints them, and AGE. */
export const readyColumns: readonly PrinterColumn[] = [
  column('Ready', 'status'),
  column('Severity', 'severity'),
  column('Reason', 'reason'),
  column('Message', 'message'),
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** Azure cannot rename or move a resource: once it has an id, its name and owner stay. */
function immutabilityRules(arm: ArmKind): CelRule[] {
  return [
    ...(arm.azureNameFixed === undefined ? [azureNameStays] : []),
    ...(arm.owner ? [staysInAzure('owner', 'self.spec.owner == oldSelf.spec.owner')] : []),
  ];
}

function operatorSpecSchema({ group, kind, arm }: ArmKindEntry): StructuralSchema {
  const { operatorSpec, generatedCredentials } = arm;
  const destinations = (names: readonly string[], description: string): StructuralSchema => ({
    type: 'object',
    description,
    properties: Object.fromEntries(names.map((name) => [name, destinationSchema])),
  });
  const { secrets, configMaps, other = {} } = operatorSpec;
  const keys = keyVaultKeys(group, kind, secrets);
  const keyVaultKeysSchema: StructuralSchema = {
    type: 'array',
    description: 'The keys to write; all when absent, none when empty.',
    'x-kubernetes-list-type': 'set',
    maxItems: keys.length,
    items: { type: 'string', enum: keys },
  };
  return {
    type: 'object',
    description: 'What the operator writes for others to read; nothing of it is sent to Azure Resource Manager.',
    properties: {
      ...(keys.length > 0 && { keyVault: keyVaultSchemaWith({ keys: keyVaultKeysSchema }) }),
      ...(secrets.length > 0 && { secrets: destinations(secrets, 'Values to write into Secrets.') }),
      ...(configMaps.length > 0 && { configMaps: destinations(configMaps, 'Values to write into ConfigMaps.') }),
      ...(generatedCredentials && { generatedCredentials: credentialsSchema }),
      ...(machineTypes.includes(arm.armType) && { managedSecrets: managedSecretReferencesSchema }),
      secretExpressions: { ...exportExpressionsSchema, description: 'Computed values to write into Secrets.' },
      configMapExpressions: { ...exportExpressionsSchema, description: 'Computed values to write into ConfigMaps.' },
      ...Object.fromEntries(Object.entries(other).map(([name, field]) => [name, fieldSchema(field)])),
    },
  };
}

function specSchema(entry: ArmKindEntry): StructuralSchema {
  const { arm } = entry;
  const fields = fieldSchema(arm.fields);
  const described = Object.entries(fields.properties ?? {}).map(([name, schema]): [string, StructuralSchema] => {
    const description = descriptions[name];
    return [name, description ? { description, ...schema } : schema];
  });
  const properties: Record<string, StructuralSchema> = Object.fromEntries(described);
  if (arm.azureNameFixed === undefined) {
    properties['azureName'] = {
      type: 'string',
      description: 'Name in Azure; derived from metadata.name when absent.',
      maxLength: 260,
      ...arm.azureName,
    };
  }
  if (arm.owner) {
    properties['owner'] = arm.owner.extension
      ? withExclusions({ ...referenceSchema, description: 'The resource this one extends.' }, [referenceExclusion])
      : withExclusions(ownerSchema, [ownerExclusion]);
  }
  properties['operatorSpec'] = operatorSpecSchema(entry);
  const rules = arm.generatedCredentials ? [credentialsExclusion(arm.generatedCredentials)] : [];
  const required = [...(fields.required ?? []), ...(arm.owner ? ['owner'] : [])].sort();
  const schema = { ...fields, description: 'The wanted state.', ...(required.length > 0 && { required }), properties };
  return withExclusions(schema, rules);
}

/** A password is in a Secret of the user, or generated. */
function credentialsExclusion({ password }: GeneratedCredentials): Exclusion {
  const made = 'has(self.operatorSpec) && has(self.operatorSpec.generatedCredentials)';
  return {
    cel: {
      rule: `!(has(self.${celName(password)}) && ${made})`,
      message: `set at most one of ${password} and operatorSpec.generatedCredentials`,
    },
    structural: [
      {
        not: {
          required: [password, 'operatorSpec'],
          properties: { operatorSpec: { required: ['generatedCredentials'] } },
        },
      },
    ],
  };
}

const statusSchema: StructuralSchema = {
  type: 'object',
  description: 'Conditions, and the resource as Azure described it last.',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    conditions: conditionsSchema,
    id: { type: 'string', description: 'ARM id, set once Azure has the resource.' },
  },
};

function describe({ armType, owner }: ArmKind): string {
  if (!owner) return `${armType} in Azure.`;
  return owner.extension
    ? `${armType} on any Azure resource.`
    : `${armType} in Azure, inside the ${owner.kinds.join(' or ')} that owns it.`;
}

/** The definition of a kind of the catalogue. Its schema is built when first asked for, and once. */
export function armKindDefinition(entry: ArmKindEntry): KindDefinition {
  const { arm, ...names } = entry;
  let schema: StructuralSchema | undefined;
  return {
    ...names,
    categories: ['azure', entry.group.split('.', 1)[0] ?? ''],
    namespaced: true,
    versions: Object.keys(arm.apiVersions).map((name) => ({ name })),
    description: describe(arm),
    get schema() {
      const rules = immutabilityRules(arm);
      schema ??= {
        type: 'object',
        required: ['spec'],
        ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
        properties: { spec: specSchema(entry), status: statusSchema },
      };
      return schema;
    },
    printerColumns: readyColumns,
    statusSubresource: true,
    arm,
  };
}
