// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ManagedClustersAgentPoolSpec {
  azureName?: string;
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
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ManagedClustersAgentPool {
  spec: ManagedClustersAgentPoolSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "containerservice.azure.com",
 "kind": "ManagedClustersAgentPool",
 "plural": "managedclustersagentpools",
 "singular": "managedclustersagentpool",
 "shortNames": ["akspool"],
 "arm": {
  "armType": "Microsoft.ContainerService/managedClusters/agentPools",
  "apiVersions": {"v1api20250801":"2025-08-01","v20251002preview":"2025-10-02-preview","v1api20240901":"2024-09-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ContainerService/managedClusters/{resourceName}/agentPools/{agentPoolName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ManagedCluster"],"group":"containerservice.azure.com"},
  "azureName": {"pattern":"^[a-z][a-z0-9]{0,11}$","minLength":1,"maxLength":12},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [{"code":"NodePoolMcVersionIncompatible","class":"retryable","retry":"slow"}],
  "fields": {
   "type": "object",
   "properties": {
    "availabilityZones": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
    "capacityReservationGroupReference": {"type":"reference","arm":"properties.capacityReservationGroupID"},
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
    "hostGroupReference": {"type":"reference","arm":"properties.hostGroupID"},
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
    "nodePublicIPPrefixReference": {"type":"reference","arm":"properties.nodePublicIPPrefixID"},
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
    "podSubnetReference": {"type":"reference","arm":"properties.podSubnetID"},
    "powerState": {"type":"object","properties":{"code":{"type":"string","enum":["Running","Stopped"]}}},
    "proximityPlacementGroupReference": {"type":"reference","arm":"properties.proximityPlacementGroupID"},
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
    "vnetSubnetReference": {"type":"reference","arm":"properties.vnetSubnetID"},
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
  }
 }
};
