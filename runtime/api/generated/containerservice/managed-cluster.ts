// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ManagedClusterSpec {
  /**
   * Name in Azure. 1 to 63 characters. Pattern: `^[a-zA-Z0-9]$|^[a-zA-Z0-9][-_a-zA-Z0-9]{0,61}[a-zA-Z0-9]$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  aadProfile?: {
    /** @default sent as null */
    adminGroupObjectIDs?: string[];
    clientAppID?: string;
    enableAzureRBAC?: boolean;
    managed?: boolean;
    serverAppID?: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    serverAppSecret?: SecretKeyReference;
    tenantID?: string;
  };
  /** @default sent as null */
  addonProfiles?: Record<string, {
    /** @default sent as null */
    config?: Record<string, string>;
    enabled: boolean;
  }>;
  /** @default sent as null */
  agentPoolProfiles?: ({
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
    count?: number;
    creationData?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      sourceResourceReference?: ArmReference;
    };
    enableAutoScaling?: boolean;
    enableEncryptionAtHost?: boolean;
    enableFIPS?: boolean;
    enableNodePublicIP?: boolean;
    enableUltraSSD?: boolean;
    gatewayProfile?: {
      /**
       * 28 to 31.
       * @default Azure's own value
       */
      publicIPPrefixSize?: number;
    };
    gpuInstanceProfile?: 'MIG1g' | 'MIG2g' | 'MIG3g' | 'MIG4g' | 'MIG7g';
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
    kubeletDiskType?: 'OS' | 'Temporary';
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
    maxCount?: number;
    maxPods?: number;
    messageOfTheDay?: string;
    minCount?: number;
    mode?: 'Gateway' | 'Machines' | 'ManagedSystem' | 'System' | 'User';
    /** Pattern: `^[a-z][a-z0-9]{0,11}$`. */
    name: string;
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
    orchestratorVersion?: string;
    /**
     * 0 to 2048.
     * @default Azure's own value
     */
    osDiskSizeGB?: number;
    osDiskType?: 'Ephemeral' | 'Managed';
    osSKU?: 'AzureLinux' | 'AzureLinux3' | 'CBLMariner' | 'Flatcar' | 'Mariner' | 'Ubuntu' | 'Ubuntu2204' | 'Ubuntu2404' | 'Windows2019' | 'Windows2022' | 'Windows2025' | 'WindowsAnnual';
    osType?: 'Linux' | 'Windows';
    podIPAllocationMode?: 'DynamicIndividual' | 'StaticBlock';
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    podSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    powerState?: {
      code?: 'Running' | 'Stopped';
    };
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    proximityPlacementGroupReference?: ArmReference;
    scaleDownMode?: 'Deallocate' | 'Delete';
    scaleSetEvictionPolicy?: 'Deallocate' | 'Delete';
    scaleSetPriority?: 'Regular' | 'Spot';
    securityProfile?: {
      enableSecureBoot?: boolean;
      enableVTPM?: boolean;
      sshAccess?: 'Disabled' | 'EntraId' | 'LocalUser';
    };
    spotMaxPrice?: number;
    /** @default sent as empty */
    tags?: Record<string, string>;
    type?: 'AvailabilitySet' | 'VirtualMachineScaleSets' | 'VirtualMachines';
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
    vmSize?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    vnetSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    windowsProfile?: {
      disableOutboundNat?: boolean;
    };
    workloadRuntime?: 'KataMshvVmIsolation' | 'KataVmIsolation' | 'OCIContainer' | 'WasmWasi';
  })[];
  /** @default Azure's own value */
  aiToolchainOperatorProfile?: {
    enabled?: boolean;
  };
  /** @default Azure's own value */
  apiServerAccessProfile?: {
    /** @default sent as null */
    authorizedIPRanges?: string[];
    disableRunCommand?: boolean;
    enablePrivateCluster?: boolean;
    enablePrivateClusterPublicFQDN?: boolean;
    enableVnetIntegration?: boolean;
    privateDNSZone?: string;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  };
  /** @default Azure's own value */
  autoScalerProfile?: {
    'balance-similar-node-groups'?: string;
    'daemonset-eviction-for-empty-nodes'?: boolean;
    'daemonset-eviction-for-occupied-nodes'?: boolean;
    expander?: 'least-waste' | 'most-pods' | 'priority' | 'random';
    'ignore-daemonsets-utilization'?: boolean;
    'max-empty-bulk-delete'?: string;
    'max-graceful-termination-sec'?: string;
    'max-node-provision-time'?: string;
    'max-total-unready-percentage'?: string;
    'new-pod-scale-up-delay'?: string;
    'ok-total-unready-count'?: string;
    'scale-down-delay-after-add'?: string;
    'scale-down-delay-after-delete'?: string;
    'scale-down-delay-after-failure'?: string;
    'scale-down-unneeded-time'?: string;
    'scale-down-unready-time'?: string;
    'scale-down-utilization-threshold'?: string;
    'scan-interval'?: string;
    'skip-nodes-with-local-storage'?: string;
    'skip-nodes-with-system-pods'?: string;
  };
  /** @default Azure's own value */
  autoUpgradeProfile?: {
    nodeOSUpgradeChannel?: 'NodeImage' | 'None' | 'SecurityPatch' | 'Unmanaged';
    upgradeChannel?: 'node-image' | 'none' | 'patch' | 'rapid' | 'stable';
  };
  /** @default Azure's own value */
  azureMonitorProfile?: {
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    appMonitoring?: {
      autoInstrumentation?: {
        enabled?: boolean;
      };
      /**
       * Collection of logs and traces that applications send by OpenTelemetry.
       * @default Azure's own value
       */
      openTelemetryLogs?: {
        /**
         * Whether the collection is on.
         * @default Azure's own value
         */
        enabled?: boolean;
        /**
         * Port of the node to which applications send.
         * @default Azure's own value
         */
        port?: number;
      };
      openTelemetryMetrics?: {
        enabled?: boolean;
        /**
         * Port of the node to which applications send.
         * @default Azure's own value
         */
        port?: number;
      };
    };
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    containerInsights?: {
      /**
       * Whether Container Insights leaves out custom metrics.
       * @default Azure's own value
       */
      disableCustomMetrics?: boolean;
      disablePrometheusMetricsScraping?: boolean;
      enabled?: boolean;
      /**
       * By construct or ARM id: Workspace.
       * @default Azure's own value
       */
      logAnalyticsWorkspaceResourceReference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
      syslogPort?: number;
    };
    metrics?: {
      enabled: boolean;
      kubeStateMetrics?: {
        metricAnnotationsAllowList?: string;
        metricLabelsAllowlist?: string;
      };
    };
  };
  /** @default Azure's own value */
  bootstrapProfile?: {
    artifactSource?: 'Cache' | 'Direct';
    /**
     * By construct or ARM id: Registry.
     * @default Azure's own value
     */
    containerRegistryReference?: ArmReference<'containerregistry.azure.com/Registry'>;
  };
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  creationData?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    sourceResourceReference?: ArmReference;
  };
  /** @default Azure's own value */
  disableLocalAccounts?: boolean;
  /**
   * By construct or ARM id: DiskEncryptionSet.
   * @default Azure's own value
   */
  diskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
  /** @default Azure's own value */
  dnsPrefix?: string;
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  enableNamespaceResources?: boolean;
  /**
   * Only in v1api20240901.
   * @default Azure's own value
   */
  enablePodSecurityPolicy?: boolean;
  /** @default Azure's own value */
  enableRBAC?: boolean;
  /** @default Azure's own value */
  extendedLocation?: {
    name?: string;
    /**
     * Always `EdgeZone`.
     * @default Azure's own value
     */
    type?: 'EdgeZone';
  };
  /** @default Azure's own value */
  fqdnSubdomain?: string;
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  hostedSystemProfile?: {
    enabled?: boolean;
  };
  /** @default Azure's own value */
  httpProxyConfig?: {
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    enabled?: boolean;
    httpProxy?: string;
    httpsProxy?: string;
    /** @default sent as null */
    noProxy?: string[];
    trustedCa?: string;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** @default sent as null */
    delegatedResources?: Record<string, {
      location?: string;
      referralResource?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
      /**
       * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
       * @default Azure's own value
       */
      tenantId?: string;
    }>;
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'UserAssigned';
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
  /** @default sent as null */
  identityProfile?: Record<string, {
    clientId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `clientId`.
     * @default Azure's own value
     */
    clientIdFromConfig?: ConfigMapKeyReference;
    objectId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `objectId`.
     * @default Azure's own value
     */
    objectIdFromConfig?: ConfigMapKeyReference;
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    resourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  }>;
  /** @default Azure's own value */
  ingressProfile?: {
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    applicationLoadBalancer?: {
      /**
       * Whether Application Gateway for Containers serves the cluster.
       * @default Azure's own value
       */
      enabled?: boolean;
    };
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    gatewayAPI?: {
      installation?: 'Disabled' | 'Standard';
    };
    webAppRouting?: {
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      defaultDomain?: {
        /**
         * Whether the ingress gets a domain that Azure manages.
         * @default Azure's own value
         */
        enabled?: boolean;
      };
      dnsZoneResourceReferences?: (ArmReference<'network.azure.com/DnsZone' | 'network.azure.com/PrivateDnsZone'>)[];
      enabled?: boolean;
      nginx?: {
        defaultIngressControllerType?: 'AnnotationControlled' | 'External' | 'Internal' | 'None';
      };
    };
  };
  /** @default Azure's own value */
  kind?: string;
  /** @default Azure's own value */
  kubernetesVersion?: string;
  /** @default Azure's own value */
  linuxProfile?: {
    /** Pattern: `^[A-Za-z][-A-Za-z0-9_]*$`. */
    adminUsername: string;
    ssh: {
      publicKeys: ({
        keyData: string;
      })[];
    };
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  metricsProfile?: {
    costAnalysis?: {
      enabled?: boolean;
    };
  };
  /** @default Azure's own value */
  networkProfile?: {
    advancedNetworking?: {
      enabled?: boolean;
      observability?: {
        enabled?: boolean;
      };
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      performance?: {
        accelerationMode?: 'BpfVeth' | 'None';
      };
      security?: {
        advancedNetworkPolicies?: 'FQDN' | 'L7' | 'None';
        enabled?: boolean;
        /**
         * Only in v20251002preview.
         * @default Azure's own value
         */
        transitEncryption?: {
          type?: 'None' | 'WireGuard';
        };
      };
    };
    /**
     * Pattern: `^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$`.
     * @default Azure's own value
     */
    dnsServiceIP?: string;
    /** @default sent as null */
    ipFamilies?: ('IPv4' | 'IPv6')[];
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    kubeProxyConfig?: {
      /**
       * Whether kube-proxy runs on the nodes.
       * @default Azure's own value
       */
      enabled?: boolean;
      /**
       * Settings for the mode IPVS.
       * @default Azure's own value
       */
      ipvsConfig?: {
        /**
         * How IPVS chooses the endpoint of a connection.
         * @default Azure's own value
         */
        scheduler?: 'LeastConnection' | 'RoundRobin';
        /**
         * How long an idle TCP connection is kept after a FIN, in seconds.
         * @default Azure's own value
         */
        tcpFinTimeoutSeconds?: number;
        /**
         * How long an idle TCP connection is kept, in seconds.
         * @default Azure's own value
         */
        tcpTimeoutSeconds?: number;
        /**
         * How long an idle UDP flow is kept, in seconds.
         * @default Azure's own value
         */
        udpTimeoutSeconds?: number;
      };
      /**
       * By what kube-proxy redirects packets.
       * @default Azure's own value
       */
      mode?: 'IPTABLES' | 'IPVS' | 'NFTABLES';
    };
    loadBalancerProfile?: {
      /**
       * 0 to 64000.
       * @default Azure's own value
       */
      allocatedOutboundPorts?: number;
      backendPoolType?: 'NodeIP' | 'NodeIPConfiguration';
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      clusterServiceLoadBalancerHealthProbeMode?: 'ServiceNodePort' | 'Shared';
      /**
       * Only in v1api20240901.
       * @default sent as null
       */
      effectiveOutboundIPs?: ({
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      })[];
      enableMultipleStandardLoadBalancers?: boolean;
      /**
       * 4 to 120.
       * @default Azure's own value
       */
      idleTimeoutInMinutes?: number;
      managedOutboundIPs?: {
        /**
         * 1 to 100.
         * @default Azure's own value
         */
        count?: number;
        /**
         * 0 to 100.
         * @default Azure's own value
         */
        countIPv6?: number;
      };
      outboundIPPrefixes?: {
        /** @default sent as null */
        publicIPPrefixes?: ({
          /**
           * By construct or ARM id: PublicIPPrefix.
           * @default Azure's own value
           */
          reference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
        })[];
      };
      outboundIPs?: {
        /** @default sent as null */
        publicIPs?: ({
          /**
           * By construct or ARM id: PublicIPAddress.
           * @default Azure's own value
           */
          reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
        })[];
      };
    };
    loadBalancerSku?: 'basic' | 'standard';
    natGatewayProfile?: {
      /**
       * Only in v1api20240901.
       * @default sent as null
       */
      effectiveOutboundIPs?: ({
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      })[];
      /**
       * 4 to 120.
       * @default Azure's own value
       */
      idleTimeoutInMinutes?: number;
      managedOutboundIPProfile?: {
        /**
         * 1 to 16.
         * @default Azure's own value
         */
        count?: number;
      };
    };
    networkDataplane?: 'azure' | 'cilium';
    networkMode?: 'bridge' | 'transparent';
    networkPlugin?: 'azure' | 'kubenet' | 'none';
    /**
     * Always `overlay`.
     * @default Azure's own value
     */
    networkPluginMode?: 'overlay';
    networkPolicy?: 'azure' | 'calico' | 'cilium' | 'none';
    outboundType?: 'loadBalancer' | 'managedNATGateway' | 'none' | 'userAssignedNATGateway' | 'userDefinedRouting';
    /**
     * Pattern: `^([0-9]{1,3}\.){3}[0-9]{1,3}(\/([0-9]|[1-2][0-9]|3[0-2]))?$`.
     * @default Azure's own value
     */
    podCidr?: string;
    /** @default sent as null */
    podCidrs?: string[];
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    podLinkLocalAccess?: 'IMDS' | 'None';
    /**
     * Pattern: `^([0-9]{1,3}\.){3}[0-9]{1,3}(\/([0-9]|[1-2][0-9]|3[0-2]))?$`.
     * @default Azure's own value
     */
    serviceCidr?: string;
    /** @default sent as null */
    serviceCidrs?: string[];
    staticEgressGatewayProfile?: {
      enabled?: boolean;
    };
  };
  /** @default Azure's own value */
  nodeProvisioningProfile?: {
    defaultNodePools?: 'Auto' | 'None';
    mode?: 'Auto' | 'Manual';
  };
  /** @default Azure's own value */
  nodeResourceGroup?: string;
  /** @default Azure's own value */
  nodeResourceGroupProfile?: {
    restrictionLevel?: 'ReadOnly' | 'Unrestricted';
  };
  /** @default Azure's own value */
  oidcIssuerProfile?: {
    enabled?: boolean;
  };
  /** @default Azure's own value */
  podIdentityProfile?: {
    allowNetworkPluginKubenet?: boolean;
    enabled?: boolean;
    /** @default sent as null */
    userAssignedIdentities?: ({
      bindingSelector?: string;
      identity: {
        clientId?: string;
        /**
         * A value of a ConfigMap of this namespace, in place of `clientId`.
         * @default Azure's own value
         */
        clientIdFromConfig?: ConfigMapKeyReference;
        objectId?: string;
        /**
         * A value of a ConfigMap of this namespace, in place of `objectId`.
         * @default Azure's own value
         */
        objectIdFromConfig?: ConfigMapKeyReference;
        /**
         * By construct or ARM id: UserAssignedIdentity.
         * @default Azure's own value
         */
        resourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      };
      name: string;
      namespace: string;
    })[];
    /** @default sent as null */
    userAssignedIdentityExceptions?: ({
      name: string;
      namespace: string;
      podLabels: Record<string, string>;
    })[];
  };
  /** @default sent as null */
  privateLinkResources?: ({
    groupId?: string;
    name?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
    /** @default sent as null */
    requiredMembers?: string[];
    type?: string;
  })[];
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  /**
   * Only in v20251002preview.
   * @default Azure's own value
   */
  schedulerProfile?: {
    /**
     * Settings of each scheduler.
     * @default Azure's own value
     */
    schedulerInstanceProfiles?: {
      /**
       * Settings of the default scheduler.
       * @default Azure's own value
       */
      upstream?: {
        /**
         * Whether the scheduler has Azure's configuration, or that of a custom resource in the cluster.
         * @default Azure's own value
         */
        schedulerConfigMode?: 'Default' | 'ManagedByCRD';
      };
    };
  };
  /** @default Azure's own value */
  securityProfile?: {
    azureKeyVaultKms?: {
      enabled?: boolean;
      keyId?: string;
      keyVaultNetworkAccess?: 'Private' | 'Public';
      /**
       * By construct or ARM id: Vault.
       * @default Azure's own value
       */
      keyVaultResourceReference?: ArmReference<'keyvault.azure.com/Vault'>;
    };
    /**
     * 0 to 10 items.
     * @default sent as null
     */
    customCATrustCertificates?: string[];
    defender?: {
      /**
       * By construct or ARM id: Workspace.
       * @default Azure's own value
       */
      logAnalyticsWorkspaceResourceReference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      securityGating?: {
        allowSecretAccess?: boolean;
        enabled?: boolean;
        /** @default sent as null */
        identities?: ({
          azureContainerRegistry?: string;
          identity?: {
            clientId?: string;
            /**
             * A value of a ConfigMap of this namespace, in place of `clientId`.
             * @default Azure's own value
             */
            clientIdFromConfig?: ConfigMapKeyReference;
            objectId?: string;
            /**
             * A value of a ConfigMap of this namespace, in place of `objectId`.
             * @default Azure's own value
             */
            objectIdFromConfig?: ConfigMapKeyReference;
            /**
             * By construct or ARM id: any resource.
             * @default Azure's own value
             */
            resourceReference?: ArmReference;
          };
        })[];
      };
      securityMonitoring?: {
        enabled?: boolean;
      };
    };
    imageCleaner?: {
      enabled?: boolean;
      intervalHours?: number;
    };
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    imageIntegrity?: {
      /**
       * Whether the cluster verifies the signatures of images.
       * @default Azure's own value
       */
      enabled?: boolean;
    };
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    kubernetesResourceObjectEncryptionProfile?: {
      /**
       * Whether Azure encrypts the objects of the API server at rest with keys of the service.
       * @default Azure's own value
       */
      infrastructureEncryption?: 'Disabled' | 'Enabled';
    };
    /**
     * Only in v20251002preview.
     * @default Azure's own value
     */
    nodeRestriction?: {
      /**
       * Whether a kubelet may change only its own Node and the pods on it.
       * @default Azure's own value
       */
      enabled?: boolean;
    };
    workloadIdentity?: {
      enabled?: boolean;
    };
  };
  /** @default Azure's own value */
  serviceMeshProfile?: {
    istio?: {
      certificateAuthority?: {
        plugin?: {
          certChainObjectName?: string;
          certObjectName?: string;
          keyObjectName?: string;
          /**
           * By construct or ARM id: Vault.
           * @default Azure's own value
           */
          keyVaultReference?: ArmReference<'keyvault.azure.com/Vault'>;
          rootCertObjectName?: string;
        };
      };
      components?: {
        /** @default sent as null */
        egressGateways?: ({
          enabled: boolean;
          /**
           * Only in v20251002preview.
           * @default Azure's own value
           */
          gatewayConfigurationName?: string;
          /**
           * Pattern: `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`. Only in v20251002preview.
           * @default Azure's own value
           */
          name?: string;
          /**
           * Only in v20251002preview.
           * @default Azure's own value
           */
          namespace?: string;
        })[];
        /** @default sent as null */
        ingressGateways?: ({
          enabled: boolean;
          mode: 'External' | 'Internal';
        })[];
        /**
         * Only in v20251002preview.
         * @default Azure's own value
         */
        proxyRedirectionMechanism?: 'CNIChaining' | 'InitContainers';
      };
      /**
       * At most 2 items.
       * @default sent as null
       */
      revisions?: string[];
    };
    mode: 'Disabled' | 'Istio';
  };
  /** @default Azure's own value */
  servicePrincipalProfile?: {
    clientId: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    secret?: SecretKeyReference;
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Automatic' | 'Base';
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Free' | 'Premium' | 'Standard';
  };
  /** @default Azure's own value */
  storageProfile?: {
    blobCSIDriver?: {
      enabled?: boolean;
    };
    diskCSIDriver?: {
      enabled?: boolean;
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      version?: string;
    };
    fileCSIDriver?: {
      enabled?: boolean;
    };
    snapshotController?: {
      enabled?: boolean;
    };
  };
  /** @default Azure's own value */
  supportPlan?: 'AKSLongTermSupport' | 'KubernetesOfficial';
  /**
   * Azure tags.
   * @default sent as empty
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  upgradeSettings?: {
    overrideSettings?: {
      forceUpgrade?: boolean;
      until?: string;
    };
  };
  /** @default Azure's own value */
  windowsProfile?: {
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    adminPassword?: SecretKeyReference;
    adminUsername: string;
    enableCSIProxy?: boolean;
    gmsaProfile?: {
      dnsServer?: string;
      enabled?: boolean;
      rootDomainName?: string;
    };
    licenseType?: 'None' | 'Windows_Server';
  };
  /** @default Azure's own value */
  workloadAutoScalerProfile?: {
    keda?: {
      enabled: boolean;
    };
    verticalPodAutoscaler?: {
      /**
       * Only in v20251002preview.
       * @default Azure's own value
       */
      addonAutoscaling?: 'Disabled' | 'Enabled';
      enabled: boolean;
    };
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'adminCredentials' | 'userCredentials', 'oidcIssuerProfile' | 'principalId', 'adminCredentials' | 'userCredentials'>;
}

export interface ManagedCluster {
  spec: ManagedClusterSpec;
  status?: ArmStatus;
}
