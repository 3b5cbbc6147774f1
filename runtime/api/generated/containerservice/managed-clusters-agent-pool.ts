// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ManagedClustersAgentPoolSpec {
  /**
   * Name in Azure. 1 to 12 characters. Pattern: `^[a-z][a-z0-9]{0,11}$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  artifactStreamingProfile?: {
    enabled?: boolean;
  };
  /** @default sent as null */
  availabilityZones?: string[];
  /**
   * By construct or ARM id: CapacityReservationGroup.
   * @default Azure's own value
   */
  capacityReservationGroupReference?: ArmReference<'compute.azure.com/CapacityReservationGroup'>;
  /** @default Azure's own value */
  count?: number;
  /** @default Azure's own value */
  creationData?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    sourceResourceReference?: ArmReference;
  };
  /** @default Azure's own value */
  enableAutoScaling?: boolean;
  /** @default Azure's own value */
  enableEncryptionAtHost?: boolean;
  /** @default Azure's own value */
  enableFIPS?: boolean;
  /** @default Azure's own value */
  enableNodePublicIP?: boolean;
  /** @default Azure's own value */
  enableUltraSSD?: boolean;
  /** @default Azure's own value */
  gatewayProfile?: {
    /**
     * 28 to 31.
     * @default Azure's own value
     */
    publicIPPrefixSize?: number;
  };
  /** @default Azure's own value */
  gpuInstanceProfile?: 'MIG1g' | 'MIG2g' | 'MIG3g' | 'MIG4g' | 'MIG7g';
  /** @default Azure's own value */
  gpuProfile?: {
    driver?: 'Install' | 'None';
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    driverType?: 'CUDA' | 'GRID';
  };
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  hostGroupReference?: ArmReference;
  /** @default Azure's own value */
  kubeletConfig?: {
    /** @default sent as null */
    allowedUnsafeSysctls?: string[];
    /**
     * At least 2.
     * @default Azure's own value
     */
    containerLogMaxFiles?: number;
    containerLogMaxSizeMB?: number;
    cpuCfsQuota?: boolean;
    cpuCfsQuotaPeriod?: string;
    cpuManagerPolicy?: string;
    failSwapOn?: boolean;
    imageGcHighThreshold?: number;
    imageGcLowThreshold?: number;
    podMaxPids?: number;
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    seccompDefault?: 'RuntimeDefault' | 'Unconfined';
    topologyManagerPolicy?: string;
  };
  /** @default Azure's own value */
  kubeletDiskType?: 'OS' | 'Temporary';
  /** @default Azure's own value */
  linuxOSConfig?: {
    swapFileSizeMB?: number;
    sysctls?: {
      fsAioMaxNr?: number;
      fsFileMax?: number;
      fsInotifyMaxUserWatches?: number;
      fsNrOpen?: number;
      kernelThreadsMax?: number;
      netCoreNetdevMaxBacklog?: number;
      netCoreOptmemMax?: number;
      netCoreRmemDefault?: number;
      netCoreRmemMax?: number;
      netCoreSomaxconn?: number;
      netCoreWmemDefault?: number;
      netCoreWmemMax?: number;
      netIpv4IpLocalPortRange?: string;
      netIpv4NeighDefaultGcThresh1?: number;
      netIpv4NeighDefaultGcThresh2?: number;
      netIpv4NeighDefaultGcThresh3?: number;
      netIpv4TcpFinTimeout?: number;
      netIpv4TcpKeepaliveProbes?: number;
      netIpv4TcpKeepaliveTime?: number;
      netIpv4TcpMaxSynBacklog?: number;
      netIpv4TcpMaxTwBuckets?: number;
      netIpv4TcpTwReuse?: boolean;
      /**
       * 10 to 90.
       * @default Azure's own value
       */
      netIpv4TcpkeepaliveIntvl?: number;
      /**
       * 65536 to 524288.
       * @default Azure's own value
       */
      netNetfilterNfConntrackBuckets?: number;
      /**
       * 131072 to 2097152.
       * @default Azure's own value
       */
      netNetfilterNfConntrackMax?: number;
      vmMaxMapCount?: number;
      vmSwappiness?: number;
      vmVfsCachePressure?: number;
    };
    transparentHugePageDefrag?: string;
    transparentHugePageEnabled?: string;
  };
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  localDNSProfile?: {
    /** @default sent as null */
    kubeDNSOverrides?: Record<string, {
      cacheDurationInSeconds?: number;
      forwardDestination?: 'ClusterCoreDNS' | 'VnetDNS';
      forwardPolicy?: 'Random' | 'RoundRobin' | 'Sequential';
      maxConcurrent?: number;
      protocol?: 'ForceTCP' | 'PreferUDP';
      queryLogging?: 'Error' | 'Log';
      serveStale?: 'Disable' | 'Immediate' | 'Verify';
      serveStaleDurationInSeconds?: number;
    }>;
    mode?: 'Disabled' | 'Preferred' | 'Required';
    /** @default sent as null */
    vnetDNSOverrides?: Record<string, {
      cacheDurationInSeconds?: number;
      forwardDestination?: 'ClusterCoreDNS' | 'VnetDNS';
      forwardPolicy?: 'Random' | 'RoundRobin' | 'Sequential';
      maxConcurrent?: number;
      protocol?: 'ForceTCP' | 'PreferUDP';
      queryLogging?: 'Error' | 'Log';
      serveStale?: 'Disable' | 'Immediate' | 'Verify';
      serveStaleDurationInSeconds?: number;
    }>;
  };
  /** @default Azure's own value */
  maxCount?: number;
  /** @default Azure's own value */
  maxPods?: number;
  /** @default Azure's own value */
  messageOfTheDay?: string;
  /** @default Azure's own value */
  minCount?: number;
  /** @default Azure's own value */
  mode?: 'Gateway' | 'Machines' | 'ManagedSystem' | 'System' | 'User';
  /** @default Azure's own value */
  networkProfile?: {
    /** @default sent as null */
    allowedHostPorts?: ({
      /**
       * 1 to 65535.
       * @default Azure's own value
       */
      portEnd?: number;
      /**
       * 1 to 65535.
       * @default Azure's own value
       */
      portStart?: number;
      protocol?: 'TCP' | 'UDP';
    })[];
    applicationSecurityGroupsReferences?: (ArmReference<'network.azure.com/ApplicationSecurityGroup'>)[];
    /** @default sent as null */
    nodePublicIPTags?: ({
      ipTagType?: string;
      tag?: string;
    })[];
  };
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  nodeCustomizationProfile?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    nodeCustomizationReference?: ArmReference;
  };
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  nodeImageVersion?: string;
  /**
   * Only in v20251002preview.
   * @default sent as null
   */
  nodeInitializationTaints?: string[];
  /** @default sent as empty */
  nodeLabels?: Record<string, string>;
  /**
   * By construct or ARM id: PublicIPPrefix.
   * @default Azure's own value
   */
  nodePublicIPPrefixReference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
  /** @default sent as empty */
  nodeTaints?: string[];
  /** @default Azure's own value */
  orchestratorVersion?: string;
  /**
   * 0 to 2048.
   * @default Azure's own value
   */
  osDiskSizeGB?: number;
  /** @default Azure's own value */
  osDiskType?: 'Ephemeral' | 'Managed';
  /** @default Azure's own value */
  osSKU?: 'AzureLinux' | 'AzureLinux3' | 'CBLMariner' | 'Flatcar' | 'Mariner' | 'Ubuntu' | 'Ubuntu2204' | 'Ubuntu2404' | 'Windows2019' | 'Windows2022' | 'Windows2025' | 'WindowsAnnual';
  /** @default Azure's own value */
  osType?: 'Linux' | 'Windows';
  /** @default Azure's own value */
  podIPAllocationMode?: 'DynamicIndividual' | 'StaticBlock';
  /**
   * By construct or ARM id: VirtualNetworksSubnet.
   * @default Azure's own value
   */
  podSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  /** @default Azure's own value */
  powerState?: {
    code?: 'Running' | 'Stopped';
  };
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  proximityPlacementGroupReference?: ArmReference;
  /** @default Azure's own value */
  scaleDownMode?: 'Deallocate' | 'Delete';
  /** @default Azure's own value */
  scaleSetEvictionPolicy?: 'Deallocate' | 'Delete';
  /** @default Azure's own value */
  scaleSetPriority?: 'Regular' | 'Spot';
  /** @default Azure's own value */
  securityProfile?: {
    enableSecureBoot?: boolean;
    enableVTPM?: boolean;
    sshAccess?: 'Disabled' | 'EntraId' | 'LocalUser';
  };
  /** @default Azure's own value */
  spotMaxPrice?: number;
  /**
   * Azure tags.
   * @default sent as empty
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  type?: 'AvailabilitySet' | 'VirtualMachineScaleSets' | 'VirtualMachines';
  /** @default Azure's own value */
  upgradeSettings?: {
    /**
     * 1 to 1440.
     * @default Azure's own value
     */
    drainTimeoutInMinutes?: number;
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    maxBlockedNodes?: string;
    maxSurge?: string;
    maxUnavailable?: string;
    /**
     * 0 to 30.
     * @default Azure's own value
     */
    nodeSoakDurationInMinutes?: number;
    undrainableNodeBehavior?: 'Cordon' | 'Schedule';
  };
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  upgradeSettingsBlueGreen?: {
    /**
     * 0 to 1440.
     * @default Azure's own value
     */
    batchSoakDurationInMinutes?: number;
    /**
     * How many nodes are drained at once, as a number or a percentage such as 10%.
     * @default Azure's own value
     */
    drainBatchSize?: string;
    /**
     * 1 to 1440.
     * @default Azure's own value
     */
    drainTimeoutInMinutes?: number;
    /**
     * 0 to 10080.
     * @default Azure's own value
     */
    finalSoakDurationInMinutes?: number;
  };
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  upgradeStrategy?: 'BlueGreen' | 'Rolling';
  /** @default sent as null */
  virtualMachineNodesStatus?: ({
    count?: number;
    size?: string;
  })[];
  /** @default Azure's own value */
  virtualMachinesProfile?: {
    scale?: {
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      autoscale?: {
        maxCount?: number;
        minCount?: number;
        size?: string;
      };
      /** @default sent as null */
      manual?: ({
        count?: number;
        size?: string;
      })[];
    };
  };
  /** @default Azure's own value */
  vmSize?: string;
  /**
   * By construct or ARM id: VirtualNetworksSubnet.
   * @default Azure's own value
   */
  vnetSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  /** @default Azure's own value */
  windowsProfile?: {
    disableOutboundNat?: boolean;
  };
  /** @default Azure's own value */
  workloadRuntime?: 'KataMshvVmIsolation' | 'KataVmIsolation' | 'OCIContainer' | 'WasmWasi';
  /** The ManagedCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerservice.azure.com/ManagedCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ManagedClustersAgentPool {
  spec: ManagedClustersAgentPoolSpec;
  status?: ArmStatus;
}
