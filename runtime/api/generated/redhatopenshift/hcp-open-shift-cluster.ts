// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface HcpOpenShiftClusterSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z]([-a-zA-Z0-9]{0,52}[a-zA-Z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    api?: {
      /**
       * At most 500 items.
       * @default Azure's own value
       */
      authorizedCidrs?: string[];
      visibility?: 'Private' | 'Public';
    };
    /** @default Azure's own value */
    autoscaling?: {
      /**
       * At least 0.
       * @default Azure's own value
       */
      maxNodeProvisionTimeSeconds?: number;
      /**
       * At least 0.
       * @default Azure's own value
       */
      maxNodesTotal?: number;
      /**
       * At least 0.
       * @default Azure's own value
       */
      maxPodGracePeriodSeconds?: number;
      podPriorityThreshold?: number;
    };
    /** @default Azure's own value */
    clusterImageRegistry?: {
      state?: 'Disabled' | 'Enabled';
    };
    /** @default Azure's own value */
    cryptoRestrictions?: 'FIPS' | 'None';
    /** @default Azure's own value */
    dns?: {
      /**
       * At most 15 characters. Pattern: `^[a-z]([-a-z0-9]*[a-z0-9])?$`.
       * @default Azure's own value
       */
      baseDomainPrefix?: string;
    };
    /** @default Azure's own value */
    etcd?: {
      dataEncryption?: {
        customerManaged?: {
          /**
           * Always `KMS`.
           * @default Azure's own value
           */
          encryptionType?: 'KMS';
          kms?: {
            activeKey: {
              /** 1 to 255 characters. */
              name: string;
              /** 1 to 255 characters. */
              version: string;
            };
            /** 1 to 255 characters. */
            vaultName: string;
            visibility: 'Private' | 'Public';
          };
        };
        /** Always `CustomerManaged`. */
        keyManagementMode: 'CustomerManaged';
      };
    };
    /**
     * At most 240 items.
     * @default Azure's own value
     */
    imageDigestMirrors?: ({
      /** 1 to 255 items. */
      mirrors: string[];
      /** At most 255 characters. */
      source: string;
    })[];
    /** @default Azure's own value */
    ingress?: {
      type?: 'Disabled' | 'Private' | 'Public';
    };
    /** @default Azure's own value */
    network?: {
      hostPrefix?: number;
      machineCidr?: string;
      networkType?: 'OVNKubernetes' | 'Other';
      podCidr?: string;
      serviceCidr?: string;
    };
    /**
     * 0 to 10080.
     * @default Azure's own value
     */
    nodeDrainTimeoutMinutes?: number;
    platform: {
      managedResourceGroup?: string;
      /** By construct or ARM id: NetworkSecurityGroup. */
      networkSecurityGroupReference: ArmReference<'network.azure.com/NetworkSecurityGroup'>;
      operatorsAuthentication: {
        userAssignedIdentities: {
          controlPlaneOperatorsReferences: Record<string, ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>>;
          dataPlaneOperatorsReferences: Record<string, ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>>;
          /** By construct or ARM id: UserAssignedIdentity. */
          serviceManagedIdentityReference: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
        };
      };
      /**
       * Always `LoadBalancer`.
       * @default Azure's own value
       */
      outboundType?: 'LoadBalancer';
      /** By construct or ARM id: VirtualNetworksSubnet. */
      subnetReference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      /** By construct or ARM id: VirtualNetworksSubnet. */
      vnetIntegrationSubnetReference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    version: {
      channelGroup?: string;
      id: string;
    };
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'adminCredentials', never, 'adminCredentials'>;
}

export interface HcpOpenShiftCluster {
  spec: HcpOpenShiftClusterSpec;
  status?: ArmStatus;
}
