// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServiceGatewayApiSpec {
  /**
   * Name in Azure. 1 to 80 characters.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Always `created`.
   * @default Azure's own value
   */
  provisioningState?: 'created';
  /** The ServiceGateway that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/ServiceGateway'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServiceGatewayApi {
  spec: ServiceGatewayApiSpec;
  status?: ArmStatus;
}
