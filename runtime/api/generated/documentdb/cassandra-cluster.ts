// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface CassandraClusterSpec {
  /**
   * Name in Azure. 1 to 100 characters. Pattern: `^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned';
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    authenticationMethod?: 'Cassandra' | 'Ldap' | 'None';
    /** @default Azure's own value */
    autoReplicate?: 'AllKeyspaces' | 'None' | 'SystemKeyspaces';
    /** @default Azure's own value */
    azureConnectionMethod?: 'None' | 'VPN';
    /** @default Azure's own value */
    backupSchedules?: ({
      cronExpression?: string;
      retentionInHours?: number;
      scheduleName?: string;
    })[];
    /** @default Azure's own value */
    cassandraAuditLoggingEnabled?: boolean;
    /** @default Azure's own value */
    cassandraVersion?: string;
    /** @default Azure's own value */
    clientCertificates?: ({
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      pem?: SecretKeyReference;
    })[];
    /** @default Azure's own value */
    clusterNameOverride?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    delegatedManagementSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    /** @default Azure's own value */
    extensions?: string[];
    /** @default Azure's own value */
    externalDataCenters?: string[];
    /** @default Azure's own value */
    externalGossipCertificates?: ({
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      pem?: SecretKeyReference;
    })[];
    /** @default Azure's own value */
    externalSeedNodes?: ({
      ipAddress?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `ipAddress`.
       * @default Azure's own value
       */
      ipAddressFromConfig?: ConfigMapKeyReference;
    })[];
    /** @default Azure's own value */
    hoursBetweenBackups?: number;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    initialCassandraAdminPassword?: SecretKeyReference;
    /** @default Azure's own value */
    prometheusEndpoint?: {
      ipAddress?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `ipAddress`.
       * @default Azure's own value
       */
      ipAddressFromConfig?: ConfigMapKeyReference;
    };
    /** @default Azure's own value */
    repairEnabled?: boolean;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    restoreFromBackupReference?: ArmReference;
    /** @default Azure's own value */
    scheduledEventStrategy?: 'Ignore' | 'StopAny' | 'StopByRack';
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
  operatorSpec?: OperatorSpec<never, never>;
}

export interface CassandraCluster {
  spec: CassandraClusterSpec;
  status?: ArmStatus;
}
