// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface OpenShiftClusterSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  apiserverProfile?: {
    visibility?: 'Private' | 'Public';
  };
  /** @default Azure's own value */
  clusterProfile?: {
    domain?: string;
    fipsValidatedModules?: 'Disabled' | 'Enabled';
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    pullSecret?: SecretKeyReference;
    resourceGroupId?: string;
    version?: string;
  };
  /** @default Azure's own value */
  ingressProfiles?: ({
    name?: string;
    visibility?: 'Private' | 'Public';
  })[];
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  masterProfile?: {
    /**
     * By construct or ARM id: DiskEncryptionSet.
     * @default Azure's own value
     */
    diskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
    encryptionAtHost?: 'Disabled' | 'Enabled';
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    vmSize?: string;
  };
  /** @default Azure's own value */
  networkProfile?: {
    loadBalancerProfile?: {
      managedOutboundIps?: {
        count?: number;
      };
    };
    outboundType?: 'Loadbalancer' | 'UserDefinedRouting';
    podCidr?: string;
    preconfiguredNSG?: 'Disabled' | 'Enabled';
    serviceCidr?: string;
  };
  /** @default Azure's own value */
  servicePrincipalProfile?: {
    clientId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `clientId`.
     * @default Azure's own value
     */
    clientIdFromConfig?: ConfigMapKeyReference;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    clientSecret?: SecretKeyReference;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  workerProfiles?: ({
    count?: number;
    /**
     * By construct or ARM id: DiskEncryptionSet.
     * @default Azure's own value
     */
    diskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
    diskSizeGB?: number;
    encryptionAtHost?: 'Disabled' | 'Enabled';
    name?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    vmSize?: string;
  })[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'adminCredentials' | 'password' | 'username', never, 'adminCredentials' | 'password' | 'username'>;
}

export interface OpenShiftCluster {
  spec: OpenShiftClusterSpec;
  status?: ArmStatus;
}
