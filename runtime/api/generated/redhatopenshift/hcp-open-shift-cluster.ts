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
    /**
     * The API server of the cluster.
     * @default Azure's own value
     */
    api?: {
      /**
       * At most 500 items.
       * @default Azure's own value
       */
      authorizedCidrs?: string[];
      /**
       * Whether the API server is reached from the internet or only from the virtual network.
       * @default Azure's own value
       */
      visibility?: 'Private' | 'Public';
    };
    /**
     * Settings of the cluster autoscaler for all node pools.
     * @default Azure's own value
     */
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
      /**
       * Pods with a lower priority neither add nodes nor keep them.
       * @default Azure's own value
       */
      podPriorityThreshold?: number;
    };
    /**
     * The image registry inside of the cluster.
     * @default Azure's own value
     */
    clusterImageRegistry?: {
      /**
       * Whether the cluster has an image registry of its own.
       * @default Azure's own value
       */
      state?: 'Disabled' | 'Enabled';
    };
    /**
     * Whether the cluster uses only cryptography that FIPS allows.
     * @default Azure's own value
     */
    cryptoRestrictions?: 'FIPS' | 'None';
    /**
     * DNS of the cluster.
     * @default Azure's own value
     */
    dns?: {
      /**
       * At most 15 characters. Pattern: `^[a-z]([-a-z0-9]*[a-z0-9])?$`.
       * @default Azure's own value
       */
      baseDomainPrefix?: string;
    };
    /**
     * The database of the cluster's objects.
     * @default Azure's own value
     */
    etcd?: {
      /**
       * Encryption of the objects at rest.
       * @default Azure's own value
       */
      dataEncryption?: {
        /**
         * Encryption with a key of your own.
         * @default Azure's own value
         */
        customerManaged?: {
          /**
           * Always `KMS`.
           * @default Azure's own value
           */
          encryptionType?: 'KMS';
          /**
           * The key in Key Vault.
           * @default Azure's own value
           */
          kms?: {
            /** Name and version of the key that encrypts now. */
            activeKey: {
              /** 1 to 255 characters. */
              name: string;
              /** 1 to 255 characters. */
              version: string;
            };
            /** 1 to 255 characters. */
            vaultName: string;
            /** Whether the vault is reached by its public address or a private one. */
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
    /**
     * The ingress of the cluster.
     * @default Azure's own value
     */
    ingress?: {
      /**
       * Whether the ingress is reached from the internet, only from the virtual network, or does not exist.
       * @default Azure's own value
       */
      type?: 'Disabled' | 'Private' | 'Public';
    };
    /**
     * Networks inside of the cluster.
     * @default Azure's own value
     */
    network?: {
      /**
       * Length of the prefix of each node's range of pod addresses; 23 gives 512 addresses.
       * @default Azure's own value
       */
      hostPrefix?: number;
      /**
       * Range of the nodes' addresses.
       * @default Azure's own value
       */
      machineCidr?: string;
      /**
       * Network plugin of the cluster.
       * @default Azure's own value
       */
      networkType?: 'OVNKubernetes' | 'Other';
      /**
       * Range of the pods' addresses.
       * @default Azure's own value
       */
      podCidr?: string;
      /**
       * Range of the Services' addresses.
       * @default Azure's own value
       */
      serviceCidr?: string;
    };
    /**
     * 0 to 10080.
     * @default Azure's own value
     */
    nodeDrainTimeoutMinutes?: number;
    /** Resources of Azure that the cluster uses. */
    platform: {
      /**
       * Name of the resource group in which Azure puts the cluster's own resources.
       * @default Azure's own value
       */
      managedResourceGroup?: string;
      /** By construct or ARM id: NetworkSecurityGroup. */
      networkSecurityGroupReference: ArmReference<'network.azure.com/NetworkSecurityGroup'>;
      /** How the operators of the cluster sign in to Azure. */
      operatorsAuthentication: {
        /** User-assigned identities of the operators. */
        userAssignedIdentities: {
          /** Identities of the operators of the control plane, by the name of the operator. */
          controlPlaneOperatorsReferences: Record<string, ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>>;
          /** Identities of the operators on the nodes, by the name of the operator. */
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
    /** Version of OpenShift of the control plane. */
    version: {
      /**
       * Channel of the versions, such as stable.
       * @default Azure's own value
       */
      channelGroup?: string;
      /** Version of OpenShift, such as 4.19. */
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
