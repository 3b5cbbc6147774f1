// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServersDatabasesBackupLongTermRetentionPolicySpec {
  /** @default Azure's own value */
  monthlyRetention?: string;
  /**
   * Whether future backups cannot be deleted before they expire.
   * @default Azure's own value
   */
  timeBasedImmutability?: 'Disabled' | 'Enabled';
  /**
   * Whether the immutability of future backups can be removed (Unlocked) or not (Locked).
   * @default Azure's own value
   */
  timeBasedImmutabilityMode?: 'Locked' | 'Unlocked';
  /** @default Azure's own value */
  weekOfYear?: number;
  /** @default Azure's own value */
  weeklyRetention?: string;
  /** @default Azure's own value */
  yearlyRetention?: string;
  /** The ServersDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/ServersDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersDatabasesBackupLongTermRetentionPolicy {
  spec: ServersDatabasesBackupLongTermRetentionPolicySpec;
  status?: ArmStatus;
}
