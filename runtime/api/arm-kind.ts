import { keyVaultKeys } from './arm/key-vault-outputs.ts';
import {
  type Condition,
  type CredentialsDestination,
  configMapKeySchema,
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
import { atMostOne, type Exclusion, withExclusions } from './exclusion.ts';
import { machineTypes, managedSecretReferencesSchema } from './machines/secret-references.ts';
import { fieldSchema } from './schema/field-schema.ts';
import { azureNameStays, staysInAzure } from './schema/immutability.ts';
import { statusSchema } from './schema/status-schema.ts';
import { type CelRule, celName, type StructuralSchema } from './schema/structural-schema.ts';
import type { ArmKind, GeneratedCredentials, KindDefinition, PrinterColumn } from './types.ts';

/** The names of a kind of the catalogue: known of each kind without reading its file. */
export interface ArmKindNames {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Microsoft.Storage/storageAccounts */
  readonly armType: string;
  /** Served version names, the stored one first. */
  readonly versions: readonly string[];
}

/** A kind as the generator writes it down: its names and its way to ARM. All else follows from these. */
export interface ArmKindEntry extends ArmKindNames {
  readonly arm: ArmKind;
}

/**
 * `spec.operatorSpec`: the exports of the operator. The type arguments are the names a kind can export into Secrets,
 * into ConfigMaps and into a Key Vault.
 */
export interface OperatorSpec<
  Secret extends string = never,
  ConfigMap extends string = never,
  Key extends string = never,
> {
  /** All of the kind's keys, or those of `keys`. */
  keyVault?: [Key] extends [never] ? never : KeyVaultDestination & { keys?: Key[] };
  /** Values to write into Secrets, each by name and key. */
  secrets?: { [name in Secret]?: ExportDestination };
  /** Values to write into ConfigMaps, each by name and key. */
  configMaps?: { [name in ConfigMap]?: ExportDestination };
  /** Values to compute by CEL and to write into Secrets. */
  secretExpressions?: ExportExpression[];
  /** Values to compute by CEL and to write into ConfigMaps. */
  configMapExpressions?: ExportExpression[];
}

/** `spec.operatorSpec` of servers whose administrator the operator can make up. */
export interface CredentialsSpec {
  /** Where to write the name and the password of an administrator that the operator generates. */
  generatedCredentials?: CredentialsDestination;
}

/** `status` of every Azure resource: the conditions, and the last answer of ARM in the shape of the spec. */
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

/** Whether the spec can name the resource in Azure. */
const hasAzureName = ({ azureNameFixed, dataPlane }: ArmKind) =>
  azureNameFixed === undefined && dataPlane?.namesItself !== true;

/** Azure cannot rename or move a resource: once it has an id, its name and owner stay. Some kinds have more rules. */
function objectRules(arm: ArmKind): CelRule[] {
  return [
    ...(arm.rules ?? []),
    ...(hasAzureName(arm) ? [azureNameStays] : []),
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
  if (hasAzureName(arm)) {
    const { fromConfig, ...names } = arm.azureName ?? {};
    properties['azureName'] = {
      type: 'string',
      description: 'Name in Azure; derived from metadata.name when absent.',
      maxLength: 260,
      ...names,
    };
    if (fromConfig) properties['azureNameFromConfig'] = configMapKeySchema;
  }
  if (arm.owner) {
    properties['owner'] = arm.owner.extension
      ? withExclusions({ ...referenceSchema, description: 'The resource this one extends.' }, [referenceExclusion])
      : withExclusions(ownerSchema, [ownerExclusion]);
  }
  properties['operatorSpec'] = operatorSpecSchema(entry);
  const rules = [
    ...(arm.generatedCredentials ? [credentialsExclusion(arm.generatedCredentials)] : []),
    ...(arm.azureName?.fromConfig ? [atMostOne(['azureName', 'azureNameFromConfig'])] : []),
  ];
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

function describe({ armType, owner, dataPlane }: ArmKind): string {
  if (dataPlane) return `${dataPlane.summary}${owner ? `, in the ${owner.kinds.join(' or ')} that owns it` : ''}.`;
  if (!owner) return `${armType} in Azure.`;
  return owner.extension
    ? `${armType} on any Azure resource.`
    : `${armType} in Azure, inside the ${owner.kinds.join(' or ')} that owns it.`;
}

function schemaOf(entry: ArmKindEntry): StructuralSchema {
  const rules = objectRules(entry.arm);
  return {
    type: 'object',
    required: ['spec'],
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
    properties: { spec: specSchema(entry), status: statusSchema(entry.arm.status) },
  };
}

/**
 * The definition of a kind of the catalogue. Its data are loaded and its schema is built when first asked for, and once:
 * a kind that nobody uses costs its names alone.
 */
export function armKindDefinition(
  names: ArmKindNames,
  load: () => ArmKind,
): KindDefinition & { readonly arm: ArmKind; readonly armType: string } {
  let arm: ArmKind | undefined;
  let schema: StructuralSchema | undefined;
  return {
    ...names,
    categories: ['azure', names.group.split('.', 1)[0] ?? ''],
    namespaced: true,
    versions: names.versions.map((name) => ({ name })),
    get description() {
      return describe(this.arm);
    },
    get schema() {
      schema ??= schemaOf({ ...names, arm: this.arm });
      return schema;
    },
    statusOutline: statusSchema(),
    printerColumns: readyColumns,
    statusSubresource: true,
    get arm() {
      arm ??= load();
      return arm;
    },
  };
}
