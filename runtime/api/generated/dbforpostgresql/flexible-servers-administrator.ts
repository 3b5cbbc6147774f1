// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersAdministratorSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  principalName?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `principalName`.
   * @default Azure's own value
   */
  principalNameFromConfig?: ConfigMapKeyReference;
  /** @default Azure's own value */
  principalType?: 'Group' | 'ServicePrincipal' | 'Unknown' | 'User';
  /** @default Azure's own value */
  tenantId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `tenantId`.
   * @default Azure's own value
   */
  tenantIdFromConfig?: ConfigMapKeyReference;
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbforpostgresql.azure.com/FlexibleServer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersAdministrator {
  spec: FlexibleServersAdministratorSpec;
  status?: ArmStatus;
}
