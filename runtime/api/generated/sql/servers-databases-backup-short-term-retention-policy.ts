// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServersDatabasesBackupShortTermRetentionPolicySpec {
  /** @default Azure's own value */
  diffBackupIntervalInHours?: 12 | 24;
  /** @default Azure's own value */
  retentionDays?: number;
  /** The ServersDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/ServersDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersDatabasesBackupShortTermRetentionPolicy {
  spec: ServersDatabasesBackupShortTermRetentionPolicySpec;
  status?: ArmStatus;
}
