import { configMapKeySchema, secretKeySchema, secretMapSchema } from '../../runtime/api/common-schemas.ts';
import type { StructuralSchema } from '../../runtime/api/schema/structural-schema.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';

/** A field of a kind, as Kustomize writes it: lists in the path need no mark of their own. */
export interface FieldSpec {
  readonly group?: string;
  readonly kind?: string;
  readonly path: string;
}

/** The fields that name objects of a kind; without `kind`, objects of any kind. */
export interface NameReference {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly fieldSpecs: readonly FieldSpec[];
}

/** A transformer configuration of Kustomize: https://kubectl.docs.kubernetes.io/references/kustomize/ */
export interface KustomizeConfiguration {
  readonly nameReference: readonly NameReference[];
  readonly namespace: readonly FieldSpec[];
}

/** The kind that a field names; empty where the object itself says which one. */
interface Target {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

const secret = { version: 'v1', kind: 'Secret' } as const;
const configMap = { version: 'v1', kind: 'ConfigMap' } as const;
const podIdentity = 'aadpodidentity.k8s.io';
const azimuth = 'azimuth.dev';

/** References whose schema does not show their target, by group and kind. */
const furtherFields: Readonly<Record<string, readonly (readonly [path: string, target: Target])[]>> = {
  // A node with `name` and `namespace`: Kustomize looks for the Secret in that namespace, and changes both.
  [`${podIdentity}/AzureIdentity`]: [['spec/clientPassword', secret]],
  [`${podIdentity}/AzureIdentityBinding`]: [['spec/azureIdentity', { group: podIdentity, kind: 'AzureIdentity' }]],
  [`${azimuth}/FeatureApproval`]: [['spec/for/name', { group: azimuth, kind: 'FeatureRegistration' }]],
  [`${azimuth}/ManagedSecret`]: [['spec/certificate/issuer/caSecret/name', secret]],
};
/** The account of a Secret with its token, and that Secret in a PodMonitor. */
const monitoring: readonly NameReference[] = [
  {
    ...secret,
    fieldSpecs: [
      {
        group: 'monitoring.coreos.com',
        kind: 'PodMonitor',
        path: 'spec/podMetricsEndpoints/authorization/credentials/name',
      },
    ],
  },
  {
    version: 'v1',
    kind: 'ServiceAccount',
    fieldSpecs: [{ kind: 'Secret', path: 'metadata/annotations/kubernetes.io\\/service-account.name' }],
  },
];
const managedSecrets = 'spec/operatorSpec/managedSecrets/name';
const credentialFrom = 'metadata/annotations/serviceoperator.azure.com\\/credential-from';

/**
 * The configuration with which `namePrefix`, `nameSuffix` and `namespace` of Kustomize reach the fields of our objects that
 * name other objects. It comes from the schemas, so a new kind needs no change here. Fields in maps with free keys are
 * left out, because Kustomize has no path for these.
 */
export function kustomizeConfiguration(kinds: readonly KindDefinition[]): KustomizeConfiguration {
  const found = new Map<string, { target: Partial<Target>; fields: Map<string, FieldSpec> }>();
  for (const kind of kinds) {
    for (const [path, target] of referencesOf(kind)) {
      const key = [target.group, target.version, target.kind].join('/');
      const entry = found.get(key) ?? { target, fields: new Map<string, FieldSpec>() };
      found.set(key, entry);
      entry.fields.set(`${kind.group}/${path}`, { group: kind.group, path });
    }
  }
  const hasIdentities = kinds.some(({ group, kind }) => group === podIdentity && kind === 'AzureIdentity');
  return {
    nameReference: [
      ...[...found]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { target, fields }]) => ({
          ...target,
          fieldSpecs: [...fields].sort(byKey).map(([, field]) => field),
        })),
      ...monitoring,
    ],
    namespace: hasIdentities
      ? [{ group: podIdentity, kind: 'AzureIdentity', path: 'spec/clientPassword/namespace' }]
      : [],
  };
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

/** The fields of a kind that name other objects, as paths of Kustomize; those in maps are left out. */
export function referencesOf(definition: KindDefinition): (readonly [path: string, target: Target])[] {
  const { group, kind, arm, schema } = definition;
  const found: (readonly [string, Target])[] = [];
  const visit = (field: StructuralSchema, path: readonly string[]) => {
    const { properties = {}, items, description } = field;
    const name = [...path, 'name'].join('/');
    if ('armId' in properties && 'name' in properties) {
      const owner = arm?.owner;
      const fixed = path.length === 2 && path[1] === 'owner' && owner && !('kind' in properties);
      if (!('kind' in properties) && !fixed)
        found.push([name, { group: 'resources.azure.com', kind: 'ResourceGroup' }]);
      else if (fixed) for (const each of owner.kinds) found.push([name, { group: owner.group, kind: each }]);
      else found.push([name, {}]);
      return;
    }
    if (description === secretKeySchema.description || description === secretMapSchema.description) {
      found.push([name, secret]);
      return;
    }
    if (description === configMapKeySchema.description) {
      found.push([name, configMap]);
      return;
    }
    for (const [member, child] of Object.entries(properties)) visit(child, [...path, member]);
    if (items) visit(items, path);
  };
  const spec = schema.properties?.['spec'];
  if (spec) visit(spec, ['spec']);
  const operatorSpec = spec?.properties?.['operatorSpec']?.properties ?? {};
  if ('managedSecrets' in operatorSpec) found.push([managedSecrets, { group: azimuth, kind: 'ManagedSecret' }]);
  if (arm || kind === 'ArmResource') found.push([credentialFrom, secret]);
  return [...found, ...(furtherFields[`${group}/${kind}`] ?? [])];
}
