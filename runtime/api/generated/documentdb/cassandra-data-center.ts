// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface CassandraDataCenterSpec {
  /**
   * Name in Azure. 1 to 100 characters. Pattern: `^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    authenticationMethodLdapProperties?: {
      connectionTimeoutInMs?: number;
      searchBaseDistinguishedName?: string;
      searchFilterTemplate?: string;
      serverCertificates?: ({
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        pem?: SecretKeyReference;
      })[];
      serverHostname?: string;
      serverPort?: number;
      serviceUserDistinguishedName?: string;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      serviceUserPassword?: SecretKeyReference;
    };
    /** @default Azure's own value */
    availabilityZone?: boolean;
    /** @default Azure's own value */
    backupStorageCustomerKeyUri?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `backupStorageCustomerKeyUri`.
     * @default Azure's own value
     */
    backupStorageCustomerKeyUriFromConfig?: ConfigMapKeyReference;
    /** @default Azure's own value */
    base64EncodedCassandraYamlFragment?: string;
    /** @default Azure's own value */
    dataCenterLocation?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    delegatedSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    /** @default Azure's own value */
    diskCapacity?: number;
    /** @default Azure's own value */
    diskSku?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    managedDiskCustomerKeyUriReference?: ArmReference;
    /** @default Azure's own value */
    nodeCount?: number;
    /** @default Azure's own value */
    privateEndpointIpAddress?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `privateEndpointIpAddress`.
     * @default Azure's own value
     */
    privateEndpointIpAddressFromConfig?: ConfigMapKeyReference;
    /**
     * Pricing tier.
     * @default Azure's own value
     */
    sku?: string;
  };
  /** The CassandraCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/CassandraCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface CassandraDataCenter {
  spec: CassandraDataCenterSpec;
  status?: ArmStatus;
}
