/** Objects of every kind of the catalogue, made from its data: what is required, and every export it knows. */
import type { ArmKindDefinition } from '../../../runtime/api/kinds.ts';
import { armKinds } from '../../../runtime/api/kinds.ts';
import type { FieldTree } from '../../../runtime/api/types.ts';

type Json = Record<string, unknown>;

export interface Surroundings {
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** Object id of a principal that Azure knows. */
  readonly principalId: string;
}

export interface Example {
  readonly kind: ArmKindDefinition;
  readonly name: string;
  readonly spec: Json;
  /** The spec with one declared field more, or another value in it. */
  readonly changed: Json;
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
}

/**
 * The kinds whose examples know what Azure asks beyond its schemas, by group. Samples of ASO (sample-run.ts) are the
 * examples of the other kinds.
 */
const groups: Readonly<Record<string, string>> = {
  apimanagement: 'Api Service',
  authorization: 'RoleAssignment RoleDefinition',
  cache: 'Redis RedisFirewallRule RedisLinkedServer',
  compute: 'Disk VirtualMachine VirtualMachineScaleSet VirtualMachineScaleSetsExtension VirtualMachinesExtension',
  containerregistry: 'Registry',
  containerservice: 'ManagedCluster ManagedClustersAgentPool',
  dbformysql: 'FlexibleServer FlexibleServersAdministrator FlexibleServersDatabase FlexibleServersFirewallRule',
  dbforpostgresql: 'FlexibleServer FlexibleServersConfiguration FlexibleServersDatabase FlexibleServersFirewallRule',
  documentdb: 'DatabaseAccount MongodbDatabase MongodbDatabaseCollection SqlDatabase SqlDatabaseContainer',
  eventhub:
    'Namespace NamespacesAuthorizationRule NamespacesEventhub NamespacesEventhubsAuthorizationRule NamespacesEventhubsConsumerGroup',
  insights: 'Component',
  keyvault: 'Vault',
  managedidentity: 'FederatedIdentityCredential UserAssignedIdentity',
  network:
    'LoadBalancer NatGateway NetworkInterface NetworkSecurityGroup NetworkSecurityGroupsSecurityRule PrivateEndpoint PublicIPAddress RouteTable VirtualNetwork VirtualNetworksSubnet',
  operationalinsights: 'Workspace',
  resources: 'ResourceGroup',
  servicebus: 'Namespace NamespacesAuthorizationRule NamespacesQueue NamespacesTopic NamespacesTopicsSubscription',
  sql: 'Server ServersAdministrator ServersDatabase ServersElasticPool ServersFailoverGroup ServersFirewallRule ServersVirtualNetworkRule',
  storage:
    'StorageAccount StorageAccountsBlobService StorageAccountsBlobServicesContainer StorageAccountsFileService StorageAccountsFileServicesShare StorageAccountsManagementPolicy StorageAccountsQueueService StorageAccountsQueueServicesQueue StorageAccountsTableService StorageAccountsTableServicesTable',
};

/** The kinds that `exampleOf` can make objects of. */
export const exampleKinds: readonly ArmKindDefinition[] = armKinds.filter(({ group, kind }) =>
  groups[group.replace(/\.azure\.com$/, '')]?.split(' ').includes(kind),
);

/** A name that every kind's rules take: lower-case letters and digits. */
export const exampleName = ({ shortNames }: Pick<ArmKindDefinition, 'shortNames'>) => `azm${shortNames[0]}x1`;
const id = ({ group, kind }: Pick<ArmKindDefinition, 'group' | 'kind'>) => `${group.split('.')[0]}/${kind}`;

/** What Azure asks beyond what its schemas say. */
const more: Readonly<Record<string, (around: Surroundings) => Json>> = {
  'storage/StorageAccount': () => ({ kind: 'StorageV2', sku: { name: 'Standard_LRS' } }),
  'keyvault/Vault': ({ tenantId }) => ({
    properties: { tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
  }),
  'managedidentity/FederatedIdentityCredential': () => ({
    audiences: ['api://AzureADTokenExchange'],
    issuer: 'https://issuer.example',
    subject: 'system:serviceaccount:default:one',
  }),
  'compute/VirtualMachinesExtension': () => ({ location: 'westeurope' }),
  'documentdb/DatabaseAccount': () => ({ locations: [{ locationName: 'westeurope' }] }),
  'containerservice/ManagedCluster': () => ({ identity: { type: 'SystemAssigned' } }),
  'authorization/RoleAssignment': ({ principalId }) => ({
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'azmrgx1' },
    principalId,
    principalType: 'ServicePrincipal',
  }),
  'authorization/RoleDefinition': ({ subscriptionId }) => ({
    owner: { armId: `/subscriptions/${subscriptionId}` },
    roleName: 'Reader of nothing',
    type: 'CustomRole',
    permissions: [{ actions: ['Microsoft.Storage/storageAccounts/read'] }],
    assignableScopesReferences: [{ armId: `/subscriptions/${subscriptionId}` }],
  }),
};

const corsRule = {
  allowedHeaders: ['*'],
  allowedMethods: ['GET'],
  allowedOrigins: ['https://example.com'],
  exposedHeaders: ['*'],
  maxAgeInSeconds: 60,
};

