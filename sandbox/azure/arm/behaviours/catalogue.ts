import { armKinds, armKindsOfType } from '../../../../runtime/api/kinds.ts';
import type { ArmKind, FieldTree } from '../../../../runtime/api/types.ts';
import { at, type Json, stringOf } from '../../json.ts';
import { type Behaviour, genericBehaviour, synchronous, type WriteContext } from '../behaviour.ts';
import { putAt } from '../resources/put-at.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import { keyActions } from './keys.ts';

/** Rules that Azure makes with every namespace and with every notification hub, by their names in lower case. */
const namespaceRules = { rootmanagesharedaccesskey: ['Listen', 'Manage', 'Send'] };
const hubRules = {
  defaultfullsharedaccesssignature: ['Listen', 'Manage', 'Send'],
  defaultlistensharedaccesssignature: ['Listen'],
};

function rightsOf({ type, types, name }: ResourcePath): readonly string[] | undefined {
  const isOfHub = /\/notificationHubs\/authorizationRules$/i.test(type);
  const rules: Readonly<Record<string, string[]>> = isOfHub ? hubRules : types.length === 2 ? namespaceRules : {};
  const key = name.toLowerCase();
  return Object.hasOwn(rules, key) ? rules[key] : undefined;
}

/** Members that providers fill in, by ARM type in lower case. Other outputs are generated. */
const outputs: Readonly<Record<string, (name: string, request: Json) => Json>> = {
  'microsoft.sql/servers': (name) => ({ fullyQualifiedDomainName: `${name}.database.windows.net`, state: 'Ready' }),
  'microsoft.dbforpostgresql/flexibleservers': (name) => ({
    fullyQualifiedDomainName: `${name}.postgres.database.azure.com`,
    state: 'Ready',
  }),
  'microsoft.dbformysql/flexibleservers': (name) => ({
    fullyQualifiedDomainName: `${name}.mysql.database.azure.com`,
    state: 'Ready',
  }),
  // The az command line takes both for granted.
  'microsoft.containerservice/managedclusters': (_, request) => ({
    ...(at(request, 'properties.servicePrincipalProfile') === undefined && {
      servicePrincipalProfile: { clientId: 'msi' },
    }),
    ...(at(request, 'properties.agentPoolProfiles') === undefined && { agentPoolProfiles: [] }),
  }),
  'microsoft.cache/redis': (name) => ({ hostName: `${name}.redis.cache.windows.net`, port: 6379, sslPort: 6380 }),
  'microsoft.containerregistry/registries': (name) => ({ loginServer: `${name.toLowerCase()}.azurecr.io` }),
  'microsoft.documentdb/databaseaccounts': (name) => ({
    documentEndpoint: `https://${name}.documents.azure.com:443/`,
    readLocations: ['West Europe', 'North Europe'].map((locationName) => ({
      locationName,
      documentEndpoint: `https://${name}-${locationName.replace(' ', '').toLowerCase()}.documents.azure.com:443/`,
    })),
  }),
  'microsoft.cognitiveservices/accounts': (name) => ({
    endpoint: `https://${name}.cognitiveservices.azure.com/`,
    endpoints: { 'OpenAI Language Model Instance API': `https://${name}.openai.azure.com/` },
  }),
  'microsoft.documentdb/mongoclusters': (name) => ({
    connectionString: `mongodb+srv://<user>:<password>@${name}.mongocluster.cosmos.azure.com/`,
  }),
  'microsoft.eventhub/namespaces': (name) => ({ serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/` }),
  'microsoft.network/trafficmanagerprofiles': (name, request) => ({
    dnsConfig: { fqdn: `${stringOf(at(request, 'properties.dnsConfig.relativeName')) || name}.trafficmanager.net` },
  }),
  'microsoft.servicebus/namespaces': (name) => ({ serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/` }),
};

/** Providers that take one write at a time, children included, and the error they answer with. */
const turns: Readonly<Record<string, Partial<Behaviour>>> = {
  'microsoft.containerservice/managedclusters': { busyWithChildren: 'provisioningState' },
  'microsoft.dbforpostgresql/flexibleservers': {
    busyWithChildren: 'state',
    busy: {
      code: 'ServerIsBusy',
      message: 'Cannot complete operation while server is busy processing another operation.',
    },
  },
};

/** ARM paths of the fields that are filled from Secrets: no provider shows those again. */
function secretPaths(arm: ArmKind): string[] {
  const walk = (field: FieldTree, path: string): string[] => {
    if (field.type === 'secret' || field.type === 'secretMap') return [path];
    const below = (name: string, child: FieldTree) => {
      const own = child.arm ?? name;
      return walk(child, [path, own].filter(Boolean).join('.'));
    };
    return [
      ...Object.entries(field.properties ?? {}).flatMap(([name, child]) => below(name, child)),
      ...(field.items ? walk(field.items, path) : []),
    ];
  };
  return Object.entries(arm.fields.properties ?? {}).flatMap(([name, child]) => {
    const outside = !arm.propertiesFlattened || arm.topLevel.includes(name);
    return walk(child, child.arm ?? (outside ? name : `properties.${name}`));
  });
}

/** The outputs that the operator reads out of the resource itself. */
function outputsOf(arm: ArmKind, { path, request, ids, system }: WriteContext): Json {
  const body: Json = {};
  const known = outputs[arm.armType.toLowerCase()]?.(path.name, request);
  if (known) body['properties'] = known;
  const sources = [
    ...Object.values(arm.secretSource?.secrets ?? {}),
    ...Object.values(arm.secretSource?.configMaps ?? {}),
  ];
  system['outputs'] ??= {};
  const made = system['outputs'] as Record<string, string>;
  for (const { from, armPath } of sources) {
    if (from !== 'status' || armPath === undefined || armPath.startsWith('identity.')) continue;
    if (at(body, armPath) !== undefined || at(request, armPath) !== undefined) continue;
    const name = armPath.split('.').at(-1) ?? '';
    const id = ids.uuid();
    made[armPath] ??= name === 'principalId' ? id : `${path.name}-${name}-${id}`;
    // The directory knows principals by this member.
    if (name === 'principalId') system[name] ??= made[armPath];
    putAt(body, armPath, made[armPath]);
  }
  return body;
}

function derived(arm: ArmKind): Behaviour {
  const required = arm.fields.required ?? [];
  const writeOnly = secretPaths(arm);
  return {
    ...genericBehaviour,
    type: arm.armType,
    tracked: arm.topLevel.includes('location') && required.includes('location'),
    ...(!arm.deletable && { remove: { status: 405 } }),
    ...(arm.presence === 'HEAD' && { ...synchronous, unreadable: true }),
    ...(writeOnly.length > 0 && { writeOnly }),
    ...(/\/authorizationRules$/i.test(arm.armType) && {
      implicit: (path) => {
        const rights = rightsOf(path);
        return rights && { properties: { rights: [...rights] } };
      },
    }),
    computed: (context) => outputsOf(arm, context),
    ...turns[arm.armType.toLowerCase()],
    ...keyActions(arm),
  };
}

/** The ARM types of the catalogue. */
export const catalogueTypes: readonly string[] = [...new Set(armKinds.map(({ armType }) => armType))];

/** The behaviour of a type of the catalogue, from its data; rows in other files add the rest of a provider's work. */
export function catalogueBehaviour(type: string): Behaviour | undefined {
  const [kind] = armKindsOfType(type);
  return kind && derived(kind.arm);
}
