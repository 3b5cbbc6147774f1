import type { ResourceAction, ValueSource } from '../types.ts';

/**
 * The outputs of ASO v1 for a kind: applications that read them find the same names and keys. Source: the facts about
 * ASO v1, its section on secrets, and v1's own code for the values that they leave open.
 */
export interface V1Outputs {
  /** v1's kind, in lower case the first part of a secret's name. */
  readonly kind: string;
  /**
   * Each key with the CEL that gives its value, over `self` (the object), `secret` (secrets of Azure), `input` (values
   * that the spec takes from Secrets, by field) and `azure` (see `AzureNames`). A key whose value is null is left out.
   */
  readonly keys: Readonly<Record<string, string>>;
  /** CEL that gives a map of keys that only Azure knows, under the word that selects them. */
  readonly maps?: Readonly<Record<string, string>>;
  /** Further members of `secret`, each the answer of a POST. */
  readonly answers?: Readonly<Record<string, { readonly action: ResourceAction; readonly value: ValueSource }>>;
}

/** `azure` in the CEL of a table's row. */
export interface AzureNames {
  /** Last name of the ARM id. */
  readonly name: string;
  /** Every name of the ARM id by its type in lower case: `names.resourcegroups`. */
  readonly names: Readonly<Record<string, string>>;
  /** Domain of storage accounts and of SQL servers in this cloud. */
  readonly storageDomain: string;
  readonly sqlDomain: string;
}

/** The login as Azure shows it, given or generated. */
const login = 'has(self.status.administratorLogin) ? self.status.administratorLogin : null';
const given = (field: string) => `"${field}" in input ? input["${field}"] : null`;
const password = given('administratorLoginPassword');
const connectionString = (key: string) =>
  '"DefaultEndpointsProtocol=https;AccountName=" + azure.name + ";AccountKey=" + ' +
  `secret.${key} + ";EndpointSuffix=" + azure.storageDomain`;

/** Of Flexible Server, the successor of v1's servers, the login is the plain name: no `@server` belongs to it. */
const flexibleServer = (kind: string, nameKey: string): V1Outputs => ({
  kind,
  keys: {
    username: login,
    password,
    fullyQualifiedUsername: login,
    [nameKey]: 'azure.name',
    fullyQualifiedServerName: 'self.status.fullyQualifiedDomainName',
  },
});

/** By group and kind. */
export const v1Outputs: Readonly<Record<string, V1Outputs>> = {
  'cache.azure.com/Redis': {
    kind: 'RedisCache',
    keys: { primaryKey: 'secret.primaryKey', secondaryKey: 'secret.secondaryKey' },
  },
  'compute.azure.com/VirtualMachine': {
    kind: 'AzureVirtualMachine',
    keys: { password: given('osProfile.adminPassword') },
  },
  'compute.azure.com/VirtualMachineScaleSet': {
    kind: 'AzureVMScaleSet',
    keys: { password: given('virtualMachineProfile.osProfile.adminPassword') },
  },
  'compute.azure.com/VirtualMachinesExtension': {
    kind: 'AzureVirtualMachineExtension',
    keys: { protectedSettings: '"protectedSettings" in input ? dyn(azimuth.json(input["protectedSettings"])) : null' },
  },
  'dbformysql.azure.com/FlexibleServer': flexibleServer('MySQLServer', 'mySqlServerName'),
  'dbforpostgresql.azure.com/FlexibleServer': flexibleServer('PostgreSQLServer', 'postgreSqlServerName'),
  'documentdb.azure.com/DatabaseAccount': {
    kind: 'CosmosDB',
    keys: {
      primaryEndpoint: 'self.status.documentEndpoint',
      primaryMasterKey: 'secret.primaryMasterKey',
      secondaryMasterKey: 'secret.secondaryMasterKey',
      primaryReadonlyMasterKey: 'secret.primaryReadonlyMasterKey',
      secondaryReadonlyMasterKey: 'secret.secondaryReadonlyMasterKey',
    },
    maps: {
      connectionStrings: 'azimuth.keyed(secret.connectionStrings, "description", "connectionString")',
      locationEndpoints: 'azimuth.endpoints(self.status.readLocations, "locationName", "documentEndpoint")',
    },
    answers: {
      connectionStrings: {
        action: { method: 'POST', path: 'listConnectionStrings', apiVersion: '2021-10-15' },
        value: { from: 'action', path: 'connectionStrings' },
      },
    },
  },
  'eventhub.azure.com/NamespacesEventhubsAuthorizationRule': {
    kind: 'Eventhub',
    keys: {
      primaryConnectionString: 'secret.primaryConnectionString',
      secondaryConnectionString: 'secret.secondaryConnectionString',
      primaryKey: 'secret.primaryKey',
      secondaryKey: 'secret.secondaryKey',
      sharedaccessKey: 'azure.name',
      eventhubNamespace: 'azure.names.namespaces',
      eventhubName: 'azure.names.eventhubs',
    },
  },
  'insights.azure.com/Component': {
    kind: 'AppInsights',
    keys: { AppInsightsName: 'azure.name', instrumentationKey: 'self.status.InstrumentationKey' },
  },
  'sql.azure.com/Server': {
    kind: 'AzureSqlServer',
    keys: {
      username: login,
      password,
      fullyQualifiedUsername:
        'has(self.status.administratorLogin) ? dyn(self.status.administratorLogin + "@" + azure.name) : null',
      azureSqlServerName: 'azure.name',
      fullyQualifiedServerName: 'self.status.fullyQualifiedDomainName',
    },
  },
  'sql.azure.com/ServersFailoverGroup': {
    kind: 'AzureSqlFailoverGroup',
    keys: {
      azureSqlPrimaryServer: 'azure.names.servers',
      readWriteListenerEndpoint: 'azure.name + "." + azure.sqlDomain',
      azureSqlSecondaryServer: 'aso.parseResourceId(self.status.partnerServers[0].id).name',
      readOnlyListenerEndpoint: 'azure.name + ".secondary." + azure.sqlDomain',
    },
  },
  'storage.azure.com/StorageAccount': {
    kind: 'StorageAccount',
    keys: {
      StorageAccountName: 'azure.name',
      key0: 'secret.key1',
      key1: 'secret.key2',
      connectionString0: connectionString('key1'),
      connectionString1: connectionString('key2'),
    },
  },
};

/** The words that `operatorSpec.keyVault.keys` may have: v1's where the kind was in v1, else those of `secrets`. */
export function keyVaultKeys(group: string, kind: string, secrets: readonly string[]): readonly string[] {
  const v1 = v1Outputs[`${group}/${kind}`];
  return v1 ? [...Object.keys(v1.keys), ...Object.keys(v1.maps ?? {})] : secrets;
}
