// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ManagedClusterSpec {
  azureName?: string;
  aadProfile?: {
    adminGroupObjectIDs?: string[];
    clientAppID?: string;
    enableAzureRBAC?: boolean;
    managed?: boolean;
    serverAppID?: string;
    serverAppSecret?: SecretKeyReference;
    tenantID?: string;
  };
  addonProfiles?: Record<string, {
    config?: Record<string, string>;
    enabled: boolean;
  }>;
  agentPoolProfiles?: ({
    artifactStreamingProfile?: {
      enabled?: boolean;
    };
    availabilityZones?: string[];
    capacityReservationGroupReference?: ArmReference;
    count?: number;
    creationData?: {
      sourceResourceReference?: ArmReference;
    };
    enableAutoScaling?: boolean;
    enableEncryptionAtHost?: boolean;
    enableFIPS?: boolean;
    enableNodePublicIP?: boolean;
    enableUltraSSD?: boolean;
    gatewayProfile?: {
      publicIPPrefixSize?: number;
    };
    gpuInstanceProfile?: 'MIG1g' | 'MIG2g' | 'MIG3g' | 'MIG4g' | 'MIG7g';
    gpuProfile?: {
      driver?: 'Install' | 'None';
      driverType?: 'CUDA' | 'GRID';
    };
    hostGroupReference?: ArmReference;
    kubeletConfig?: {
      allowedUnsafeSysctls?: string[];
      containerLogMaxFiles?: number;
      containerLogMaxSizeMB?: number;
      cpuCfsQuota?: boolean;
      cpuCfsQuotaPeriod?: string;
      cpuManagerPolicy?: string;
      failSwapOn?: boolean;
      imageGcHighThreshold?: number;
      imageGcLowThreshold?: number;
      podMaxPids?: number;
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
        netIpv4TcpkeepaliveIntvl?: number;
        netNetfilterNfConntrackBuckets?: number;
        netNetfilterNfConntrackMax?: number;
        vmMaxMapCount?: number;
        vmSwappiness?: number;
        vmVfsCachePressure?: number;
      };
      transparentHugePageDefrag?: string;
      transparentHugePageEnabled?: string;
    };
    localDNSProfile?: {
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
    name: string;
    networkProfile?: {
      allowedHostPorts?: ({
        portEnd?: number;
        portStart?: number;
        protocol?: 'TCP' | 'UDP';
      })[];
      applicationSecurityGroupsReferences?: ArmReference[];
      nodePublicIPTags?: ({
        ipTagType?: string;
        tag?: string;
      })[];
    };
    nodeCustomizationProfile?: {
      nodeCustomizationReference?: ArmReference;
    };
    nodeImageVersion?: string;
    nodeInitializationTaints?: string[];
    nodeLabels?: Record<string, string>;
    nodePublicIPPrefixReference?: ArmReference;
    nodeTaints?: string[];
    orchestratorVersion?: string;
    osDiskSizeGB?: number;
    osDiskType?: 'Ephemeral' | 'Managed';
    osSKU?: 'AzureLinux' | 'AzureLinux3' | 'CBLMariner' | 'Flatcar' | 'Mariner' | 'Ubuntu' | 'Ubuntu2204' | 'Ubuntu2404' | 'Windows2019' | 'Windows2022' | 'Windows2025' | 'WindowsAnnual';
    osType?: 'Linux' | 'Windows';
    podIPAllocationMode?: 'DynamicIndividual' | 'StaticBlock';
    podSubnetReference?: ArmReference;
    powerState?: {
      code?: 'Running' | 'Stopped';
    };
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
    tags?: Record<string, string>;
    type?: 'AvailabilitySet' | 'VirtualMachineScaleSets' | 'VirtualMachines';
    upgradeSettings?: {
      drainTimeoutInMinutes?: number;
      maxBlockedNodes?: string;
      maxSurge?: string;
      maxUnavailable?: string;
      nodeSoakDurationInMinutes?: number;
      undrainableNodeBehavior?: 'Cordon' | 'Schedule';
    };
    upgradeSettingsBlueGreen?: {
      batchSoakDurationInMinutes?: number;
      drainBatchSize?: string;
      drainTimeoutInMinutes?: number;
      finalSoakDurationInMinutes?: number;
    };
    upgradeStrategy?: 'BlueGreen' | 'Rolling';
    virtualMachineNodesStatus?: ({
      count?: number;
      size?: string;
    })[];
    virtualMachinesProfile?: {
      scale?: {
        autoscale?: {
          maxCount?: number;
          minCount?: number;
          size?: string;
        };
        manual?: ({
          count?: number;
          size?: string;
        })[];
      };
    };
    vmSize?: string;
    vnetSubnetReference?: ArmReference;
    windowsProfile?: {
      disableOutboundNat?: boolean;
    };
    workloadRuntime?: 'KataMshvVmIsolation' | 'KataVmIsolation' | 'OCIContainer' | 'WasmWasi';
  })[];
  aiToolchainOperatorProfile?: {
    enabled?: boolean;
  };
  apiServerAccessProfile?: {
    authorizedIPRanges?: string[];
    disableRunCommand?: boolean;
    enablePrivateCluster?: boolean;
    enablePrivateClusterPublicFQDN?: boolean;
    enableVnetIntegration?: boolean;
    privateDNSZone?: string;
    subnetReference?: ArmReference;
  };
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
  autoUpgradeProfile?: {
    nodeOSUpgradeChannel?: 'NodeImage' | 'None' | 'SecurityPatch' | 'Unmanaged';
    upgradeChannel?: 'node-image' | 'none' | 'patch' | 'rapid' | 'stable';
  };
  azureMonitorProfile?: {
    appMonitoring?: {
      autoInstrumentation?: {
        enabled?: boolean;
      };
      openTelemetryLogs?: {
        enabled?: boolean;
        port?: number;
      };
      openTelemetryMetrics?: {
        enabled?: boolean;
        port?: number;
      };
    };
    containerInsights?: {
      disableCustomMetrics?: boolean;
      disablePrometheusMetricsScraping?: boolean;
      enabled?: boolean;
      logAnalyticsWorkspaceResourceReference?: ArmReference;
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
  bootstrapProfile?: {
    artifactSource?: 'Cache' | 'Direct';
    containerRegistryReference?: ArmReference;
  };
  creationData?: {
    sourceResourceReference?: ArmReference;
  };
  disableLocalAccounts?: boolean;
  diskEncryptionSetReference?: ArmReference;
  dnsPrefix?: string;
  enableNamespaceResources?: boolean;
  enablePodSecurityPolicy?: boolean;
  enableRBAC?: boolean;
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  fqdnSubdomain?: string;
  hostedSystemProfile?: {
    enabled?: boolean;
  };
  httpProxyConfig?: {
    enabled?: boolean;
    httpProxy?: string;
    httpsProxy?: string;
    noProxy?: string[];
    trustedCa?: string;
  };
  identity?: {
    delegatedResources?: Record<string, {
      location?: string;
      referralResource?: string;
      resourceReference?: ArmReference;
      tenantId?: string;
    }>;
    type?: 'None' | 'SystemAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  identityProfile?: Record<string, {
    clientId?: string;
    clientIdFromConfig?: ConfigMapKeyReference;
    objectId?: string;
    objectIdFromConfig?: ConfigMapKeyReference;
    resourceReference?: ArmReference;
  }>;
  ingressProfile?: {
    applicationLoadBalancer?: {
      enabled?: boolean;
    };
    gatewayAPI?: {
      installation?: 'Disabled' | 'Standard';
    };
    webAppRouting?: {
      defaultDomain?: {
        enabled?: boolean;
      };
      dnsZoneResourceReferences?: ArmReference[];
      enabled?: boolean;
      nginx?: {
        defaultIngressControllerType?: 'AnnotationControlled' | 'External' | 'Internal' | 'None';
      };
    };
  };
  kind?: string;
  kubernetesVersion?: string;
  linuxProfile?: {
    adminUsername: string;
    ssh: {
      publicKeys: ({
        keyData: string;
      })[];
    };
  };
  location: string;
  metricsProfile?: {
    costAnalysis?: {
      enabled?: boolean;
    };
  };
  networkProfile?: {
    advancedNetworking?: {
      enabled?: boolean;
      observability?: {
        enabled?: boolean;
      };
      performance?: {
        accelerationMode?: 'BpfVeth' | 'None';
      };
      security?: {
        advancedNetworkPolicies?: 'FQDN' | 'L7' | 'None';
        enabled?: boolean;
        transitEncryption?: {
          type?: 'None' | 'WireGuard';
        };
      };
    };
    dnsServiceIP?: string;
    ipFamilies?: ('IPv4' | 'IPv6')[];
    kubeProxyConfig?: {
      enabled?: boolean;
      ipvsConfig?: {
        scheduler?: 'LeastConnection' | 'RoundRobin';
        tcpFinTimeoutSeconds?: number;
        tcpTimeoutSeconds?: number;
        udpTimeoutSeconds?: number;
      };
      mode?: 'IPTABLES' | 'IPVS' | 'NFTABLES';
    };
    loadBalancerProfile?: {
      allocatedOutboundPorts?: number;
      backendPoolType?: 'NodeIP' | 'NodeIPConfiguration';
      clusterServiceLoadBalancerHealthProbeMode?: 'ServiceNodePort' | 'Shared';
      effectiveOutboundIPs?: ({
        reference?: ArmReference;
      })[];
      enableMultipleStandardLoadBalancers?: boolean;
      idleTimeoutInMinutes?: number;
      managedOutboundIPs?: {
        count?: number;
        countIPv6?: number;
      };
      outboundIPPrefixes?: {
        publicIPPrefixes?: ({
          reference?: ArmReference;
        })[];
      };
      outboundIPs?: {
        publicIPs?: ({
          reference?: ArmReference;
        })[];
      };
    };
    loadBalancerSku?: 'basic' | 'standard';
    natGatewayProfile?: {
      effectiveOutboundIPs?: ({
        reference?: ArmReference;
      })[];
      idleTimeoutInMinutes?: number;
      managedOutboundIPProfile?: {
        count?: number;
      };
    };
    networkDataplane?: 'azure' | 'cilium';
    networkMode?: 'bridge' | 'transparent';
    networkPlugin?: 'azure' | 'kubenet' | 'none';
    networkPluginMode?: 'overlay';
    networkPolicy?: 'azure' | 'calico' | 'cilium' | 'none';
    outboundType?: 'loadBalancer' | 'managedNATGateway' | 'none' | 'userAssignedNATGateway' | 'userDefinedRouting';
    podCidr?: string;
    podCidrs?: string[];
    podLinkLocalAccess?: 'IMDS' | 'None';
    serviceCidr?: string;
    serviceCidrs?: string[];
    staticEgressGatewayProfile?: {
      enabled?: boolean;
    };
  };
  nodeProvisioningProfile?: {
    defaultNodePools?: 'Auto' | 'None';
    mode?: 'Auto' | 'Manual';
  };
  nodeResourceGroup?: string;
  nodeResourceGroupProfile?: {
    restrictionLevel?: 'ReadOnly' | 'Unrestricted';
  };
  oidcIssuerProfile?: {
    enabled?: boolean;
  };
  podIdentityProfile?: {
    allowNetworkPluginKubenet?: boolean;
    enabled?: boolean;
    userAssignedIdentities?: ({
      bindingSelector?: string;
      identity: {
        clientId?: string;
        clientIdFromConfig?: ConfigMapKeyReference;
        objectId?: string;
        objectIdFromConfig?: ConfigMapKeyReference;
        resourceReference?: ArmReference;
      };
      name: string;
      namespace: string;
    })[];
    userAssignedIdentityExceptions?: ({
      name: string;
      namespace: string;
      podLabels: Record<string, string>;
    })[];
  };
  privateLinkResources?: ({
    groupId?: string;
    name?: string;
    reference?: ArmReference;
    requiredMembers?: string[];
    type?: string;
  })[];
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  schedulerProfile?: {
    schedulerInstanceProfiles?: {
      upstream?: {
        schedulerConfigMode?: 'Default' | 'ManagedByCRD';
      };
    };
  };
  securityProfile?: {
    azureKeyVaultKms?: {
      enabled?: boolean;
      keyId?: string;
      keyVaultNetworkAccess?: 'Private' | 'Public';
      keyVaultResourceReference?: ArmReference;
    };
    customCATrustCertificates?: string[];
    defender?: {
      logAnalyticsWorkspaceResourceReference?: ArmReference;
      securityGating?: {
        allowSecretAccess?: boolean;
        enabled?: boolean;
        identities?: ({
          azureContainerRegistry?: string;
          identity?: {
            clientId?: string;
            clientIdFromConfig?: ConfigMapKeyReference;
            objectId?: string;
            objectIdFromConfig?: ConfigMapKeyReference;
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
    imageIntegrity?: {
      enabled?: boolean;
    };
    kubernetesResourceObjectEncryptionProfile?: {
      infrastructureEncryption?: 'Disabled' | 'Enabled';
    };
    nodeRestriction?: {
      enabled?: boolean;
    };
    workloadIdentity?: {
      enabled?: boolean;
    };
  };
  serviceMeshProfile?: {
    istio?: {
      certificateAuthority?: {
        plugin?: {
          certChainObjectName?: string;
          certObjectName?: string;
          keyObjectName?: string;
          keyVaultReference?: ArmReference;
          rootCertObjectName?: string;
        };
      };
      components?: {
        egressGateways?: ({
          enabled: boolean;
          gatewayConfigurationName?: string;
          name?: string;
          namespace?: string;
        })[];
        ingressGateways?: ({
          enabled: boolean;
          mode: 'External' | 'Internal';
        })[];
        proxyRedirectionMechanism?: 'CNIChaining' | 'InitContainers';
      };
      revisions?: string[];
    };
    mode: 'Disabled' | 'Istio';
  };
  servicePrincipalProfile?: {
    clientId: string;
    secret?: SecretKeyReference;
  };
  sku?: {
    name?: 'Automatic' | 'Base';
    tier?: 'Free' | 'Premium' | 'Standard';
  };
  storageProfile?: {
    blobCSIDriver?: {
      enabled?: boolean;
    };
    diskCSIDriver?: {
      enabled?: boolean;
      version?: string;
    };
    fileCSIDriver?: {
      enabled?: boolean;
    };
    snapshotController?: {
      enabled?: boolean;
    };
  };
  supportPlan?: 'AKSLongTermSupport' | 'KubernetesOfficial';
  tags?: Record<string, string>;
  upgradeSettings?: {
    overrideSettings?: {
      forceUpgrade?: boolean;
      until?: string;
    };
  };
  windowsProfile?: {
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
  workloadAutoScalerProfile?: {
    keda?: {
      enabled: boolean;
    };
    verticalPodAutoscaler?: {
      addonAutoscaling?: 'Disabled' | 'Enabled';
      enabled: boolean;
    };
  };
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'adminCredentials' | 'userCredentials', 'oidcIssuerProfile' | 'principalId', 'adminCredentials' | 'userCredentials'>;
}

export interface ManagedCluster {
  spec: ManagedClusterSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "containerservice.azure.com",
 "kind": "ManagedCluster",
 "plural": "managedclusters",
 "singular": "managedcluster",
 "shortNames": ["aks"],
 "arm": {
  "armType": "Microsoft.ContainerService/managedClusters",
  "apiVersions": {"v1api20250801":"2025-08-01","v20251002preview":"2025-10-02-preview","v1api20240901":"2024-09-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ContainerService/managedClusters/{resourceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[a-zA-Z0-9]$|^[a-zA-Z0-9][-_a-zA-Z0-9]{0,61}[a-zA-Z0-9]$","minLength":1,"maxLength":63},
  "topLevel": ["extendedLocation","identity","kind","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["adminCredentials","userCredentials"],"configMaps":["oidcIssuerProfile","principalId"]},
  "secretSource": {
   "action": null,
   "actions": {
    "adminCredentials": {"method":"POST","path":"listClusterAdminCredential","apiVersion":"2022-04-01"},
    "userCredentials": {"method":"POST","path":"listClusterUserCredential","apiVersion":"2022-04-01"}
   },
   "secrets": {
    "adminCredentials": {"from":"action","path":"kubeconfigs[0].value","decode":"base64"},
    "userCredentials": {"from":"action","path":"kubeconfigs[0].value","decode":"base64"}
   },
   "configMaps": {
    "oidcIssuerProfile": {"from":"status","crPath":"status.oidcIssuerProfile.issuerURL","armPath":"properties.oidcIssuerProfile.issuerURL"},
    "principalId": {"from":"status","crPath":"status.identity.principalId","armPath":"identity.principalId"}
   },
   "celNames": ["adminCredentials","userCredentials"]
  },
  "errorOverrides": [{"code":"CustomKubeletIdentityMissingPermissionError","class":"retryable"}],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "aadProfile": {
     "type": "object",
     "properties": {
      "adminGroupObjectIDs": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
      "clientAppID": {"type":"string"},
      "enableAzureRBAC": {"type":"boolean"},
      "managed": {"type":"boolean"},
      "serverAppID": {"type":"string"},
      "serverAppSecret": {"type":"secret"},
      "tenantID": {"type":"string"}
     }
    },
    "addonProfiles": {
     "type": "map",
     "values": {
      "type": "object",
      "required": ["enabled"],
      "properties": {"config":{"type":"map","values":{"type":"string"},"whenAbsent":"null"},"enabled":{"type":"boolean"}}
     },
     "whenAbsent": "null"
    },
    "agentPoolProfiles": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["name"],
      "properties": {
       "availabilityZones": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
       "capacityReservationGroupReference": {"type":"reference","arm":"capacityReservationGroupID"},
       "count": {"type":"integer"},
       "creationData": {"type":"object","properties":{"sourceResourceReference":{"type":"reference","arm":"sourceResourceId"}}},
       "enableAutoScaling": {"type":"boolean"},
       "enableEncryptionAtHost": {"type":"boolean"},
       "enableFIPS": {"type":"boolean"},
       "enableNodePublicIP": {"type":"boolean"},
       "enableUltraSSD": {"type":"boolean"},
       "gatewayProfile": {"type":"object","properties":{"publicIPPrefixSize":{"type":"integer","minimum":28,"maximum":31}}},
       "gpuInstanceProfile": {"type":"string","enum":["MIG1g","MIG2g","MIG3g","MIG4g","MIG7g"]},
       "gpuProfile": {
        "type": "object",
        "properties": {
         "driver": {"type":"string","enum":["Install","None"]},
         "driverType": {"type":"string","enum":["CUDA","GRID"],"onlyIn":["v20251002preview"]}
        }
       },
       "hostGroupReference": {"type":"reference","arm":"hostGroupID"},
       "kubeletConfig": {
        "type": "object",
        "properties": {
         "allowedUnsafeSysctls": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
         "containerLogMaxFiles": {"type":"integer","minimum":2},
         "containerLogMaxSizeMB": {"type":"integer"},
         "cpuCfsQuota": {"type":"boolean"},
         "cpuCfsQuotaPeriod": {"type":"string"},
         "cpuManagerPolicy": {"type":"string"},
         "failSwapOn": {"type":"boolean"},
         "imageGcHighThreshold": {"type":"integer"},
         "imageGcLowThreshold": {"type":"integer"},
         "podMaxPids": {"type":"integer"},
         "topologyManagerPolicy": {"type":"string"},
         "seccompDefault": {"type":"string","enum":["RuntimeDefault","Unconfined"],"onlyIn":["v20251002preview"]}
        }
       },
       "kubeletDiskType": {"type":"string","enum":["OS","Temporary"]},
       "linuxOSConfig": {
        "type": "object",
        "properties": {
         "swapFileSizeMB": {"type":"integer"},
         "sysctls": {
          "type": "object",
          "properties": {
           "fsAioMaxNr": {"type":"integer"},
           "fsFileMax": {"type":"integer"},
           "fsInotifyMaxUserWatches": {"type":"integer"},
           "fsNrOpen": {"type":"integer"},
           "kernelThreadsMax": {"type":"integer"},
           "netCoreNetdevMaxBacklog": {"type":"integer"},
           "netCoreOptmemMax": {"type":"integer"},
           "netCoreRmemDefault": {"type":"integer"},
           "netCoreRmemMax": {"type":"integer"},
           "netCoreSomaxconn": {"type":"integer"},
           "netCoreWmemDefault": {"type":"integer"},
           "netCoreWmemMax": {"type":"integer"},
           "netIpv4IpLocalPortRange": {"type":"string"},
           "netIpv4NeighDefaultGcThresh1": {"type":"integer"},
           "netIpv4NeighDefaultGcThresh2": {"type":"integer"},
           "netIpv4NeighDefaultGcThresh3": {"type":"integer"},
           "netIpv4TcpFinTimeout": {"type":"integer"},
           "netIpv4TcpKeepaliveProbes": {"type":"integer"},
           "netIpv4TcpKeepaliveTime": {"type":"integer"},
           "netIpv4TcpMaxSynBacklog": {"type":"integer"},
           "netIpv4TcpMaxTwBuckets": {"type":"integer"},
           "netIpv4TcpTwReuse": {"type":"boolean"},
           "netIpv4TcpkeepaliveIntvl": {"type":"integer","minimum":10,"maximum":90},
           "netNetfilterNfConntrackBuckets": {"type":"integer","minimum":65536,"maximum":524288},
           "netNetfilterNfConntrackMax": {"type":"integer","minimum":131072,"maximum":2097152},
           "vmMaxMapCount": {"type":"integer"},
           "vmSwappiness": {"type":"integer"},
           "vmVfsCachePressure": {"type":"integer"}
          }
         },
         "transparentHugePageDefrag": {"type":"string"},
         "transparentHugePageEnabled": {"type":"string"}
        }
       },
       "maxCount": {"type":"integer"},
       "maxPods": {"type":"integer"},
       "messageOfTheDay": {"type":"string"},
       "minCount": {"type":"integer"},
       "mode": {"type":"string","enum":["Gateway","Machines","ManagedSystem","System","User"]},
       "name": {"type":"string","pattern":"^[a-z][a-z0-9]{0,11}$"},
       "networkProfile": {
        "type": "object",
        "properties": {
         "allowedHostPorts": {
          "type": "array",
          "items": {
           "type": "object",
           "properties": {
            "portEnd": {"type":"integer","minimum":1,"maximum":65535},
            "portStart": {"type":"integer","minimum":1,"maximum":65535},
            "protocol": {"type":"string","enum":["TCP","UDP"]}
           }
          },
          "whenAbsent": "null"
         },
         "applicationSecurityGroupsReferences": {"type":"array","items":{"type":"reference"},"arm":"applicationSecurityGroups"},
         "nodePublicIPTags": {
          "type": "array",
          "items": {"type":"object","properties":{"ipTagType":{"type":"string"},"tag":{"type":"string"}}},
          "whenAbsent": "null"
         }
        }
       },
       "nodeLabels": {"type":"map","values":{"type":"string"},"whenAbsent":"empty"},
       "nodePublicIPPrefixReference": {"type":"reference","arm":"nodePublicIPPrefixID"},
       "nodeTaints": {"type":"array","items":{"type":"string"},"whenAbsent":"empty"},
       "orchestratorVersion": {"type":"string"},
       "osDiskSizeGB": {"type":"integer","minimum":0,"maximum":2048},
       "osDiskType": {"type":"string","enum":["Ephemeral","Managed"]},
       "osSKU": {
        "type": "string",
        "enum": [
         "AzureLinux",
         "AzureLinux3",
         "CBLMariner",
         "Flatcar",
         "Mariner",
         "Ubuntu",
         "Ubuntu2204",
         "Ubuntu2404",
         "Windows2019",
         "Windows2022",
         "Windows2025",
         "WindowsAnnual"
        ]
       },
       "osType": {"type":"string","enum":["Linux","Windows"]},
       "podIPAllocationMode": {"type":"string","enum":["DynamicIndividual","StaticBlock"]},
       "podSubnetReference": {"type":"reference","arm":"podSubnetID"},
       "powerState": {"type":"object","properties":{"code":{"type":"string","enum":["Running","Stopped"]}}},
       "proximityPlacementGroupReference": {"type":"reference","arm":"proximityPlacementGroupID"},
       "scaleDownMode": {"type":"string","enum":["Deallocate","Delete"]},
       "scaleSetEvictionPolicy": {"type":"string","enum":["Deallocate","Delete"]},
       "scaleSetPriority": {"type":"string","enum":["Regular","Spot"]},
       "securityProfile": {
        "type": "object",
        "properties": {
         "enableSecureBoot": {"type":"boolean"},
         "enableVTPM": {"type":"boolean"},
         "sshAccess": {"type":"string","enum":["Disabled","EntraId","LocalUser"]}
        }
       },
       "spotMaxPrice": {"type":"number"},
       "tags": {"type":"map","values":{"type":"string"},"whenAbsent":"empty"},
       "type": {"type":"string","enum":["AvailabilitySet","VirtualMachineScaleSets","VirtualMachines"]},
       "upgradeSettings": {
        "type": "object",
        "properties": {
         "drainTimeoutInMinutes": {"type":"integer","minimum":1,"maximum":1440},
         "maxSurge": {"type":"string"},
         "maxUnavailable": {"type":"string"},
         "nodeSoakDurationInMinutes": {"type":"integer","minimum":0,"maximum":30},
         "undrainableNodeBehavior": {"type":"string","enum":["Cordon","Schedule"]},
         "maxBlockedNodes": {"type":"string","onlyIn":["v20251002preview"]}
        }
       },
       "virtualMachineNodesStatus": {
        "type": "array",
        "items": {"type":"object","properties":{"count":{"type":"integer"},"size":{"type":"string"}}},
        "whenAbsent": "null",
        "whenAbsentNotIn": ["v1api20240901"]
       },
       "virtualMachinesProfile": {
        "type": "object",
        "properties": {
         "scale": {
          "type": "object",
          "properties": {
           "manual": {
            "type": "array",
            "items": {"type":"object","properties":{"count":{"type":"integer"},"size":{"type":"string"}}},
            "whenAbsent": "null"
           },
           "autoscale": {
            "type": "object",
            "properties": {"maxCount":{"type":"integer"},"minCount":{"type":"integer"},"size":{"type":"string"}},
            "onlyIn": ["v20251002preview"]
           }
          }
         }
        }
       },
       "vmSize": {"type":"string"},
       "vnetSubnetReference": {"type":"reference","arm":"vnetSubnetID"},
       "windowsProfile": {"type":"object","properties":{"disableOutboundNat":{"type":"boolean"}}},
       "workloadRuntime": {"type":"string","enum":["KataMshvVmIsolation","KataVmIsolation","OCIContainer","WasmWasi"]},
       "artifactStreamingProfile": {"type":"object","properties":{"enabled":{"type":"boolean"}},"onlyIn":["v20251002preview"]},
       "localDNSProfile": {
        "type": "object",
        "properties": {
         "kubeDNSOverrides": {
          "type": "map",
          "values": {
           "type": "object",
           "properties": {
            "cacheDurationInSeconds": {"type":"integer"},
            "forwardDestination": {"type":"string","enum":["ClusterCoreDNS","VnetDNS"]},
            "forwardPolicy": {"type":"string","enum":["Random","RoundRobin","Sequential"]},
            "maxConcurrent": {"type":"integer"},
            "protocol": {"type":"string","enum":["ForceTCP","PreferUDP"]},
            "queryLogging": {"type":"string","enum":["Error","Log"]},
            "serveStale": {"type":"string","enum":["Disable","Immediate","Verify"]},
            "serveStaleDurationInSeconds": {"type":"integer"}
           }
          },
          "whenAbsent": "null"
         },
         "mode": {"type":"string","enum":["Disabled","Preferred","Required"]},
         "vnetDNSOverrides": {
          "type": "map",
          "values": {
           "type": "object",
           "properties": {
            "cacheDurationInSeconds": {"type":"integer"},
            "forwardDestination": {"type":"string","enum":["ClusterCoreDNS","VnetDNS"]},
            "forwardPolicy": {"type":"string","enum":["Random","RoundRobin","Sequential"]},
            "maxConcurrent": {"type":"integer"},
            "protocol": {"type":"string","enum":["ForceTCP","PreferUDP"]},
            "queryLogging": {"type":"string","enum":["Error","Log"]},
            "serveStale": {"type":"string","enum":["Disable","Immediate","Verify"]},
            "serveStaleDurationInSeconds": {"type":"integer"}
           }
          },
          "whenAbsent": "null"
         }
        },
        "onlyIn": ["v20251002preview"]
       },
       "nodeCustomizationProfile": {
        "type": "object",
        "properties": {"nodeCustomizationReference":{"type":"reference","arm":"nodeCustomizationId"}},
        "onlyIn": ["v20251002preview"]
       },
       "nodeImageVersion": {"type":"string","onlyIn":["v20251002preview"]},
       "nodeInitializationTaints": {"type":"array","items":{"type":"string"},"whenAbsent":"null","onlyIn":["v20251002preview"]},
       "upgradeSettingsBlueGreen": {
        "type": "object",
        "properties": {
         "batchSoakDurationInMinutes": {"type":"integer","minimum":0,"maximum":1440},
         "drainBatchSize": {"type":"string"},
         "drainTimeoutInMinutes": {"type":"integer","minimum":1,"maximum":1440},
         "finalSoakDurationInMinutes": {"type":"integer","minimum":0,"maximum":10080}
        },
        "onlyIn": ["v20251002preview"]
       },
       "upgradeStrategy": {"type":"string","enum":["BlueGreen","Rolling"],"onlyIn":["v20251002preview"]}
      }
     },
     "whenAbsent": "null"
    },
    "aiToolchainOperatorProfile": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
    "apiServerAccessProfile": {
     "type": "object",
     "properties": {
      "authorizedIPRanges": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
      "disableRunCommand": {"type":"boolean"},
      "enablePrivateCluster": {"type":"boolean"},
      "enablePrivateClusterPublicFQDN": {"type":"boolean"},
      "enableVnetIntegration": {"type":"boolean"},
      "privateDNSZone": {"type":"string"},
      "subnetReference": {"type":"reference","arm":"subnetId"}
     }
    },
    "autoScalerProfile": {
     "type": "object",
     "properties": {
      "balance-similar-node-groups": {"type":"string"},
      "daemonset-eviction-for-empty-nodes": {"type":"boolean"},
      "daemonset-eviction-for-occupied-nodes": {"type":"boolean"},
      "expander": {"type":"string","enum":["least-waste","most-pods","priority","random"]},
      "ignore-daemonsets-utilization": {"type":"boolean"},
      "max-empty-bulk-delete": {"type":"string"},
      "max-graceful-termination-sec": {"type":"string"},
      "max-node-provision-time": {"type":"string"},
      "max-total-unready-percentage": {"type":"string"},
      "new-pod-scale-up-delay": {"type":"string"},
      "ok-total-unready-count": {"type":"string"},
      "scale-down-delay-after-add": {"type":"string"},
      "scale-down-delay-after-delete": {"type":"string"},
      "scale-down-delay-after-failure": {"type":"string"},
      "scale-down-unneeded-time": {"type":"string"},
      "scale-down-unready-time": {"type":"string"},
      "scale-down-utilization-threshold": {"type":"string"},
      "scan-interval": {"type":"string"},
      "skip-nodes-with-local-storage": {"type":"string"},
      "skip-nodes-with-system-pods": {"type":"string"}
     }
    },
    "autoUpgradeProfile": {
     "type": "object",
     "properties": {
      "nodeOSUpgradeChannel": {"type":"string","enum":["NodeImage","None","SecurityPatch","Unmanaged"]},
      "upgradeChannel": {"type":"string","enum":["node-image","none","patch","rapid","stable"]}
     }
    },
    "azureMonitorProfile": {
     "type": "object",
     "properties": {
      "metrics": {
       "type": "object",
       "required": ["enabled"],
       "properties": {
        "enabled": {"type":"boolean"},
        "kubeStateMetrics": {
         "type": "object",
         "properties": {"metricAnnotationsAllowList":{"type":"string"},"metricLabelsAllowlist":{"type":"string"}}
        }
       }
      },
      "appMonitoring": {
       "type": "object",
       "properties": {
        "autoInstrumentation": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
        "openTelemetryLogs": {"type":"object","properties":{"enabled":{"type":"boolean"},"port":{"type":"integer"}}},
        "openTelemetryMetrics": {"type":"object","properties":{"enabled":{"type":"boolean"},"port":{"type":"integer"}}}
       },
       "onlyIn": ["v20251002preview"]
      },
      "containerInsights": {
       "type": "object",
       "properties": {
        "disableCustomMetrics": {"type":"boolean"},
        "disablePrometheusMetricsScraping": {"type":"boolean"},
        "enabled": {"type":"boolean"},
        "logAnalyticsWorkspaceResourceReference": {"type":"reference","arm":"logAnalyticsWorkspaceResourceId"},
        "syslogPort": {"type":"integer"}
       },
       "onlyIn": ["v20251002preview"]
      }
     }
    },
    "bootstrapProfile": {
     "type": "object",
     "properties": {
      "artifactSource": {"type":"string","enum":["Cache","Direct"]},
      "containerRegistryReference": {"type":"reference","arm":"containerRegistryId"}
     }
    },
    "disableLocalAccounts": {"type":"boolean"},
    "diskEncryptionSetReference": {"type":"reference","arm":"properties.diskEncryptionSetID"},
    "dnsPrefix": {"type":"string"},
    "enableRBAC": {"type":"boolean"},
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "fqdnSubdomain": {"type":"string"},
    "httpProxyConfig": {
     "type": "object",
     "properties": {
      "httpProxy": {"type":"string"},
      "httpsProxy": {"type":"string"},
      "noProxy": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
      "trustedCa": {"type":"string"},
      "enabled": {"type":"boolean","onlyIn":["v20251002preview"]}
     }
    },
    "identity": {
     "type": "object",
     "properties": {
      "delegatedResources": {
       "type": "map",
       "values": {
        "type": "object",
        "properties": {
         "location": {"type":"string"},
         "referralResource": {"type":"string"},
         "resourceReference": {"type":"reference","arm":"resourceId"},
         "tenantId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"}
        }
       },
       "whenAbsent": "null"
      },
      "type": {"type":"string","enum":["None","SystemAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "identityProfile": {
     "type": "map",
     "values": {
      "type": "object",
      "properties": {
       "clientId": {"type":"string"},
       "clientIdFromConfig": {"type":"configMap","arm":"clientId"},
       "objectId": {"type":"string"},
       "objectIdFromConfig": {"type":"configMap","arm":"objectId"},
       "resourceReference": {"type":"reference","arm":"resourceId"}
      }
     },
     "whenAbsent": "null"
    },
    "ingressProfile": {
     "type": "object",
     "properties": {
      "webAppRouting": {
       "type": "object",
       "properties": {
        "dnsZoneResourceReferences": {"type":"array","items":{"type":"reference"},"arm":"dnsZoneResourceIds"},
        "enabled": {"type":"boolean"},
        "nginx": {
         "type": "object",
         "properties": {
          "defaultIngressControllerType": {"type":"string","enum":["AnnotationControlled","External","Internal","None"]}
         }
        },
        "defaultDomain": {"type":"object","properties":{"enabled":{"type":"boolean"}},"onlyIn":["v20251002preview"]}
       }
      },
      "applicationLoadBalancer": {"type":"object","properties":{"enabled":{"type":"boolean"}},"onlyIn":["v20251002preview"]},
      "gatewayAPI": {
       "type": "object",
       "properties": {"installation":{"type":"string","enum":["Disabled","Standard"]}},
       "onlyIn": ["v20251002preview"]
      }
     }
    },
    "kind": {"type":"string"},
    "kubernetesVersion": {"type":"string"},
    "linuxProfile": {
     "type": "object",
     "required": ["adminUsername","ssh"],
     "properties": {
      "adminUsername": {"type":"string","pattern":"^[A-Za-z][-A-Za-z0-9_]*$"},
      "ssh": {
       "type": "object",
       "required": ["publicKeys"],
       "properties": {
        "publicKeys": {
         "type": "array",
         "items": {"type":"object","required":["keyData"],"properties":{"keyData":{"type":"string"}}},
         "whenAbsent": "null"
        }
       }
      }
     }
    },
    "location": {"type":"string"},
    "metricsProfile": {"type":"object","properties":{"costAnalysis":{"type":"object","properties":{"enabled":{"type":"boolean"}}}}},
    "networkProfile": {
     "type": "object",
     "properties": {
      "advancedNetworking": {
       "type": "object",
       "properties": {
        "enabled": {"type":"boolean"},
        "observability": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
        "security": {
         "type": "object",
         "properties": {
          "advancedNetworkPolicies": {"type":"string","enum":["FQDN","L7","None"]},
          "enabled": {"type":"boolean"},
          "transitEncryption": {
           "type": "object",
           "properties": {"type":{"type":"string","enum":["None","WireGuard"]}},
           "onlyIn": ["v20251002preview"]
          }
         }
        },
        "performance": {
         "type": "object",
         "properties": {"accelerationMode":{"type":"string","enum":["BpfVeth","None"]}},
         "onlyIn": ["v20251002preview"]
        }
       }
      },
      "dnsServiceIP": {
       "type": "string",
       "pattern": "^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$"
      },
      "ipFamilies": {"type":"array","items":{"type":"string","enum":["IPv4","IPv6"]},"whenAbsent":"null"},
      "loadBalancerProfile": {
       "type": "object",
       "properties": {
        "allocatedOutboundPorts": {"type":"integer","minimum":0,"maximum":64000},
        "backendPoolType": {"type":"string","enum":["NodeIP","NodeIPConfiguration"]},
        "enableMultipleStandardLoadBalancers": {"type":"boolean"},
        "idleTimeoutInMinutes": {"type":"integer","minimum":4,"maximum":120},
        "managedOutboundIPs": {
         "type": "object",
         "properties": {
          "count": {"type":"integer","minimum":1,"maximum":100},
          "countIPv6": {"type":"integer","minimum":0,"maximum":100}
         }
        },
        "outboundIPPrefixes": {
         "type": "object",
         "properties": {
          "publicIPPrefixes": {
           "type": "array",
           "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
           "whenAbsent": "null"
          }
         }
        },
        "outboundIPs": {
         "type": "object",
         "properties": {
          "publicIPs": {
           "type": "array",
           "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
           "whenAbsent": "null"
          }
         }
        },
        "clusterServiceLoadBalancerHealthProbeMode": {"type":"string","enum":["ServiceNodePort","Shared"],"onlyIn":["v20251002preview"]},
        "effectiveOutboundIPs": {
         "type": "array",
         "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
         "whenAbsent": "null",
         "onlyIn": ["v1api20240901"]
        }
       }
      },
      "loadBalancerSku": {"type":"string","enum":["basic","standard"]},
      "natGatewayProfile": {
       "type": "object",
       "properties": {
        "idleTimeoutInMinutes": {"type":"integer","minimum":4,"maximum":120},
        "managedOutboundIPProfile": {"type":"object","properties":{"count":{"type":"integer","minimum":1,"maximum":16}}},
        "effectiveOutboundIPs": {
         "type": "array",
         "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
         "whenAbsent": "null",
         "onlyIn": ["v1api20240901"]
        }
       }
      },
      "networkDataplane": {"type":"string","enum":["azure","cilium"]},
      "networkMode": {"type":"string","enum":["bridge","transparent"]},
      "networkPlugin": {"type":"string","enum":["azure","kubenet","none"]},
      "networkPluginMode": {"type":"string","enum":["overlay"]},
      "networkPolicy": {"type":"string","enum":["azure","calico","cilium","none"]},
      "outboundType": {
       "type": "string",
       "enum": ["loadBalancer","managedNATGateway","none","userAssignedNATGateway","userDefinedRouting"]
      },
      "podCidr": {"type":"string","pattern":"^([0-9]{1,3}\\.){3}[0-9]{1,3}(\\/([0-9]|[1-2][0-9]|3[0-2]))?$"},
      "podCidrs": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
      "serviceCidr": {"type":"string","pattern":"^([0-9]{1,3}\\.){3}[0-9]{1,3}(\\/([0-9]|[1-2][0-9]|3[0-2]))?$"},
      "serviceCidrs": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
      "staticEgressGatewayProfile": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
      "kubeProxyConfig": {
       "type": "object",
       "properties": {
        "enabled": {"type":"boolean"},
        "ipvsConfig": {
         "type": "object",
         "properties": {
          "scheduler": {"type":"string","enum":["LeastConnection","RoundRobin"]},
          "tcpFinTimeoutSeconds": {"type":"integer"},
          "tcpTimeoutSeconds": {"type":"integer"},
          "udpTimeoutSeconds": {"type":"integer"}
         }
        },
        "mode": {"type":"string","enum":["IPTABLES","IPVS","NFTABLES"]}
       },
       "onlyIn": ["v20251002preview"]
      },
      "podLinkLocalAccess": {"type":"string","enum":["IMDS","None"],"onlyIn":["v20251002preview"]}
     }
    },
    "nodeProvisioningProfile": {
     "type": "object",
     "properties": {"defaultNodePools":{"type":"string","enum":["Auto","None"]},"mode":{"type":"string","enum":["Auto","Manual"]}}
    },
    "nodeResourceGroup": {"type":"string"},
    "nodeResourceGroupProfile": {"type":"object","properties":{"restrictionLevel":{"type":"string","enum":["ReadOnly","Unrestricted"]}}},
    "oidcIssuerProfile": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
    "podIdentityProfile": {
     "type": "object",
     "properties": {
      "allowNetworkPluginKubenet": {"type":"boolean"},
      "enabled": {"type":"boolean"},
      "userAssignedIdentities": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["identity","name","namespace"],
        "properties": {
         "bindingSelector": {"type":"string"},
         "identity": {
          "type": "object",
          "properties": {
           "clientId": {"type":"string"},
           "clientIdFromConfig": {"type":"configMap","arm":"clientId"},
           "objectId": {"type":"string"},
           "objectIdFromConfig": {"type":"configMap","arm":"objectId"},
           "resourceReference": {"type":"reference","arm":"resourceId"}
          }
         },
         "name": {"type":"string"},
         "namespace": {"type":"string"}
        }
       },
       "whenAbsent": "null"
      },
      "userAssignedIdentityExceptions": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["name","namespace","podLabels"],
        "properties": {
         "name": {"type":"string"},
         "namespace": {"type":"string"},
         "podLabels": {"type":"map","values":{"type":"string"},"whenAbsent":"null"}
        }
       },
       "whenAbsent": "null"
      }
     }
    },
    "privateLinkResources": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "groupId": {"type":"string"},
       "name": {"type":"string"},
       "reference": {"type":"reference","arm":"id"},
       "requiredMembers": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
       "type": {"type":"string"}
      }
     },
     "whenAbsent": "null"
    },
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "securityProfile": {
     "type": "object",
     "properties": {
      "azureKeyVaultKms": {
       "type": "object",
       "properties": {
        "enabled": {"type":"boolean"},
        "keyId": {"type":"string"},
        "keyVaultNetworkAccess": {"type":"string","enum":["Private","Public"]},
        "keyVaultResourceReference": {"type":"reference","arm":"keyVaultResourceId"}
       }
      },
      "customCATrustCertificates": {"type":"array","minItems":0,"maxItems":10,"items":{"type":"string"},"whenAbsent":"null"},
      "defender": {
       "type": "object",
       "properties": {
        "logAnalyticsWorkspaceResourceReference": {"type":"reference","arm":"logAnalyticsWorkspaceResourceId"},
        "securityMonitoring": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
        "securityGating": {
         "type": "object",
         "properties": {
          "allowSecretAccess": {"type":"boolean"},
          "enabled": {"type":"boolean"},
          "identities": {
           "type": "array",
           "items": {
            "type": "object",
            "properties": {
             "azureContainerRegistry": {"type":"string"},
             "identity": {
              "type": "object",
              "properties": {
               "clientId": {"type":"string"},
               "clientIdFromConfig": {"type":"configMap","arm":"clientId"},
               "objectId": {"type":"string"},
               "objectIdFromConfig": {"type":"configMap","arm":"objectId"},
               "resourceReference": {"type":"reference","arm":"resourceId"}
              }
             }
            }
           },
           "whenAbsent": "null"
          }
         },
         "onlyIn": ["v20251002preview"]
        }
       }
      },
      "imageCleaner": {"type":"object","properties":{"enabled":{"type":"boolean"},"intervalHours":{"type":"integer"}}},
      "workloadIdentity": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
      "imageIntegrity": {"type":"object","properties":{"enabled":{"type":"boolean"}},"onlyIn":["v20251002preview"]},
      "kubernetesResourceObjectEncryptionProfile": {
       "type": "object",
       "properties": {"infrastructureEncryption":{"type":"string","enum":["Disabled","Enabled"]}},
       "onlyIn": ["v20251002preview"]
      },
      "nodeRestriction": {"type":"object","properties":{"enabled":{"type":"boolean"}},"onlyIn":["v20251002preview"]}
     }
    },
    "serviceMeshProfile": {
     "type": "object",
     "required": ["mode"],
     "properties": {
      "istio": {
       "type": "object",
       "properties": {
        "certificateAuthority": {
         "type": "object",
         "properties": {
          "plugin": {
           "type": "object",
           "properties": {
            "certChainObjectName": {"type":"string"},
            "certObjectName": {"type":"string"},
            "keyObjectName": {"type":"string"},
            "keyVaultReference": {"type":"reference","arm":"keyVaultId"},
            "rootCertObjectName": {"type":"string"}
           }
          }
         }
        },
        "components": {
         "type": "object",
         "properties": {
          "egressGateways": {
           "type": "array",
           "items": {
            "type": "object",
            "required": ["enabled"],
            "properties": {
             "enabled": {"type":"boolean"},
             "gatewayConfigurationName": {"type":"string","onlyIn":["v20251002preview"]},
             "name": {
              "type": "string",
              "pattern": "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
              "onlyIn": ["v20251002preview"]
             },
             "namespace": {"type":"string","onlyIn":["v20251002preview"]}
            }
           },
           "whenAbsent": "null"
          },
          "ingressGateways": {
           "type": "array",
           "items": {
            "type": "object",
            "required": ["enabled","mode"],
            "properties": {"enabled":{"type":"boolean"},"mode":{"type":"string","enum":["External","Internal"]}}
           },
           "whenAbsent": "null"
          },
          "proxyRedirectionMechanism": {"type":"string","enum":["CNIChaining","InitContainers"],"onlyIn":["v20251002preview"]}
         }
        },
        "revisions": {"type":"array","maxItems":2,"items":{"type":"string"},"whenAbsent":"null"}
       }
      },
      "mode": {"type":"string","enum":["Disabled","Istio"]}
     }
    },
    "servicePrincipalProfile": {"type":"object","required":["clientId"],"properties":{"clientId":{"type":"string"},"secret":{"type":"secret"}}},
    "sku": {
     "type": "object",
     "properties": {
      "name": {"type":"string","enum":["Automatic","Base"]},
      "tier": {"type":"string","enum":["Free","Premium","Standard"]}
     }
    },
    "storageProfile": {
     "type": "object",
     "properties": {
      "blobCSIDriver": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
      "diskCSIDriver": {
       "type": "object",
       "properties": {"enabled":{"type":"boolean"},"version":{"type":"string","onlyIn":["v20251002preview"]}}
      },
      "fileCSIDriver": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
      "snapshotController": {"type":"object","properties":{"enabled":{"type":"boolean"}}}
     }
    },
    "supportPlan": {"type":"string","enum":["AKSLongTermSupport","KubernetesOfficial"]},
    "tags": {"type":"map","values":{"type":"string"},"whenAbsent":"empty"},
    "upgradeSettings": {
     "type": "object",
     "properties": {"overrideSettings":{"type":"object","properties":{"forceUpgrade":{"type":"boolean"},"until":{"type":"string"}}}}
    },
    "windowsProfile": {
     "type": "object",
     "required": ["adminUsername"],
     "properties": {
      "adminPassword": {"type":"secret"},
      "adminUsername": {"type":"string"},
      "enableCSIProxy": {"type":"boolean"},
      "gmsaProfile": {
       "type": "object",
       "properties": {"dnsServer":{"type":"string"},"enabled":{"type":"boolean"},"rootDomainName":{"type":"string"}}
      },
      "licenseType": {"type":"string","enum":["None","Windows_Server"]}
     }
    },
    "workloadAutoScalerProfile": {
     "type": "object",
     "properties": {
      "keda": {"type":"object","required":["enabled"],"properties":{"enabled":{"type":"boolean"}}},
      "verticalPodAutoscaler": {
       "type": "object",
       "required": ["enabled"],
       "properties": {
        "enabled": {"type":"boolean"},
        "addonAutoscaling": {"type":"string","enum":["Disabled","Enabled"],"onlyIn":["v20251002preview"]}
       }
      }
     }
    },
    "creationData": {
     "type": "object",
     "properties": {"sourceResourceReference":{"type":"reference","arm":"sourceResourceId"}},
     "onlyIn": ["v20251002preview"]
    },
    "enableNamespaceResources": {"type":"boolean","onlyIn":["v20251002preview"]},
    "hostedSystemProfile": {"type":"object","properties":{"enabled":{"type":"boolean"}},"onlyIn":["v20251002preview"]},
    "schedulerProfile": {
     "type": "object",
     "properties": {
      "schedulerInstanceProfiles": {
       "type": "object",
       "properties": {
        "upstream": {"type":"object","properties":{"schedulerConfigMode":{"type":"string","enum":["Default","ManagedByCRD"]}}}
       }
      }
     },
     "onlyIn": ["v20251002preview"]
    },
    "enablePodSecurityPolicy": {"type":"boolean","onlyIn":["v1api20240901"]}
   }
  }
 }
};
