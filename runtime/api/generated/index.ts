// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry } from '../arm-kind.ts';
import { entry as apimanagementApi } from './apimanagement/api.ts';
import { entry as apimanagementService } from './apimanagement/service.ts';
import { entry as authorizationRoleAssignment } from './authorization/role-assignment.ts';
import { entry as authorizationRoleDefinition } from './authorization/role-definition.ts';
import { entry as cacheRedis } from './cache/redis.ts';
import { entry as cacheRedisFirewallRule } from './cache/redis-firewall-rule.ts';
import { entry as cacheRedisLinkedServer } from './cache/redis-linked-server.ts';
import { entry as computeDisk } from './compute/disk.ts';
import { entry as computeVirtualMachine } from './compute/virtual-machine.ts';
import { entry as computeVirtualMachineScaleSet } from './compute/virtual-machine-scale-set.ts';
import { entry as computeVirtualMachineScaleSetsExtension } from './compute/virtual-machine-scale-sets-extension.ts';
import { entry as computeVirtualMachinesExtension } from './compute/virtual-machines-extension.ts';
import { entry as containerregistryRegistry } from './containerregistry/registry.ts';
import { entry as containerserviceManagedCluster } from './containerservice/managed-cluster.ts';
import { entry as containerserviceManagedClustersAgentPool } from './containerservice/managed-clusters-agent-pool.ts';
import { entry as dbformysqlFlexibleServer } from './dbformysql/flexible-server.ts';
import { entry as dbformysqlFlexibleServersAdministrator } from './dbformysql/flexible-servers-administrator.ts';
import { entry as dbformysqlFlexibleServersDatabase } from './dbformysql/flexible-servers-database.ts';
import { entry as dbformysqlFlexibleServersFirewallRule } from './dbformysql/flexible-servers-firewall-rule.ts';
import { entry as dbforpostgresqlFlexibleServer } from './dbforpostgresql/flexible-server.ts';
import { entry as dbforpostgresqlFlexibleServersConfiguration } from './dbforpostgresql/flexible-servers-configuration.ts';
import { entry as dbforpostgresqlFlexibleServersDatabase } from './dbforpostgresql/flexible-servers-database.ts';
import { entry as dbforpostgresqlFlexibleServersFirewallRule } from './dbforpostgresql/flexible-servers-firewall-rule.ts';
import { entry as documentdbDatabaseAccount } from './documentdb/database-account.ts';
import { entry as documentdbMongodbDatabase } from './documentdb/mongodb-database.ts';
import { entry as documentdbMongodbDatabaseCollection } from './documentdb/mongodb-database-collection.ts';
import { entry as documentdbSqlDatabase } from './documentdb/sql-database.ts';
import { entry as documentdbSqlDatabaseContainer } from './documentdb/sql-database-container.ts';
import { entry as eventhubNamespace } from './eventhub/namespace.ts';
import { entry as eventhubNamespacesAuthorizationRule } from './eventhub/namespaces-authorization-rule.ts';
import { entry as eventhubNamespacesEventhub } from './eventhub/namespaces-eventhub.ts';
import { entry as eventhubNamespacesEventhubsAuthorizationRule } from './eventhub/namespaces-eventhubs-authorization-rule.ts';
import { entry as eventhubNamespacesEventhubsConsumerGroup } from './eventhub/namespaces-eventhubs-consumer-group.ts';
import { entry as insightsComponent } from './insights/component.ts';
import { entry as keyvaultVault } from './keyvault/vault.ts';
import { entry as managedidentityFederatedIdentityCredential } from './managedidentity/federated-identity-credential.ts';
import { entry as managedidentityUserAssignedIdentity } from './managedidentity/user-assigned-identity.ts';
import { entry as networkLoadBalancer } from './network/load-balancer.ts';
import { entry as networkNatGateway } from './network/nat-gateway.ts';
import { entry as networkNetworkInterface } from './network/network-interface.ts';
import { entry as networkNetworkSecurityGroup } from './network/network-security-group.ts';
import { entry as networkNetworkSecurityGroupsSecurityRule } from './network/network-security-groups-security-rule.ts';
import { entry as networkPrivateEndpoint } from './network/private-endpoint.ts';
import { entry as networkPublicIPAddress } from './network/public-ip-address.ts';
import { entry as networkRouteTable } from './network/route-table.ts';
import { entry as networkVirtualNetwork } from './network/virtual-network.ts';
import { entry as networkVirtualNetworksSubnet } from './network/virtual-networks-subnet.ts';
import { entry as operationalinsightsWorkspace } from './operationalinsights/workspace.ts';
import { entry as resourcesResourceGroup } from './resources/resource-group.ts';
import { entry as servicebusNamespace } from './servicebus/namespace.ts';
import { entry as servicebusNamespacesAuthorizationRule } from './servicebus/namespaces-authorization-rule.ts';
import { entry as servicebusNamespacesQueue } from './servicebus/namespaces-queue.ts';
import { entry as servicebusNamespacesTopic } from './servicebus/namespaces-topic.ts';
import { entry as servicebusNamespacesTopicsSubscription } from './servicebus/namespaces-topics-subscription.ts';
import { entry as sqlServer } from './sql/server.ts';
import { entry as sqlServersAdministrator } from './sql/servers-administrator.ts';
import { entry as sqlServersDatabase } from './sql/servers-database.ts';
import { entry as sqlServersElasticPool } from './sql/servers-elastic-pool.ts';
import { entry as sqlServersFailoverGroup } from './sql/servers-failover-group.ts';
import { entry as sqlServersFirewallRule } from './sql/servers-firewall-rule.ts';
import { entry as sqlServersVirtualNetworkRule } from './sql/servers-virtual-network-rule.ts';
import { entry as storageStorageAccount } from './storage/storage-account.ts';
import { entry as storageStorageAccountsBlobService } from './storage/storage-accounts-blob-service.ts';
import { entry as storageStorageAccountsBlobServicesContainer } from './storage/storage-accounts-blob-services-container.ts';
import { entry as storageStorageAccountsFileService } from './storage/storage-accounts-file-service.ts';
import { entry as storageStorageAccountsFileServicesShare } from './storage/storage-accounts-file-services-share.ts';
import { entry as storageStorageAccountsManagementPolicy } from './storage/storage-accounts-management-policy.ts';
import { entry as storageStorageAccountsQueueService } from './storage/storage-accounts-queue-service.ts';
import { entry as storageStorageAccountsQueueServicesQueue } from './storage/storage-accounts-queue-services-queue.ts';
import { entry as storageStorageAccountsTableService } from './storage/storage-accounts-table-service.ts';
import { entry as storageStorageAccountsTableServicesTable } from './storage/storage-accounts-table-services-table.ts';

