/**
 * Manifests of kinds with a behaviour of their own, in the ways that ASO v2's samples do not show: older versions,
 * optional fields, owners and references by ARM id, names and values from ConfigMaps, other members of a one-of.
 */
import type { KubeObject } from '../../../runtime/kube/client/types.ts';

const location = 'westeurope';
const group = 'aso-sample-rg';
const owner = { name: group };
const anybody = '11111111-1111-4111-8111-111111111111';

const object = (apiVersion: string, kind: string, name: string, spec: object, annotations = {}): KubeObject => {
  const [domain, version] = apiVersion.split('/');
  return {
    apiVersion: `${domain}.azure.com/${version}`,
    kind,
    metadata: { namespace: 'default', name, annotations },
    spec,
  };
};

/** The manifests for a subscription. Objects that they name and that are not here are made of the catalogue's data. */
export function variations(subscriptionId: string): KubeObject[] {
  const inGroup = `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  const byId = (path: string) => ({ armId: `${inGroup}/providers/${path}` });
  const named = (domain: string, kind: string, name: string) => ({ group: `${domain}.azure.com`, kind, name });
  const storage = named('storage', 'StorageAccount', 'varystore');
  return [
    object('resources/v1api20200601', 'ResourceGroup', group, { location, tags: { made: 'by-hand' } }),
    object('storage/v1api20210401', 'StorageAccount', 'varystore', {
      location,
      owner,
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      accessTier: 'Cool',
      supportsHttpsTrafficOnly: true,
    }),
    // A singleton whose owner is an id, under an old version.
    object('storage/v1api20220901', 'StorageAccountsBlobService', 'vary-blobs', {
      owner: byId('Microsoft.Storage/storageAccounts/varystore'),
      isVersioningEnabled: true,
      deleteRetentionPolicy: { enabled: true, days: 7 },
      cors: {
        corsRules: [
          {
            allowedOrigins: ['*'],
            allowedMethods: ['GET'],
            allowedHeaders: [],
            exposedHeaders: [],
            maxAgeInSeconds: 60,
          },
        ],
      },
    }),
    // Singletons with and without DELETE, values from Secret and ConfigMap.
    object('sql/v1api20211101', 'ServersVulnerabilityAssessment', 'vary-assessment', {
      owner: { name: 'vary-sql' },
      storageContainerPathFromConfig: { name: 'vary-config', key: 'path' },
      storageContainerSasKey: { name: 'vary-secret', key: 'sas' },
      recurringScans: { isEnabled: false, emails: [] },
    }),
    object('sql/v1api20211101', 'ServersDatabasesTransparentDataEncryption', 'vary-encryption', {
      owner: { name: 'vary-database' },
      state: 'Enabled',
    }),
    object('sql/v20211101', 'ServersConnectionPolicy', 'vary-policy', {
      owner: { name: 'vary-sql' },
      connectionType: 'Proxy',
    }),
    // Extension resources on owners of several groups, by name and by id.
    object('insights/v1api20210501preview', 'DiagnosticSetting', 'vary-of-account', {
      owner: storage,
      storageAccountReference: byId('Microsoft.Storage/storageAccounts/varystore'),
      metrics: [{ category: 'Transaction', enabled: true, retentionPolicy: { enabled: false, days: 0 } }],
    }),
    object('insights/v1api20210501preview', 'DiagnosticSetting', 'vary-of-id', {
      azureName: 'by-id',
      owner: byId('Microsoft.Storage/storageAccounts/varystore'),
      workspaceReference: named('operationalinsights', 'Workspace', 'vary-logs'),
      logs: [{ categoryGroup: 'allLogs', enabled: true }],
    }),
    object('authorization/v1api20200801preview', 'RoleAssignment', 'vary-role', {
      owner: { armId: inGroup },
      principalIdFromConfig: { name: 'vary-config', key: 'principal' },
      principalType: 'ServicePrincipal',
      roleDefinitionReference: { wellKnownName: 'Reader' },
      description: 'reads',
    }),
    object('eventgrid/v1api20200601', 'EventSubscription', 'vary-queue', {
      owner: storage,
      destination: {
        storageQueue: {
          endpointType: 'StorageQueue',
          queueName: 'events',
          resourceReference: byId('Microsoft.Storage/storageAccounts/varystore'),
        },
      },
      filter: { advancedFilters: [{ numberIn: { operatorType: 'NumberIn', key: 'data.size', values: [1, 2] } }] },
    }),
    object('eventgrid/v20200601', 'EventSubscription', 'vary-hook', {
      owner: { ...owner, group: 'resources.azure.com', kind: 'ResourceGroup' },
      destination: { webHook: { endpointType: 'WebHook', endpointUrl: { name: 'vary-secret', key: 'url' } } },
      labels: ['one'],
    }),
    // Without DELETE, and below a region, which stays.
    object(
      'quota/v1api20250901',
      'Quota',
      'vary-quota',
      {
        azureName: 'standardFSv2Family',
        owner: { armId: `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/westeurope` },
        properties: {
          limit: { limitValue: { limitObjectType: 'LimitValue', value: 10 } },
          name: { value: 'standardFSv2Family' },
        },
      },
      { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' },
    ),
    // Tenant scope, with what is optional.
    object('subscription/v1api20211001', 'Alias', 'vary-subscription', {
      azureName: 'vary-alias',
      properties: { displayName: 'Vary', workload: 'DevTest', billingScope: '/providers/Microsoft.Billing/x/y' },
    }),
    // The name from a ConfigMap.
    object('dbforpostgresql/v20250801', 'FlexibleServersAdministrator', 'vary-admin', {
      azureNameFromConfig: { name: 'vary-config', key: 'principal' },
      owner: { name: 'vary-postgres' },
      principalName: 'team',
      principalType: 'Group',
      tenantIdFromConfig: { name: 'vary-config', key: 'tenant' },
    }),
    // No DELETE, on two servers.
    object('dbforpostgresql/v1api20221201', 'FlexibleServersConfiguration', 'vary-connections', {
      azureName: 'max_connections',
      owner: { name: 'vary-postgres' },
      source: 'user-override',
      value: '100',
    }),
    object('dbformysql/v1api20230630', 'FlexibleServersConfiguration', 'vary-locks', {
      azureName: 'max_connections',
      owner: { name: 'vary-mysql' },
      source: 'user-override',
      value: '70',
    }),
    // Keys from paged and from several lists.
    object('appconfiguration/v1api20220501', 'ConfigurationStore', 'vary-store', {
      location,
      owner,
      sku: { name: 'standard' },
      operatorSpec: {
        secrets: {
          primaryReadOnlyKey: { name: 'vary-store', key: 'read' },
          secondaryConnectionString: { name: 'vary-store', key: 'second' },
        },
      },
    }),
    object('search/v1api20220901', 'SearchService', 'vary-search', {
      location,
      owner: { armId: inGroup },
      sku: { name: 'basic' },
      operatorSpec: {
        secrets: { queryKey: { name: 'vary-search', key: 'query' } },
        secretExpressions: [{ name: 'vary-search-both', key: 'both', value: 'secret.adminPrimaryKey + ":q"' }],
      },
    }),
    // The whole body is a one-of.
    object('kusto/v1api20230815', 'Database', 'vary-kusto', {
      owner: { name: 'vary-cluster' },
      readWriteDatabase: { kind: 'ReadWrite', location, hotCachePeriod: 'P5D', softDeletePeriod: 'P10D' },
    }),
    object('kusto/v1api20230815', 'DataConnection', 'vary-grid', {
      owner: { name: 'vary-kusto' },
      eventGridDataConnection: {
        kind: 'EventGrid',
        location,
        consumerGroup: '$Default',
        eventHubResourceReference: named('eventhub', 'NamespacesEventhub', 'vary-hub'),
        storageAccountResourceReference: byId('Microsoft.Storage/storageAccounts/varystore'),
        blobStorageEventType: 'Microsoft.Storage.BlobRenamed',
      },
    }),
    object('machinelearningservices/v1api20240401', 'WorkspacesCompute', 'vary-compute', {
      owner: { name: 'vary-workspace' },
      location,
      properties: { computeInstance: { computeType: 'ComputeInstance', properties: { vmSize: 'STANDARD_DS2' } } },
    }),
    // Backups, whose state decides.
    object('dataprotection/v1api20231101', 'BackupVaultsBackupInstance', 'vary-backup', {
      azureName: `varystore-${anybody}`,
      owner: { name: 'vary-vault' },
      properties: {
        objectType: 'BackupInstance',
        friendlyName: 'blobs',
        dataSourceInfo: {
          datasourceType: 'Microsoft.Storage/storageAccounts/blobServices',
          resourceReference: storage,
          resourceLocation: location,
          resourceType: 'Microsoft.Storage/storageAccounts',
        },
        policyInfo: { policyReference: named('dataprotection', 'BackupVaultsBackupPolicy', 'vary-rule') },
        validationType: 'ShallowValidation',
      },
    }),
    // A generated name, and ids in place of references.
    object('documentdb/v1api20231115', 'SqlRoleAssignment', 'vary-cosmos', {
      owner: { name: 'vary-account' },
      principalIdFromConfig: { name: 'vary-config', key: 'principal' },
      scope: `${inGroup}/providers/Microsoft.DocumentDB/databaseAccounts/vary-account`,
      roleDefinitionId: `${inGroup}/providers/Microsoft.DocumentDB/databaseAccounts/vary-account/sqlRoleDefinitions/00000000-0000-0000-0000-000000000001`,
    }),
    object('insights/v1api20180301', 'MetricAlert', 'vary-alert', {
      location: 'global',
      owner,
      enabled: true,
      severity: 0,
      evaluationFrequency: 'PT1M',
      windowSize: 'PT5M',
      scopesReferences: [byId('Microsoft.Storage/storageAccounts/varystore'), storage],
      criteria: {
        microsoftAzureMonitorMultipleResourceMultipleMetricCriteria: {
          'odata.type': 'Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria',
          allOf: [
            {
              staticThresholdCriterion: {
                criterionType: 'StaticThresholdCriterion',
                metricName: 'Transactions',
                name: 'many',
                operator: 'GreaterThan',
                threshold: 0,
                timeAggregation: 'Average',
              },
            },
          ],
        },
      },
    }),
    // HEAD in place of GET.
    object('apimanagement/v1api20220801', 'ProductApi', 'vary-product-api', {
      azureName: 'vary-api',
      owner: byId('Microsoft.ApiManagement/service/vary-apim/products/vary-product'),
    }),
    object('apimanagement/v1api20220801', 'Product', 'vary-product', {
      owner: { name: 'vary-apim' },
      displayName: 'Vary',
      description: '',
      subscriptionRequired: true,
      approvalRequired: false,
      subscriptionsLimit: 0,
    }),
    object('apimanagement/v1api20220801', 'Api', 'vary-api', {
      owner: { name: 'vary-apim' },
      displayName: 'Vary',
      path: 'vary',
      protocols: ['https'],
    }),
    object('apimanagement/v1api20220801', 'Service', 'vary-apim', {
      location,
      owner,
      publisherEmail: 'a@example.com',
      publisherName: 'A',
      sku: { name: 'Consumption', capacity: 0 },
    }),
    // One object of Azure in another's body, and a link by id.
    object('network/v1api20201101', 'VirtualNetwork', 'vary-net', {
      location,
      owner,
      addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
      enableDdosProtection: false,
    }),
    object('network/v1api20201101', 'VirtualNetworksSubnet', 'vary-subnet', {
      owner: byId('Microsoft.Network/virtualNetworks/vary-net'),
      addressPrefix: '10.0.1.0/24',
      networkSecurityGroup: { reference: named('network', 'NetworkSecurityGroup', 'vary-rules') },
      delegations: [{ name: 'web', serviceName: 'Microsoft.Web/serverFarms' }],
    }),
    object('network/v1api20200601', 'PrivateDnsZonesVirtualNetworkLink', 'vary-link', {
      location: 'global',
      owner: { name: 'vary-zone' },
      registrationEnabled: false,
      virtualNetwork: { reference: byId('Microsoft.Network/virtualNetworks/vary-net') },
    }),
    object('network/v1api20180901', 'PrivateDnsZone', 'vary-zone', {
      azureName: 'vary.test',
      location: 'global',
      owner,
    }),
    object('network/v1api20180501', 'DnsZonesTXTRecord', 'vary-text', {
      azureName: '@',
      owner: { name: 'vary-dns' },
      TTL: 60,
      TXTRecords: [{ value: ['a', 'b'] }],
    }),
    object('communication/v20230401', 'Domain', 'vary-domain', {
      azureName: 'AzureManagedDomain',
      owner: { name: 'vary-mail' },
      location: 'global',
      domainManagement: 'AzureManaged',
    }),
    // ASO v2 has this export and writes nothing.
    object('containerservice/v1api20250301', 'Fleet', 'vary-fleet', {
      owner,
      location,
      operatorSpec: { secrets: { userCredentials: { name: 'vary-fleet-credentials', key: 'kubeconfig' } } },
    }),
    { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'vary-secret' }, stringData: values() },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'vary-config' },
      data: { principal: anybody, tenant: anybody, path: 'https://varystore.blob.core.windows.net/scans' },
    },
  ];
}

const values = () => ({ sas: 'sv=1', url: 'https://hooks.example/x' });
