// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface OpenShiftClusterSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The API server of the cluster.
   * @default Azure's own value
   */
  apiserverProfile?: {
    /**
     * Whether the API server is reached from the internet or only from the virtual network.
     * @default Azure's own value
     */
    visibility?: 'Private' | 'Public';
  };
  /**
   * Domain, version and resource group of the cluster.
   * @default Azure's own value
   */
  clusterProfile?: {
    /**
     * Domain of the cluster: a prefix of Azure's domain, or a domain of your own.
     * @default Azure's own value
     */
    domain?: string;
    /**
     * Whether the cluster uses only cryptography that FIPS allows.
     * @default Azure's own value
     */
    fipsValidatedModules?: 'Disabled' | 'Enabled';
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    pullSecret?: SecretKeyReference;
    /**
     * ARM id of the resource group in which Azure puts the cluster's own resources.
     * @default Azure's own value
     */
    resourceGroupId?: string;
    /**
     * Version of OpenShift.
     * @default Azure's own value
     */
    version?: string;
  };
  /**
   * The ingresses of the cluster.
   * @default Azure's own value
   */
  ingressProfiles?: ({
    /**
     * Name of the ingress.
     * @default Azure's own value
     */
    name?: string;
    /**
     * Whether the ingress is reached from the internet or only from the virtual network.
     * @default Azure's own value
     */
    visibility?: 'Private' | 'Public';
  })[];
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Machines of the control plane.
   * @default Azure's own value
   */
  masterProfile?: {
    /**
     * By construct or ARM id: DiskEncryptionSet.
     * @default Azure's own value
     */
    diskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
    /**
     * Whether the host encrypts temporary disks and caches.
     * @default Azure's own value
     */
    encryptionAtHost?: 'Disabled' | 'Enabled';
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    /**
     * Size of the machines, such as Standard_D8s_v3.
     * @default Azure's own value
     */
    vmSize?: string;
  };
  /**
   * Networks of the cluster.
   * @default Azure's own value
   */
  networkProfile?: {
    /**
     * The public load balancer.
     * @default Azure's own value
     */
    loadBalancerProfile?: {
      /**
       * Public addresses for outbound traffic that Azure manages.
       * @default Azure's own value
       */
      managedOutboundIps?: {
        /**
         * Number of the addresses.
         * @default Azure's own value
         */
        count?: number;
      };
    };
    /**
     * Whether traffic leaves through the load balancer or by routes of your own.
     * @default Azure's own value
     */
    outboundType?: 'Loadbalancer' | 'UserDefinedRouting';
    /**
     * Range of the pods' addresses.
     * @default Azure's own value
     */
    podCidr?: string;
    /**
     * Whether the subnets have network security groups of your own.
     * @default Azure's own value
     */
    preconfiguredNSG?: 'Disabled' | 'Enabled';
    /**
     * Range of the Services' addresses.
     * @default Azure's own value
     */
    serviceCidr?: string;
  };
  /**
   * The service principal of the cluster.
   * @default Azure's own value
   */
  servicePrincipalProfile?: {
    /**
     * Client id of the service principal.
     * @default Azure's own value
     */
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
  /**
   * Machines of the workers.
   * @default Azure's own value
   */
  workerProfiles?: ({
    /**
     * Number of machines.
     * @default Azure's own value
     */
    count?: number;
    /**
     * By construct or ARM id: DiskEncryptionSet.
     * @default Azure's own value
     */
    diskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
    /**
     * Size of the disk, in GB.
     * @default Azure's own value
     */
    diskSizeGB?: number;
    /**
     * Whether the host encrypts temporary disks and caches.
     * @default Azure's own value
     */
    encryptionAtHost?: 'Disabled' | 'Enabled';
    /**
     * Name of the workers.
     * @default Azure's own value
     */
    name?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    /**
     * Size of the machines, such as Standard_D4s_v3.
     * @default Azure's own value
     */
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
