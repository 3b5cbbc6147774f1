// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `CassandraCluster`. */
export interface CassandraClusterProps extends KindProps<'documentdb.azure.com/CassandraCluster'> {}

/**
 * Microsoft.DocumentDB/cassandraClusters, in a ResourceGroup.
 * Versions of Azure's API: 2026-03-15, 2025-10-15.
 */
export class CassandraCluster extends AzureResource<'documentdb.azure.com/CassandraCluster'> {
  constructor(scope: Construct, id: string, props: CassandraClusterProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/CassandraCluster' });
  }
}

/** Properties of `CassandraDataCenter`. */
export interface CassandraDataCenterProps extends KindProps<'documentdb.azure.com/CassandraDataCenter'> {}

/**
 * Microsoft.DocumentDB/cassandraClusters/dataCenters, in a CassandraCluster.
 * Versions of Azure's API: 2026-03-15, 2025-10-15.
 */
export class CassandraDataCenter extends AzureResource<'documentdb.azure.com/CassandraDataCenter'> {
  constructor(scope: Construct, id: string, props: CassandraDataCenterProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/CassandraDataCenter' });
  }
}

/** Properties of `DatabaseAccount`. */
export interface DatabaseAccountProps extends KindProps<'documentdb.azure.com/DatabaseAccount'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts, in a ResourceGroup.
 * `export()` gives `documentEndpoint`, `primaryMasterKey`, `primaryReadonlyMasterKey`, `secondaryMasterKey`, `secondaryReadonlyMasterKey`.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class DatabaseAccount extends AzureResource<'documentdb.azure.com/DatabaseAccount'> {
  constructor(scope: Construct, id: string, props: DatabaseAccountProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/DatabaseAccount' });
  }
}

/** Properties of `FirewallRule`. */
export interface FirewallRuleProps extends KindProps<'documentdb.azure.com/FirewallRule'> {}

/**
 * Microsoft.DocumentDB/mongoClusters/firewallRules, in a MongoCluster.
 * Versions of Azure's API: 2024-07-01.
 */
export class FirewallRule extends AzureResource<'documentdb.azure.com/FirewallRule'> {
  constructor(scope: Construct, id: string, props: FirewallRuleProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/FirewallRule' });
  }
}

/** Properties of `MongoCluster`. */
export interface MongoClusterProps extends KindProps<'documentdb.azure.com/MongoCluster'> {}

/**
 * Microsoft.DocumentDB/mongoClusters, in a ResourceGroup.
 * Versions of Azure's API: 2024-07-01.
 */
export class MongoCluster extends AzureResource<'documentdb.azure.com/MongoCluster'> {
  constructor(scope: Construct, id: string, props: MongoClusterProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongoCluster' });
  }
}

/** Properties of `MongodbDatabase`. */
export interface MongodbDatabaseProps extends KindProps<'documentdb.azure.com/MongodbDatabase'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/mongodbDatabases, in a DatabaseAccount.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class MongodbDatabase extends AzureResource<'documentdb.azure.com/MongodbDatabase'> {
  constructor(scope: Construct, id: string, props: MongodbDatabaseProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongodbDatabase' });
  }
}

/** Properties of `MongodbDatabaseCollection`. */
export interface MongodbDatabaseCollectionProps extends KindProps<'documentdb.azure.com/MongodbDatabaseCollection'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections, in a MongodbDatabase.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class MongodbDatabaseCollection extends AzureResource<'documentdb.azure.com/MongodbDatabaseCollection'> {
  constructor(scope: Construct, id: string, props: MongodbDatabaseCollectionProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongodbDatabaseCollection' });
  }
}

/** Properties of `MongodbDatabaseCollectionThroughputSetting`. */
export interface MongodbDatabaseCollectionThroughputSettingProps extends KindProps<'documentdb.azure.com/MongodbDatabaseCollectionThroughputSetting'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections/throughputSettings, in a MongodbDatabaseCollection.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class MongodbDatabaseCollectionThroughputSetting extends AzureResource<'documentdb.azure.com/MongodbDatabaseCollectionThroughputSetting'> {
  constructor(scope: Construct, id: string, props: MongodbDatabaseCollectionThroughputSettingProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongodbDatabaseCollectionThroughputSetting' });
  }
}

/** Properties of `MongodbDatabaseThroughputSetting`. */
export interface MongodbDatabaseThroughputSettingProps extends KindProps<'documentdb.azure.com/MongodbDatabaseThroughputSetting'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/throughputSettings, in a MongodbDatabase.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class MongodbDatabaseThroughputSetting extends AzureResource<'documentdb.azure.com/MongodbDatabaseThroughputSetting'> {
  constructor(scope: Construct, id: string, props: MongodbDatabaseThroughputSettingProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongodbDatabaseThroughputSetting' });
  }
}

