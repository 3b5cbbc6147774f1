// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PrivateEndpointsPrivateDnsZoneGroupSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  privateDnsZoneConfigs?: ({
    name?: string;
    /**
     * By construct or ARM id: PrivateDnsZone.
     * @default Azure's own value
     */
    privateDnsZoneReference?: ArmReference<'network.azure.com/PrivateDnsZone'>;
  })[];
  /** The PrivateEndpoint that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/PrivateEndpoint'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PrivateEndpointsPrivateDnsZoneGroup {
  spec: PrivateEndpointsPrivateDnsZoneGroupSpec;
  status?: ArmStatus;
}
