import type { Movement } from './movements.ts';

/** A member of an ARM body that Azure moves while the declared body allows it. `[]` stands for each item of a list. */
export interface MovedField {
  /** Group and kind, as `containerservice.azure.com/ManagedCluster`. */
  readonly kinds: readonly string[];
  readonly path: string;
  /** The declared member that allows it, and its values. @default always */
  readonly while?: { readonly path: string; readonly is: readonly (string | boolean)[] };
  readonly moves: Movement;
  readonly why: string;
}

const aks = 'containerservice.azure.com/ManagedCluster';
const pool = 'containerservice.azure.com/ManagedClustersAgentPool';
const servers = ['dbformysql.azure.com/FlexibleServer', 'dbforpostgresql.azure.com/FlexibleServer'];
const throughputSettings = [
  'MongodbDatabaseCollectionThroughputSetting',
  'MongodbDatabaseThroughputSetting',
  'SqlDatabaseContainerThroughputSetting',
  'SqlDatabaseThroughputSetting',
].map((kind) => `documentdb.azure.com/${kind}`);
const extensions = ['compute.azure.com/VirtualMachineScaleSetsExtension', 'compute.azure.com/VirtualMachinesExtension'];
const setExtensions = 'properties.virtualMachineProfile.extensionProfile.extensions[].properties';

const channel = 'properties.autoUpgradeProfile.upgradeChannel';
const zoneRedundant = { path: 'properties.highAvailability.mode', is: ['ZoneRedundant'] };
const zones: Movement = {
  by: 'exchange',
  among: ['properties.availabilityZone', 'properties.highAvailability.standbyAvailabilityZone'],
};
const autoGrow = { path: 'properties.storage.autoGrow', is: ['Enabled'] };
const upgraded = 'the automatic upgrade of extensions';

