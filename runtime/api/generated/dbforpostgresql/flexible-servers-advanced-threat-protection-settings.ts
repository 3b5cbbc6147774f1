// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersAdvancedThreatProtectionSettingsSpec {
  state: 'Disabled' | 'Enabled';
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbforpostgresql.azure.com/FlexibleServer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersAdvancedThreatProtectionSettings {
  spec: FlexibleServersAdvancedThreatProtectionSettingsSpec;
  status?: ArmStatus;
}
