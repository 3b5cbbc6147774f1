// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface BastionHostSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  disableCopyPaste?: boolean;
  /** @default Azure's own value */
  dnsName?: string;
  /** @default Azure's own value */
  enableFileCopy?: boolean;
  /** @default Azure's own value */
  enableIpConnect?: boolean;
  /** @default Azure's own value */
  enableKerberos?: boolean;
  /** @default Azure's own value */
  enablePrivateOnlyBastion?: boolean;
  /** @default Azure's own value */
  enableSessionRecording?: boolean;
  /** @default Azure's own value */
  enableShareableLink?: boolean;
  /** @default Azure's own value */
  enableTunneling?: boolean;
  /** @default Azure's own value */
  ipConfigurations?: ({
    name?: string;
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    publicIPAddress?: {
      /**
       * By construct or ARM id: PublicIPAddress.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
    };
    subnet: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  networkAcls?: {
    ipRules?: ({
      addressPrefix?: string;
    })[];
  };
  /**
   * 2 to 50.
   * @default Azure's own value
   */
  scaleUnits?: number;
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Basic' | 'Developer' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  virtualNetwork?: {
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  };
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface BastionHost {
  spec: BastionHostSpec;
  status?: ArmStatus;
}