/** Where the field that would be chosen cannot be changed in Azure, or not to any value. */
const changes: Readonly<Record<string, Json>> = {
  'managedidentity/FederatedIdentityCredential': { subject: 'system:serviceaccount:default:two' },
  'storage/StorageAccountsManagementPolicy': { policy: { rules: [] } },
  'storage/StorageAccountsQueueService': { cors: { corsRules: [corsRule] } },
  'storage/StorageAccountsTableService': { cors: { corsRules: [corsRule] } },
  'storage/StorageAccountsTableServicesTable': { signedIdentifiers: [{ reference: { armId: '/subscriptions/x' } }] },
  'eventhub/NamespacesAuthorizationRule': { rights: ['Send'] },
  'eventhub/NamespacesEventhubsAuthorizationRule': { rights: ['Send'] },
  'servicebus/NamespacesAuthorizationRule': { rights: ['Send'] },
};

function sampleOf(field: FieldTree, name: string, around: Surroundings): unknown {
  switch (field.type) {
    case 'string':
      if (name === 'location') return 'westeurope';
      if (field.enum) return field.enum[0];
      return /ip(address)?$/i.test(name) ? '10.0.0.1' : 'value';
    case 'integer':
    case 'number':
      return field.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return field.items ? [sampleOf(field.items, name, around)] : [];
    case 'object':
      return Object.fromEntries(
        (field.required ?? []).map((member) => [
          member,
          sampleOf(field.properties?.[member] as FieldTree, member, around),
        ]),
      );
    case 'reference':
      return { armId: `/subscriptions/${around.subscriptionId}/resourceGroups/other` };
    case 'wellKnownReference':
      return { wellKnownName: 'Reader' };
    case 'secret':
    case 'configMap':
      return { name: 'input', key: 'value' };
    case 'secretMap':
      return { name: 'input' };
    default:
      return {};
  }
}

/** The fields a change can be tried on, best first: tags, then free maps and texts, numbers, flags. */
function changeable(root: FieldTree): [path: string[], value: unknown][] {
  const rank = (field: FieldTree) => {
    if (field.type === 'map' && field.values?.type === 'string') return 1;
    if (field.type === 'string') return field.enum || field.pattern ? 5 : 2;
    return { integer: 3, boolean: 4 }[field.type as string] ?? 9;
  };
  const found: [rank: number, path: string[], value: unknown][] = [];
  const walk = (field: FieldTree, path: string[]) => {
    for (const [name, child] of Object.entries(field.properties ?? {})) {
      const at = [...path, name];
      if (child.onlyIn || /^(location|kind|id|type|name)$/.test(name)) continue;
      if (child.type === 'object') walk(child, at);
      const value = {
        1: { changed: 'yes' },
        2: /ip(address)?$/i.test(name) ? '10.0.0.9' : /addressPrefix$/.test(name) ? '10.0.0.0/24' : 'changed',
        3: child.maximum ?? (child.minimum ?? 0) + 3,
        4: true,
        5: child.enum?.at(-1) ?? '10.0.0.9',
      }[rank(child)];
      // A field below an object that has required members of its own would need those too.
      const bare = path.length === 0 || (field.required ?? []).length === 0 || root.required?.includes(path[0] ?? '');
      if (value !== undefined && bare) found.push([name === 'tags' ? 0 : rank(child) + path.length / 10, at, value]);
    }
  };
  walk(root, []);
  return found.sort(([a], [b]) => a - b).map(([, path, value]) => [path, value]);
}

function withValue(spec: Json, [name = '', ...rest]: string[], value: unknown): Json {
  if (rest.length === 0) return { ...spec, [name]: value };
  return { ...spec, [name]: withValue((spec[name] ?? {}) as Json, rest, value) };
}

function ownerOf({ arm }: ArmKindDefinition): Json {
  if (!arm.owner || arm.owner.extension) return {};
  const { kinds, group } = arm.owner;
  const owner = armKinds.find((other) => other.group === group && other.kind === kinds[0]);
  if (!owner) throw new Error(`No owner kind ${group}/${kinds[0]}`);
  return { owner: { name: exampleName(owner) } };
}

/** The required fields of a kind's spec, with what Azure asks beyond its schema; without owner. */
export const requiredFields = (kind: ArmKindDefinition, around: Surroundings): Json => ({
  ...(sampleOf(kind.arm.fields, '', around) as Json),
  ...more[id(kind)]?.(around),
});

export function exampleOf(kind: ArmKindDefinition, around: Surroundings): Example {
  const { arm } = kind;
  const name = exampleName(kind);
  const { secrets, configMaps } = arm.operatorSpec;
  const destinations = (names: readonly string[], target: string) =>
    Object.fromEntries(names.map((key) => [key, { name: `${name}-${target}`, key }]));
  const celNames = arm.secretSource?.celNames ?? [];
  const operatorSpec = {
    ...(secrets.length > 0 && { secrets: destinations(secrets, 'secrets') }),
    ...(configMaps.length > 0 && { configMaps: destinations(configMaps, 'config') }),
    ...(celNames.length > 0 && {
      secretExpressions: [
        { name: `${name}-cel`, value: `{${celNames.map((each) => `"${each}": secret.${each}`).join(', ')}}` },
      ],
    }),
  };
  const required = sampleOf(arm.fields, '', around) as Json;
  const own = more[id(kind)]?.(around) ?? {};
  const spec = { ...required, ...ownerOf(kind), ...own, operatorSpec };
  return {
    kind,
    name,
    spec,
    secrets,
    configMaps,
    get changed() {
      const [best] = changeable(arm.fields);
      const change = changes[id(kind)];
      if (!best && !change) throw new Error(`${id(kind)} has no field that could change`);
      return change ? { ...spec, ...change } : withValue(spec, best?.[0] ?? [], best?.[1]);
    },
  };
}