export const armKindEntries: readonly ArmKindEntry[] = [
  resourcesResourceGroup,
  storageStorageAccount,
  storageStorageAccountsBlobService,
  storageStorageAccountsBlobServicesContainer,
  storageStorageAccountsManagementPolicy,
  storageStorageAccountsQueueService,
  storageStorageAccountsQueueServicesQueue,
  storageStorageAccountsTableService,
  storageStorageAccountsTableServicesTable,
  storageStorageAccountsFileService,
  storageStorageAccountsFileServicesShare,
  keyvaultVault,
  managedidentityUserAssignedIdentity,
  managedidentityFederatedIdentityCredential,
  authorizationRoleAssignment,
  authorizationRoleDefinition,
  networkVirtualNetwork,
  networkVirtualNetworksSubnet,
  networkNetworkInterface,
  networkPublicIPAddress,
  networkLoadBalancer,
  networkNetworkSecurityGroup,
  networkNetworkSecurityGroupsSecurityRule,
  networkRouteTable,
  networkPrivateEndpoint,
  networkNatGateway,
  computeVirtualMachine,
  computeVirtualMachinesExtension,
  computeVirtualMachineScaleSet,
  computeVirtualMachineScaleSetsExtension,
  computeDisk,
  sqlServer,
  sqlServersDatabase,
  sqlServersFirewallRule,
  sqlServersVirtualNetworkRule,
  sqlServersFailoverGroup,
  sqlServersElasticPool,
  sqlServersAdministrator,
  dbforpostgresqlFlexibleServer,
  dbforpostgresqlFlexibleServersDatabase,
  dbforpostgresqlFlexibleServersFirewallRule,
  dbforpostgresqlFlexibleServersConfiguration,
  dbformysqlFlexibleServer,
  dbformysqlFlexibleServersDatabase,
  dbformysqlFlexibleServersFirewallRule,
  dbformysqlFlexibleServersAdministrator,
  cacheRedis,
  cacheRedisFirewallRule,
  cacheRedisLinkedServer,
  documentdbDatabaseAccount,
  documentdbSqlDatabase,
  documentdbSqlDatabaseContainer,
  documentdbMongodbDatabase,
  documentdbMongodbDatabaseCollection,
  eventhubNamespace,
  eventhubNamespacesEventhub,
  eventhubNamespacesEventhubsConsumerGroup,
  eventhubNamespacesAuthorizationRule,
  eventhubNamespacesEventhubsAuthorizationRule,
  servicebusNamespace,
  servicebusNamespacesQueue,
  servicebusNamespacesTopic,
  servicebusNamespacesTopicsSubscription,
  servicebusNamespacesAuthorizationRule,
  insightsComponent,
  operationalinsightsWorkspace,
  apimanagementService,
  apimanagementApi,
  containerserviceManagedCluster,
  containerserviceManagedClustersAgentPool,
  containerregistryRegistry,
];
