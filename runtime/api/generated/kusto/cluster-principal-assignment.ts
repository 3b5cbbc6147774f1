// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface ClusterPrincipalAssignmentSpec {
  /**
   * Name in Azure. Pattern: `^.*$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  principalId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `principalId`.
   * @default Azure's own value
   */
  principalIdFromConfig?: ConfigMapKeyReference;
  principalType: 'App' | 'Group' | 'User';
  role: 'AllDatabasesAdmin' | 'AllDatabasesMonitor' | 'AllDatabasesViewer';
  /** @default Azure's own value */
  tenantId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `tenantId`.
   * @default Azure's own value
   */
  tenantIdFromConfig?: ConfigMapKeyReference;
  /** The Cluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'kusto.azure.com/Cluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ClusterPrincipalAssignment {
  spec: ClusterPrincipalAssignmentSpec;
  status?: ArmStatus;
}
