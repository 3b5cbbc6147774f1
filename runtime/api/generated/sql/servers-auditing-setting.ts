// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServersAuditingSettingSpec {
  /** @default Azure's own value */
  auditActionsAndGroups?: string[];
  /** @default Azure's own value */
  isAzureMonitorTargetEnabled?: boolean;
  /** @default Azure's own value */
  isDevopsAuditEnabled?: boolean;
  /** @default Azure's own value */
  isManagedIdentityInUse?: boolean;
  /** @default Azure's own value */
  isStorageSecondaryKeyInUse?: boolean;
  /** @default Azure's own value */
  queueDelayMs?: number;
  /** @default Azure's own value */
  retentionDays?: number;
  state: 'Disabled' | 'Enabled';
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  storageAccountAccessKey?: SecretKeyReference;
  /**
   * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   * @default Azure's own value
   */
  storageAccountSubscriptionId?: string;
  /** @default Azure's own value */
  storageEndpoint?: string;
  /** The Server that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/Server'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersAuditingSetting {
  spec: ServersAuditingSettingSpec;
  status?: ArmStatus;
}
