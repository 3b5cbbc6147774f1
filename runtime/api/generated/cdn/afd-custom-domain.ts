// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface AfdCustomDomainSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  azureDnsZone?: {
    /**
     * By construct or ARM id: DnsZone.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/DnsZone'>;
  };
  /** @default Azure's own value */
  extendedProperties?: Record<string, string>;
  hostName: string;
  /** @default Azure's own value */
  preValidatedCustomDomainResourceId?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  tlsSettings?: {
    certificateType: 'AzureFirstPartyManagedCertificate' | 'CustomerCertificate' | 'ManagedCertificate';
    minimumTlsVersion?: 'TLS10' | 'TLS12';
    secret?: {
      /**
       * By construct or ARM id: Secret.
       * @default Azure's own value
       */
      reference?: ArmReference<'cdn.azure.com/Secret'>;
    };
  };
  /** The Profile that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/Profile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AfdCustomDomain {
  spec: AfdCustomDomainSpec;
  status?: ArmStatus;
}
