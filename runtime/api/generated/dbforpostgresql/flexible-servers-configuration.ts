// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersConfigurationSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  source?: string;
  /** @default Azure's own value */
  value?: string;
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbforpostgresql.azure.com/FlexibleServer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersConfiguration {
  spec: FlexibleServersConfigurationSpec;
  status?: ArmStatus;
}
