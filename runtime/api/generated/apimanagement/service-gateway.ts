// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServiceGatewaySpec {
  /**
   * Name in Azure. 1 to 80 characters.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * At most 1000 characters.
   * @default Azure's own value
   */
  description?: string;
  /** @default Azure's own value */
  locationData?: {
    /**
     * At most 256 characters.
     * @default Azure's own value
     */
    city?: string;
    /**
     * At most 256 characters.
     * @default Azure's own value
     */
    countryOrRegion?: string;
    /**
     * At most 256 characters.
     * @default Azure's own value
     */
    district?: string;
    /** At most 256 characters. */
    name: string;
  };
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryKey' | 'secondaryKey', never, 'primaryKey' | 'secondaryKey'>;
}

export interface ServiceGateway {
  spec: ServiceGatewaySpec;
  status?: ArmStatus;
}
