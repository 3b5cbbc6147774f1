// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface RouteTablesRouteSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  addressPrefix?: string;
  /** @default Azure's own value */
  nextHopIpAddress?: string;
  nextHopType: 'Internet' | 'None' | 'VirtualAppliance' | 'VirtualNetworkGateway' | 'VnetLocal';
  /** The RouteTable that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/RouteTable'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RouteTablesRoute {
  spec: RouteTablesRouteSpec;
  status?: ArmStatus;
}
