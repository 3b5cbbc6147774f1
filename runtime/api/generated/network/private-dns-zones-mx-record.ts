// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface PrivateDnsZonesMXRecordSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  aRecords?: ({
    ipv4Address?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `ipv4Address`.
     * @default Azure's own value
     */
    ipv4AddressFromConfig?: ConfigMapKeyReference;
  })[];
  /** @default Azure's own value */
  aaaaRecords?: ({
    ipv6Address?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `ipv6Address`.
     * @default Azure's own value
     */
    ipv6AddressFromConfig?: ConfigMapKeyReference;
  })[];
  /** @default Azure's own value */
  cnameRecord?: {
    cname?: string;
  };
  /** @default Azure's own value */
  etag?: string;
  /** @default Azure's own value */
  metadata?: Record<string, string>;
  /** @default Azure's own value */
  mxRecords?: ({
    exchange?: string;
    preference?: number;
  })[];
  /** @default Azure's own value */
  ptrRecords?: ({
    ptrdname?: string;
  })[];
  /** @default Azure's own value */
  soaRecord?: {
    email?: string;
    expireTime?: number;
    host?: string;
    minimumTtl?: number;
    refreshTime?: number;
    retryTime?: number;
    serialNumber?: number;
  };
  /** @default Azure's own value */
  srvRecords?: ({
    port?: number;
    priority?: number;
    target?: string;
    weight?: number;
  })[];
  /** @default Azure's own value */
  ttl?: number;
  /** @default Azure's own value */
  txtRecords?: ({
    value?: string[];
  })[];
  /** The PrivateDnsZone that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/PrivateDnsZone'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PrivateDnsZonesMXRecord {
  spec: PrivateDnsZonesMXRecordSpec;
  status?: ArmStatus;
}
