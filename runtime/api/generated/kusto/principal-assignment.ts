// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface PrincipalAssignmentSpec {
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
  role: 'Admin' | 'Ingestor' | 'Monitor' | 'UnrestrictedViewer' | 'User' | 'Viewer';
  /** @default Azure's own value */
  tenantId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `tenantId`.
   * @default Azure's own value
   */
  tenantIdFromConfig?: ConfigMapKeyReference;
  /** The Database that it is in, by construct or ARM id. */
  owner: KnownOwner<'kusto.azure.com/Database'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PrincipalAssignment {
  spec: PrincipalAssignmentSpec;
  status?: ArmStatus;
}
