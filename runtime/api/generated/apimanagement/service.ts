// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServiceSpec {
  /**
   * Name in Azure. 1 to 50 characters. Pattern: `^[a-zA-Z](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  additionalLocations?: ({
    disableGateway?: boolean;
    location: string;
    natGatewayState?: 'Disabled' | 'Enabled';
    /**
     * By construct or ARM id: PublicIPAddress.
     * @default Azure's own value
     */
    publicIpAddressReference?: ArmReference<'network.azure.com/PublicIPAddress'>;
    sku: {
      /** Number of units. */
      capacity: number;
      /** Name of the pricing tier. */
      name: 'Basic' | 'BasicV2' | 'Consumption' | 'Developer' | 'Isolated' | 'Premium' | 'Standard' | 'StandardV2';
    };
    virtualNetworkConfiguration?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetResourceReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    zones?: string[];
  })[];
  /** @default Azure's own value */
  apiVersionConstraint?: {
    minApiVersion?: string;
  };
  /** @default Azure's own value */
  certificates?: ({
    certificate?: {
      expiry?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `expiry`.
       * @default Azure's own value
       */
      expiryFromConfig?: ConfigMapKeyReference;
      subject?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `subject`.
       * @default Azure's own value
       */
      subjectFromConfig?: ConfigMapKeyReference;
      thumbprint?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `thumbprint`.
       * @default Azure's own value
       */
      thumbprintFromConfig?: ConfigMapKeyReference;
    };
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    certificatePassword?: SecretKeyReference;
    encodedCertificate?: string;
    storeName: 'CertificateAuthority' | 'Root';
  })[];
  /** @default Azure's own value */
  configurationApi?: {
    legacyApi?: 'Disabled' | 'Enabled';
  };
  /** @default Azure's own value */
  customProperties?: Record<string, string>;
  /** @default Azure's own value */
  developerPortalStatus?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  disableGateway?: boolean;
  /** @default Azure's own value */
  enableClientCertificate?: boolean;
  /** @default Azure's own value */
  hostnameConfigurations?: ({
    certificate?: {
      expiry?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `expiry`.
       * @default Azure's own value
       */
      expiryFromConfig?: ConfigMapKeyReference;
      subject?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `subject`.
       * @default Azure's own value
       */
      subjectFromConfig?: ConfigMapKeyReference;
      thumbprint?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `thumbprint`.
       * @default Azure's own value
       */
      thumbprintFromConfig?: ConfigMapKeyReference;
    };
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    certificatePassword?: SecretKeyReference;
    certificateSource?: 'BuiltIn' | 'Custom' | 'KeyVault' | 'Managed';
    certificateStatus?: 'Completed' | 'Failed' | 'InProgress';
    defaultSslBinding?: boolean;
    encodedCertificate?: string;
    hostName: string;
    identityClientId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `identityClientId`.
     * @default Azure's own value
     */
    identityClientIdFromConfig?: ConfigMapKeyReference;
    keyVaultId?: string;
    negotiateClientCertificate?: boolean;
    type: 'ConfigurationApi' | 'DeveloperPortal' | 'Management' | 'Portal' | 'Proxy' | 'Scm';
  })[];
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /** @default Azure's own value */
  legacyPortalStatus?: 'Disabled' | 'Enabled';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  natGatewayState?: 'Disabled' | 'Enabled';
  /**
   * At most 100 characters.
   * @default Azure's own value
   */
  notificationSenderEmail?: string;
  /**
   * By construct or ARM id: PublicIPAddress.
   * @default Azure's own value
   */
  publicIpAddressReference?: ArmReference<'network.azure.com/PublicIPAddress'>;
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** At most 100 characters. */
  publisherEmail: string;
  /** At most 100 characters. */
  publisherName: string;
  /** @default Azure's own value */
  restore?: boolean;
  /** Pricing tier. */
  sku: {
    /** Number of units. */
    capacity: number;
    /** Name of the pricing tier. */
    name: 'Basic' | 'BasicV2' | 'Consumption' | 'Developer' | 'Isolated' | 'Premium' | 'Standard' | 'StandardV2';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  virtualNetworkConfiguration?: {
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    subnetResourceReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  };
  /** @default Azure's own value */
  virtualNetworkType?: 'External' | 'Internal' | 'None';
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

export interface Service {
  spec: ServiceSpec;
  status?: ArmStatus;
}
