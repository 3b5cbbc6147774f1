// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface SqlRoleAssignmentSpec {
  /**
   * Name in Azure.
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
  /** @default Azure's own value */
  roleDefinitionId?: string;
  /** @default Azure's own value */
  scope?: string;
  /** The DatabaseAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/DatabaseAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SqlRoleAssignment {
  spec: SqlRoleAssignmentSpec;
  status?: ArmStatus;
}
