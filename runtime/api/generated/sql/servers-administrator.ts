// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersAdministratorSpec {
  /**
   * Always `ActiveDirectory`.
   * @default Azure's own value
   */
  administratorType?: 'ActiveDirectory';
  login: string;
  /**
   * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   * @default Azure's own value
   */
  sid?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `sid`.
   * @default Azure's own value
   */
  sidFromConfig?: ConfigMapKeyReference;
  /**
   * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   * @default Azure's own value
   */
  tenantId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `tenantId`.
   * @default Azure's own value
   */
  tenantIdFromConfig?: ConfigMapKeyReference;
  /** The Server that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/Server'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersAdministrator {
  spec: ServersAdministratorSpec;
  status?: ArmStatus;
}
