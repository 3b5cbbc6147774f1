// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DnsZonesTXTRecordSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  AAAARecords?: ({
    ipv6Address?: string;
  })[];
  /** @default Azure's own value */
  ARecords?: ({
    ipv4Address?: string;
  })[];
  /** @default Azure's own value */
  CNAMERecord?: {
    cname?: string;
  };
  /** @default Azure's own value */
  MXRecords?: ({
    exchange?: string;
    preference?: number;
  })[];
  /** @default Azure's own value */
  NSRecords?: ({
    nsdname?: string;
  })[];
  /** @default Azure's own value */
  PTRRecords?: ({
    ptrdname?: string;
  })[];
  /** @default Azure's own value */
  SOARecord?: {
    email?: string;
    expireTime?: number;
    host?: string;
    minimumTTL?: number;
    refreshTime?: number;
    retryTime?: number;
    serialNumber?: number;
  };
  /** @default Azure's own value */
  SRVRecords?: ({
    port?: number;
    priority?: number;
    target?: string;
    weight?: number;
  })[];
  /** @default Azure's own value */
  TTL?: number;
  /** @default Azure's own value */
  TXTRecords?: ({
    value?: string[];
  })[];
  /** @default Azure's own value */
  caaRecords?: ({
    flags?: number;
    tag?: string;
    value?: string;
  })[];
  /** @default Azure's own value */
  metadata?: Record<string, string>;
  /** @default Azure's own value */
  targetResource?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** The DnsZone that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/DnsZone'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DnsZonesTXTRecord {
  spec: DnsZonesTXTRecordSpec;
  status?: ArmStatus;
}
