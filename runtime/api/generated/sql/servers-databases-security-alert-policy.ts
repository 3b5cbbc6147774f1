// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServersDatabasesSecurityAlertPolicySpec {
  /** @default Azure's own value */
  disabledAlerts?: string[];
  /** @default Azure's own value */
  emailAccountAdmins?: boolean;
  /** @default Azure's own value */
  emailAddresses?: string[];
  /** @default Azure's own value */
  retentionDays?: number;
  state: 'Disabled' | 'Enabled';
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  storageAccountAccessKey?: SecretKeyReference;
  /** @default Azure's own value */
  storageEndpoint?: string;
  /** The ServersDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/ServersDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersDatabasesSecurityAlertPolicy {
  spec: ServersDatabasesSecurityAlertPolicySpec;
  status?: ArmStatus;
}
