// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersBackupSpec {
  /**
   * Name in Azure. At least 1 characters. Pattern: `^[-\w\._]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbforpostgresql.azure.com/FlexibleServer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersBackup {
  spec: FlexibleServersBackupSpec;
  status?: ArmStatus;
}
