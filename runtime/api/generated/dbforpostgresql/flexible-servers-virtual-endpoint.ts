// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersVirtualEndpointSpec {
  /**
   * Name in Azure. 3 to 63 characters.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Always `ReadWrite`.
   * @default Azure's own value
   */
  endpointType?: 'ReadWrite';
  /** @default Azure's own value */
  members?: string[];
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbforpostgresql.azure.com/FlexibleServer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersVirtualEndpoint {
  spec: FlexibleServersVirtualEndpointSpec;
  status?: ArmStatus;
}
