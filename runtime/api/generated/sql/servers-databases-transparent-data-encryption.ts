// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServersDatabasesTransparentDataEncryptionSpec {
  /**
   * State of the scan that encrypts or decrypts the existing data.
   * @default Azure's own value
   */
  scanState?: 'Aborted' | 'Completed' | 'None' | 'Resume' | 'Running' | 'Suspend';
  state: 'Disabled' | 'Enabled';
  /** The ServersDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/ServersDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersDatabasesTransparentDataEncryption {
  spec: ServersDatabasesTransparentDataEncryptionSpec;
  status?: ArmStatus;
}
