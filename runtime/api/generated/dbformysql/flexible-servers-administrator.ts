// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersAdministratorSpec {
  /**
   * Always `ActiveDirectory`.
   * @default Azure's own value
   */
  administratorType?: 'ActiveDirectory';
  /**
   * By construct or ARM id: UserAssignedIdentity.
   * @default Azure's own value
   */
  identityResourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  /** @default Azure's own value */
  login?: string;
  /** @default Azure's own value */
  sid?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `sid`.
   * @default Azure's own value
   */
  sidFromConfig?: ConfigMapKeyReference;
  /** @default Azure's own value */
  tenantId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `tenantId`.
   * @default Azure's own value
   */
  tenantIdFromConfig?: ConfigMapKeyReference;
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbformysql.azure.com/FlexibleServer'>;
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
