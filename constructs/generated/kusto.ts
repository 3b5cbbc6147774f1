// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Cluster`. */
export interface ClusterProps extends KindProps<'kusto.azure.com/Cluster'> {}

/**
 * Microsoft.Kusto/clusters, in a ResourceGroup.
 * `export()` gives `clusterPrincipalId`, `clusterTenantId`.
 * Versions of Azure's API: 2024-04-13, 2023-08-15.
 */
export class Cluster extends AzureResource<'kusto.azure.com/Cluster'> {
  constructor(scope: Construct, id: string, props: ClusterProps) {
    super(scope, id, { ...props, kind: 'kusto.azure.com/Cluster' });
  }
}

/** Properties of `ClusterPrincipalAssignment`. */
export interface ClusterPrincipalAssignmentProps extends KindProps<'kusto.azure.com/ClusterPrincipalAssignment'> {}

/**
 * Microsoft.Kusto/clusters/principalAssignments, in a Cluster.
 * Versions of Azure's API: 2024-04-13.
 */
export class ClusterPrincipalAssignment extends AzureResource<'kusto.azure.com/ClusterPrincipalAssignment'> {
  constructor(scope: Construct, id: string, props: ClusterPrincipalAssignmentProps) {
    super(scope, id, { ...props, kind: 'kusto.azure.com/ClusterPrincipalAssignment' });
  }
}

/** Properties of `DataConnection`. */
export interface DataConnectionProps extends KindProps<'kusto.azure.com/DataConnection'> {}

/**
 * Microsoft.Kusto/clusters/databases/dataConnections, in a Database.
 * Versions of Azure's API: 2024-04-13, 2023-08-15.
 */
export class DataConnection extends AzureResource<'kusto.azure.com/DataConnection'> {
  constructor(scope: Construct, id: string, props: DataConnectionProps) {
    super(scope, id, { ...props, kind: 'kusto.azure.com/DataConnection' });
  }
}

/** Properties of `Database`. */
export interface DatabaseProps extends KindProps<'kusto.azure.com/Database'> {}

/**
 * Microsoft.Kusto/clusters/databases, in a Cluster.
 * Versions of Azure's API: 2024-04-13, 2023-08-15.
 */
export class Database extends AzureResource<'kusto.azure.com/Database'> {
  constructor(scope: Construct, id: string, props: DatabaseProps) {
    super(scope, id, { ...props, kind: 'kusto.azure.com/Database' });
  }
}

/** Properties of `PrincipalAssignment`. */
export interface PrincipalAssignmentProps extends KindProps<'kusto.azure.com/PrincipalAssignment'> {}

/**
 * Microsoft.Kusto/clusters/databases/principalAssignments, in a Database.
 * Versions of Azure's API: 2024-04-13.
 */
export class PrincipalAssignment extends AzureResource<'kusto.azure.com/PrincipalAssignment'> {
  constructor(scope: Construct, id: string, props: PrincipalAssignmentProps) {
    super(scope, id, { ...props, kind: 'kusto.azure.com/PrincipalAssignment' });
  }
}
