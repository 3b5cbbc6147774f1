// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface TrafficManagerProfilesExternalEndpointSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  alwaysServe?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  customHeaders?: ({
    name?: string;
    value?: string;
  })[];
  /** @default Azure's own value */
  endpointLocation?: string;
  /** @default Azure's own value */
  endpointMonitorStatus?: 'CheckingEndpoint' | 'Degraded' | 'Disabled' | 'Inactive' | 'Online' | 'Stopped' | 'Unmonitored';
  /** @default Azure's own value */
  endpointStatus?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  geoMapping?: string[];
  /** @default Azure's own value */
  minChildEndpoints?: number;
  /** @default Azure's own value */
  minChildEndpointsIPv4?: number;
  /** @default Azure's own value */
  minChildEndpointsIPv6?: number;
  /** @default Azure's own value */
  priority?: number;
  /** @default Azure's own value */
  subnets?: ({
    first?: string;
    last?: string;
    scope?: number;
  })[];
  /** @default Azure's own value */
  target?: string;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  targetResourceReference?: ArmReference;
  /** @default Azure's own value */
  type?: string;
  /** @default Azure's own value */
  weight?: number;
  /** The TrafficManagerProfile that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/TrafficManagerProfile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface TrafficManagerProfilesExternalEndpoint {
  spec: TrafficManagerProfilesExternalEndpointSpec;
  status?: ArmStatus;
}