/** The members that Azure moves by itself, by kind. */
export const movedFields: readonly MovedField[] = [
  {
    kinds: ['cache.azure.com/Redis'],
    path: 'properties.redisVersion',
    moves: { by: 'minor' },
    why: 'Azure upgrades minor versions, and has no setting against it',
  },
  {
    kinds: ['cognitiveservices.azure.com/Deployment'],
    path: 'properties.model.version',
    while: {
      path: 'properties.versionUpgradeOption',
      is: ['OnceCurrentVersionExpired', 'OnceNewDefaultVersionAvailable'],
    },
    moves: { by: 'any' },
    why: 'the automatic upgrade of the model, whose versions have no order',
  },
  ...(['autoUpgradeMinorVersion', 'enableAutomaticUpgrade'] as const).flatMap((flag): MovedField[] => [
    {
      kinds: extensions,
      path: 'properties.typeHandlerVersion',
      while: { path: `properties.${flag}`, is: [true] },
      moves: { by: 'minor' },
      why: upgraded,
    },
    {
      kinds: ['compute.azure.com/VirtualMachineScaleSet'],
      path: `${setExtensions}.typeHandlerVersion`,
      while: { path: `${setExtensions}.${flag}`, is: [true] },
      moves: { by: 'minor' },
      why: upgraded,
    },
  ]),
  {
    kinds: [aks],
    path: 'properties.kubernetesVersion',
    while: { path: channel, is: ['patch'] },
    moves: { by: 'patch' },
    why: 'the upgrade channel of the cluster',
  },
  {
    kinds: [aks],
    path: 'properties.kubernetesVersion',
    while: { path: channel, is: ['stable', 'rapid'] },
    moves: { by: 'minor' },
    why: 'the upgrade channel of the cluster',
  },
  {
    kinds: [aks],
    path: 'properties.agentPoolProfiles[].orchestratorVersion',
    while: { path: channel, is: ['patch'] },
    moves: { by: 'patch' },
    why: 'the upgrade channel of the cluster',
  },
  {
    kinds: [aks],
    path: 'properties.agentPoolProfiles[].orchestratorVersion',
    while: { path: channel, is: ['stable', 'rapid'] },
    moves: { by: 'minor' },
    why: 'the upgrade channel of the cluster',
  },
  {
    kinds: [aks],
    path: 'properties.agentPoolProfiles[].count',
    while: { path: 'properties.agentPoolProfiles[].enableAutoScaling', is: [true] },
    moves: {
      by: 'range',
      least: 'properties.agentPoolProfiles[].minCount',
      most: 'properties.agentPoolProfiles[].maxCount',
    },
    why: 'the cluster autoscaler',
  },
  {
    kinds: [pool],
    path: 'properties.orchestratorVersion',
    moves: { by: 'minor' },
    why: 'the channel is in the spec of the cluster, and Azure never takes an earlier version for a pool',
  },
  {
    kinds: [pool],
    path: 'properties.count',
    while: { path: 'properties.enableAutoScaling', is: [true] },
    moves: { by: 'range', least: 'properties.minCount', most: 'properties.maxCount' },
    why: 'the cluster autoscaler',
  },
  {
    kinds: servers,
    path: 'properties.storage.storageSizeGB',
    while: autoGrow,
    moves: { by: 'growth' },
    why: 'storage grows when it is full',
  },
  {
    kinds: ['dbforpostgresql.azure.com/FlexibleServer'],
    path: 'properties.storage.tier',
    while: autoGrow,
    moves: { by: 'growth' },
    why: 'a larger disk has a higher tier',
  },
  {
    kinds: servers,
    path: 'properties.storage.iops',
    while: autoGrow,
    moves: { by: 'growth' },
    why: 'a larger disk has more of them',
  },
  {
    kinds: ['dbformysql.azure.com/FlexibleServer'],
    path: 'properties.storage.iops',
    while: { path: 'properties.storage.autoIoScaling', is: ['Enabled'] },
    moves: { by: 'any' },
    why: 'they follow the load',
  },
  {
    kinds: servers,
    path: 'properties.availabilityZone',
    while: zoneRedundant,
    moves: zones,
    why: 'a failover exchanges the zones',
  },
  {
    kinds: servers,
    path: 'properties.highAvailability.standbyAvailabilityZone',
    while: zoneRedundant,
    moves: zones,
    why: 'a failover exchanges the zones',
  },
  {
    kinds: ['dbformariadb.azure.com/Server'],
    path: 'properties.storageProfile.storageMB',
    while: { path: 'properties.storageProfile.storageAutogrow', is: ['Enabled'] },
    moves: { by: 'growth' },
    why: 'storage grows when it is full',
  },
  {
    kinds: ['documentdb.azure.com/DatabaseAccount'],
    path: 'properties.locations[].failoverPriority',
    while: { path: 'properties.enableAutomaticFailover', is: [true] },
    moves: { by: 'any' },
    why: 'a failover makes another region the first one',
  },
  {
    kinds: throughputSettings,
    path: 'properties.resource.autoscaleSettings.maxThroughput',
    while: {
      path: 'properties.resource.autoscaleSettings.autoUpgradePolicy.throughputPolicy.isEnabled',
      is: [true],
    },
    moves: { by: 'growth' },
    why: 'the maximum grows with the data',
  },
  {
    kinds: ['eventhub.azure.com/Namespace'],
    path: 'sku.capacity',
    while: { path: 'properties.isAutoInflateEnabled', is: [true] },
    moves: { by: 'range', most: 'properties.maximumThroughputUnits' },
    why: 'auto-inflate adds units and takes none away',
  },
  {
    kinds: ['kubernetesconfiguration.azure.com/Extension'],
    path: 'properties.version',
    while: { path: 'properties.autoUpgradeMinorVersion', is: [true] },
    moves: { by: 'minor' },
    why: upgraded,
  },
  {
    kinds: ['kusto.azure.com/Cluster'],
    path: 'sku.capacity',
    while: { path: 'properties.optimizedAutoscale.isEnabled', is: [true] },
    moves: {
      by: 'range',
      least: 'properties.optimizedAutoscale.minimum',
      most: 'properties.optimizedAutoscale.maximum',
    },
    why: 'optimized autoscale',
  },
  {
    kinds: ['synapse.azure.com/WorkspacesBigDataPool'],
    path: 'properties.nodeCount',
    while: { path: 'properties.autoScale.enabled', is: [true] },
    moves: { by: 'range', least: 'properties.autoScale.minNodeCount', most: 'properties.autoScale.maxNodeCount' },
    why: 'autoscale of the pool',
  },
  {
    kinds: ['machinelearningservices.azure.com/WorkspacesCompute'],
    path: 'properties.properties.nodeCount',
    while: { path: 'properties.properties.autoScaleProperties.enabled', is: [true] },
    moves: {
      by: 'range',
      least: 'properties.properties.autoScaleProperties.minNodeCount',
      most: 'properties.properties.autoScaleProperties.maxNodeCount',
    },
    why: 'autoscale of an attached Spark pool',
  },
  {
    kinds: ['web.azure.com/ServerFarm'],
    path: 'sku.capacity',
    while: { path: 'properties.elasticScaleEnabled', is: [true] },
    moves: { by: 'range', most: 'properties.maximumElasticWorkerCount' },
    why: 'automatic scaling adds workers',
  },
];
