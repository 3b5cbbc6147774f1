// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface HcpOpenShiftClustersNodePoolSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z]([-a-zA-Z0-9]{0,13}[a-zA-Z0-9])?$`.
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
     * Whether unhealthy nodes are replaced.
     * @default Azure's own value
     */
    autoRepair?: boolean;
    /**
     * The fewest and the most nodes; absent for a fixed number.
     * @default Azure's own value
     */
    autoScaling?: {
      /**
       * At least 0.
       * @default Azure's own value
       */
      max?: number;
      /**
       * At least 0.
       * @default Azure's own value
       */
      min?: number;
    };
    /**
     * Labels of the nodes.
     * @default Azure's own value
     */
    labels?: ({
      /** Key of the label. */
      key: string;
      /**
       * Value of the label.
       * @default Azure's own value
       */
      value?: string;
    })[];
    /**
     * How long the drain of a node may wait for its pods, in minutes.
     * @default Azure's own value
     */
    nodeDrainTimeoutMinutes?: number;
    /** Machines of the nodes. */
    platform: {
      /**
       * Availability zone of the nodes.
       * @default Azure's own value
       */
      availabilityZone?: string;
      /**
       * Whether the host encrypts temporary disks and caches.
       * @default Azure's own value
       */
      enableEncryptionAtHost?: boolean;
      /**
       * Disk of the operating system.
       * @default Azure's own value
       */
      osDisk?: {
        /**
         * Kind of the disk, such as Premium_LRS.
         * @default Azure's own value
         */
        diskStorageAccountType?: 'Premium_LRS' | 'StandardSSD_LRS' | 'Standard_LRS';
        /**
         * Where the disk of the operating system is: a managed disk in Azure (Managed), or local storage of the host (Ephemeral).
         * @default Azure's own value
         */
        diskType?: 'Ephemeral' | 'Managed';
        /**
         * By construct or ARM id: DiskEncryptionSet.
         * @default Azure's own value
         */
        encryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
        /**
         * 64 to 4095.
         * @default Azure's own value
         */
        sizeGiB?: number;
      };
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      /** Size of the machines, such as Standard_D8s_v3. */
      vmSize: string;
    };
    /**
     * At least 0.
     * @default Azure's own value
     */
    replicas?: number;
    /**
     * Taints of the nodes.
     * @default Azure's own value
     */
    taints?: ({
      /** What happens to pods that do not tolerate the taint. */
      effect: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule';
      /** 1 to 316 characters. */
      key: string;
      /**
       * At most 63 characters.
       * @default Azure's own value
       */
      value?: string;
    })[];
    /**
     * Version of OpenShift on the nodes.
     * @default Azure's own value
     */
    version?: {
      /**
       * Channel of the versions, such as stable.
       * @default Azure's own value
       */
      channelGroup?: string;
      /** Version of OpenShift, such as 4.19.7. */
      id: string;
    };
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The HcpOpenShiftCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'redhatopenshift.azure.com/HcpOpenShiftCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface HcpOpenShiftClustersNodePool {
  spec: HcpOpenShiftClustersNodePoolSpec;
  status?: ArmStatus;
}