/** Properties of `MongodbRoleDefinition`. */
export interface MongodbRoleDefinitionProps extends KindProps<'documentdb.azure.com/MongodbRoleDefinition'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/mongodbRoleDefinitions, in a DatabaseAccount.
 * Versions of Azure's API: 2024-08-15.
 */
export class MongodbRoleDefinition extends AzureResource<'documentdb.azure.com/MongodbRoleDefinition'> {
  constructor(scope: Construct, id: string, props: MongodbRoleDefinitionProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongodbRoleDefinition' });
  }
}

/** Properties of `MongodbUserDefinition`. */
export interface MongodbUserDefinitionProps extends KindProps<'documentdb.azure.com/MongodbUserDefinition'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/mongodbUserDefinitions, in a DatabaseAccount.
 * Versions of Azure's API: 2024-08-15.
 */
export class MongodbUserDefinition extends AzureResource<'documentdb.azure.com/MongodbUserDefinition'> {
  constructor(scope: Construct, id: string, props: MongodbUserDefinitionProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/MongodbUserDefinition' });
  }
}

/** Properties of `SqlDatabase`. */
export interface SqlDatabaseProps extends KindProps<'documentdb.azure.com/SqlDatabase'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases, in a DatabaseAccount.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabase extends AzureResource<'documentdb.azure.com/SqlDatabase'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabase' });
  }
}

/** Properties of `SqlDatabaseContainer`. */
export interface SqlDatabaseContainerProps extends KindProps<'documentdb.azure.com/SqlDatabaseContainer'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers, in a SqlDatabase.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabaseContainer extends AzureResource<'documentdb.azure.com/SqlDatabaseContainer'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseContainerProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabaseContainer' });
  }
}

/** Properties of `SqlDatabaseContainerStoredProcedure`. */
export interface SqlDatabaseContainerStoredProcedureProps extends KindProps<'documentdb.azure.com/SqlDatabaseContainerStoredProcedure'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/storedProcedures, in a SqlDatabaseContainer.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabaseContainerStoredProcedure extends AzureResource<'documentdb.azure.com/SqlDatabaseContainerStoredProcedure'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseContainerStoredProcedureProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabaseContainerStoredProcedure' });
  }
}

/** Properties of `SqlDatabaseContainerThroughputSetting`. */
export interface SqlDatabaseContainerThroughputSettingProps extends KindProps<'documentdb.azure.com/SqlDatabaseContainerThroughputSetting'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings, in a SqlDatabaseContainer.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabaseContainerThroughputSetting extends AzureResource<'documentdb.azure.com/SqlDatabaseContainerThroughputSetting'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseContainerThroughputSettingProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabaseContainerThroughputSetting' });
  }
}

/** Properties of `SqlDatabaseContainerTrigger`. */
export interface SqlDatabaseContainerTriggerProps extends KindProps<'documentdb.azure.com/SqlDatabaseContainerTrigger'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/triggers, in a SqlDatabaseContainer.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabaseContainerTrigger extends AzureResource<'documentdb.azure.com/SqlDatabaseContainerTrigger'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseContainerTriggerProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabaseContainerTrigger' });
  }
}

/** Properties of `SqlDatabaseContainerUserDefinedFunction`. */
export interface SqlDatabaseContainerUserDefinedFunctionProps extends KindProps<'documentdb.azure.com/SqlDatabaseContainerUserDefinedFunction'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/userDefinedFunctions, in a SqlDatabaseContainer.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabaseContainerUserDefinedFunction extends AzureResource<'documentdb.azure.com/SqlDatabaseContainerUserDefinedFunction'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseContainerUserDefinedFunctionProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabaseContainerUserDefinedFunction' });
  }
}

/** Properties of `SqlDatabaseThroughputSetting`. */
export interface SqlDatabaseThroughputSettingProps extends KindProps<'documentdb.azure.com/SqlDatabaseThroughputSetting'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlDatabases/throughputSettings, in a SqlDatabase.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlDatabaseThroughputSetting extends AzureResource<'documentdb.azure.com/SqlDatabaseThroughputSetting'> {
  constructor(scope: Construct, id: string, props: SqlDatabaseThroughputSettingProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlDatabaseThroughputSetting' });
  }
}

/** Properties of `SqlRoleAssignment`. */
export interface SqlRoleAssignmentProps extends KindProps<'documentdb.azure.com/SqlRoleAssignment'> {}

/**
 * Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments, in a DatabaseAccount.
 * Versions of Azure's API: 2024-08-15, 2023-11-15, 2021-05-15.
 */
export class SqlRoleAssignment extends AzureResource<'documentdb.azure.com/SqlRoleAssignment'> {
  constructor(scope: Construct, id: string, props: SqlRoleAssignmentProps) {
    super(scope, id, { ...props, kind: 'documentdb.azure.com/SqlRoleAssignment' });
  }
}
