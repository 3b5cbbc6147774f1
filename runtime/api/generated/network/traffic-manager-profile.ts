// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface TrafficManagerProfileSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  allowedEndpointRecordTypes?: ('Any' | 'DomainName' | 'IPv4Address' | 'IPv6Address')[];
  /** @default Azure's own value */
  dnsConfig?: {
    relativeName?: string;
    ttl?: number;
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  maxReturn?: number;
  /** @default Azure's own value */
  monitorConfig?: {
    customHeaders?: ({
      name?: string;
      value?: string;
    })[];
    expectedStatusCodeRanges?: ({
      max?: number;
      min?: number;
    })[];
    intervalInSeconds?: number;
    path?: string;
    port?: number;
    profileMonitorStatus?: 'CheckingEndpoints' | 'Degraded' | 'Disabled' | 'Inactive' | 'Online';
    protocol?: 'HTTP' | 'HTTPS' | 'TCP';
    timeoutInSeconds?: number;
    toleratedNumberOfFailures?: number;
  };
  /** @default Azure's own value */
  profileStatus?: 'Disabled' | 'Enabled';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  trafficRoutingMethod?: 'Geographic' | 'MultiValue' | 'Performance' | 'Priority' | 'Subnet' | 'Weighted';
  /** @default Azure's own value */
  trafficViewEnrollmentStatus?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  type?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'dnsConfigFqdn'>;
}

export interface TrafficManagerProfile {
  spec: TrafficManagerProfileSpec;
  status?: ArmStatus;
}
