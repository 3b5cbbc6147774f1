// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference, SecretMapReference } from '../../common-schemas.ts';

export interface VirtualMachineScaleSetSpec {
  azureName?: string;
  additionalCapabilities?: {
    hibernationEnabled?: boolean;
    ultraSSDEnabled?: boolean;
  };
  automaticRepairsPolicy?: {
    enabled?: boolean;
    gracePeriod?: string;
    repairAction?: 'Reimage' | 'Replace' | 'Restart';
  };
  doNotRunExtensionsOnOverprovisionedVMs?: boolean;
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  hostGroup?: {
    reference?: ArmReference;
  };
  identity?: {
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  location: string;
  orchestrationMode?: 'Flexible' | 'Uniform';
  overprovision?: boolean;
  plan?: {
    name?: string;
    product?: string;
    promotionCode?: string;
    publisher?: string;
  };
  platformFaultDomainCount?: number;
  proximityPlacementGroup?: {
    reference?: ArmReference;
  };
  scaleInPolicy?: {
    forceDeletion?: boolean;
    rules?: ('Default' | 'NewestVM' | 'OldestVM')[];
  };
  singlePlacementGroup?: boolean;
  sku?: {
    capacity?: number;
    name?: string;
    tier?: string;
  };
  spotRestorePolicy?: {
    enabled?: boolean;
    restoreTimeout?: string;
  };
  tags?: Record<string, string>;
  upgradePolicy?: {
    automaticOSUpgradePolicy?: {
      disableAutomaticRollback?: boolean;
      enableAutomaticOSUpgrade?: boolean;
      useRollingUpgradePolicy?: boolean;
    };
    mode?: 'Automatic' | 'Manual' | 'Rolling';
    rollingUpgradePolicy?: {
      enableCrossZoneUpgrade?: boolean;
      maxBatchInstancePercent?: number;
      maxUnhealthyInstancePercent?: number;
      maxUnhealthyUpgradedInstancePercent?: number;
      pauseTimeBetweenBatches?: string;
      prioritizeUnhealthyInstances?: boolean;
    };
  };
  virtualMachineProfile?: {
    applicationProfile?: {
      galleryApplications?: ({
        configurationReference?: string;
        enableAutomaticUpgrade?: boolean;
        order?: number;
        packageReferenceReference: ArmReference;
        tags?: string;
        treatFailureAsDeploymentFailure?: boolean;
      })[];
    };
    billingProfile?: {
      maxPrice?: number;
    };
    capacityReservation?: {
      capacityReservationGroup?: {
        reference?: ArmReference;
      };
    };
    diagnosticsProfile?: {
      bootDiagnostics?: {
        enabled?: boolean;
        storageUri?: string;
      };
    };
    evictionPolicy?: 'Deallocate' | 'Delete';
    extensionProfile?: {
      extensions?: ({
        autoUpgradeMinorVersion?: boolean;
        enableAutomaticUpgrade?: boolean;
        forceUpdateTag?: string;
        name?: string;
        protectedSettings?: SecretMapReference;
        protectedSettingsFromKeyVault?: {
          secretUrl: string;
          sourceVault: {
            reference?: ArmReference;
          };
        };
        provisionAfterExtensions?: string[];
        publisher?: string;
        settings?: Record<string, unknown>;
        suppressFailures?: boolean;
        type?: string;
        typeHandlerVersion?: string;
      })[];
      extensionsTimeBudget?: string;
    };
    hardwareProfile?: {
      vmSizeProperties?: {
        vCPUsAvailable?: number;
        vCPUsPerCore?: number;
      };
    };
    licenseType?: string;
    networkProfile?: {
      healthProbe?: {
        reference?: ArmReference;
      };
      networkApiVersion?: '2020-11-01';
      networkInterfaceConfigurations?: ({
        deleteOption?: 'Delete' | 'Detach';
        dnsSettings?: {
          dnsServers?: string[];
        };
        enableAcceleratedNetworking?: boolean;
        enableFpga?: boolean;
        enableIPForwarding?: boolean;
        ipConfigurations: ({
          applicationGatewayBackendAddressPools?: ({
            reference?: ArmReference;
          })[];
          applicationSecurityGroups?: ({
            reference?: ArmReference;
          })[];
          loadBalancerBackendAddressPools?: ({
            reference?: ArmReference;
          })[];
          loadBalancerInboundNatPools?: ({
            reference?: ArmReference;
          })[];
          name: string;
          primary?: boolean;
          privateIPAddressVersion?: 'IPv4' | 'IPv6';
          publicIPAddressConfiguration?: {
            deleteOption?: 'Delete' | 'Detach';
            dnsSettings?: {
              domainNameLabel: string;
            };
            idleTimeoutInMinutes?: number;
            ipTags?: ({
              ipTagType?: string;
              tag?: string;
            })[];
            name: string;
            publicIPAddressVersion?: 'IPv4' | 'IPv6';
            publicIPPrefix?: {
              reference?: ArmReference;
            };
            sku?: {
              name?: 'Basic' | 'Standard';
              tier?: 'Global' | 'Regional';
            };
          };
          reference?: ArmReference;
          subnet?: {
            reference?: ArmReference;
          };
        })[];
        name: string;
        networkSecurityGroup?: {
          reference?: ArmReference;
        };
        primary?: boolean;
        reference?: ArmReference;
      })[];
    };
    osProfile?: {
      adminPassword?: SecretKeyReference;
      adminUsername?: string;
      allowExtensionOperations?: boolean;
      computerNamePrefix?: string;
      customData?: string;
      linuxConfiguration?: {
        disablePasswordAuthentication?: boolean;
        patchSettings?: {
          assessmentMode?: 'AutomaticByPlatform' | 'ImageDefault';
          automaticByPlatformSettings?: {
            rebootSetting?: 'Always' | 'IfRequired' | 'Never' | 'Unknown';
          };
          patchMode?: 'AutomaticByPlatform' | 'ImageDefault';
        };
        provisionVMAgent?: boolean;
        ssh?: {
          publicKeys?: ({
            keyData?: string;
            path?: string;
          })[];
        };
      };
      secrets?: ({
        sourceVault?: {
          reference?: ArmReference;
        };
        vaultCertificates?: ({
          certificateStore?: string;
          certificateUrl?: string;
        })[];
      })[];
      windowsConfiguration?: {
        additionalUnattendContent?: ({
          componentName?: 'Microsoft-Windows-Shell-Setup';
          content?: string;
          passName?: 'OobeSystem';
          settingName?: 'AutoLogon' | 'FirstLogonCommands';
        })[];
        enableAutomaticUpdates?: boolean;
        patchSettings?: {
          assessmentMode?: 'AutomaticByPlatform' | 'ImageDefault';
          automaticByPlatformSettings?: {
            rebootSetting?: 'Always' | 'IfRequired' | 'Never' | 'Unknown';
          };
          enableHotpatching?: boolean;
          patchMode?: 'AutomaticByOS' | 'AutomaticByPlatform' | 'Manual';
        };
        provisionVMAgent?: boolean;
        timeZone?: string;
        winRM?: {
          listeners?: ({
            certificateUrl?: string;
            protocol?: 'Http' | 'Https';
          })[];
        };
      };
    };
    priority?: 'Low' | 'Regular' | 'Spot';
    scheduledEventsProfile?: {
      terminateNotificationProfile?: {
        enable?: boolean;
        notBeforeTimeout?: string;
      };
    };
    securityProfile?: {
      encryptionAtHost?: boolean;
      securityType?: 'ConfidentialVM' | 'TrustedLaunch';
      uefiSettings?: {
        secureBootEnabled?: boolean;
        vTpmEnabled?: boolean;
      };
    };
    storageProfile?: {
      dataDisks?: ({
        caching?: 'None' | 'ReadOnly' | 'ReadWrite';
        createOption: 'Attach' | 'Empty' | 'FromImage';
        deleteOption?: 'Delete' | 'Detach';
        diskIOPSReadWrite?: number;
        diskMBpsReadWrite?: number;
        diskSizeGB?: number;
        lun: number;
        managedDisk?: {
          diskEncryptionSet?: {
            reference?: ArmReference;
          };
          securityProfile?: {
            diskEncryptionSet?: {
              reference?: ArmReference;
            };
            securityEncryptionType?: 'DiskWithVMGuestState' | 'VMGuestStateOnly';
          };
          storageAccountType?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
        };
        name?: string;
        writeAcceleratorEnabled?: boolean;
      })[];
      imageReference?: {
        communityGalleryImageId?: string;
        offer?: string;
        publisher?: string;
        reference?: ArmReference;
        sharedGalleryImageId?: string;
        sku?: string;
        version?: string;
      };
      osDisk?: {
        caching?: 'None' | 'ReadOnly' | 'ReadWrite';
        createOption: 'Attach' | 'Empty' | 'FromImage';
        deleteOption?: 'Delete' | 'Detach';
        diffDiskSettings?: {
          option?: 'Local';
          placement?: 'CacheDisk' | 'ResourceDisk';
        };
        diskSizeGB?: number;
        image?: {
          uri?: string;
        };
        managedDisk?: {
          diskEncryptionSet?: {
            reference?: ArmReference;
          };
          securityProfile?: {
            diskEncryptionSet?: {
              reference?: ArmReference;
            };
            securityEncryptionType?: 'DiskWithVMGuestState' | 'VMGuestStateOnly';
          };
          storageAccountType?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
        };
        name?: string;
        osType?: 'Linux' | 'Windows';
        vhdContainers?: string[];
        writeAcceleratorEnabled?: boolean;
      };
    };
    userData?: string;
  };
  zoneBalance?: boolean;
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never, 'password'>;
}

export interface VirtualMachineScaleSet {
  spec: VirtualMachineScaleSetSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "compute.azure.com",
 "kind": "VirtualMachineScaleSet",
 "plural": "virtualmachinescalesets",
 "singular": "virtualmachinescaleset",
 "shortNames": ["vmss"],
 "arm": {
  "armType": "Microsoft.Compute/virtualMachineScaleSets",
  "apiVersions": {"v20220301":"2022-03-01","v1api20220301":"2022-03-01","v20201201":"2020-12-01","v1api20201201":"2020-12-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/virtualMachineScaleSets/{vmScaleSetName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","identity","location","name","plan","sku","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [{"code":"OperationNotAllowed","class":"retryable"}],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "additionalCapabilities": {"type":"object","properties":{"hibernationEnabled":{"type":"boolean"},"ultraSSDEnabled":{"type":"boolean"}}},
    "automaticRepairsPolicy": {
     "type": "object",
     "properties": {
      "enabled": {"type":"boolean"},
      "gracePeriod": {"type":"string"},
      "repairAction": {"type":"string","enum":["Reimage","Replace","Restart"]}
     }
    },
    "doNotRunExtensionsOnOverprovisionedVMs": {"type":"boolean"},
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "hostGroup": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned, UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "location": {"type":"string"},
    "orchestrationMode": {"type":"string","enum":["Flexible","Uniform"]},
    "overprovision": {"type":"boolean"},
    "plan": {
     "type": "object",
     "properties": {
      "name": {"type":"string"},
      "product": {"type":"string"},
      "promotionCode": {"type":"string"},
      "publisher": {"type":"string"}
     }
    },
    "platformFaultDomainCount": {"type":"integer"},
    "proximityPlacementGroup": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "scaleInPolicy": {
     "type": "object",
     "properties": {
      "forceDeletion": {"type":"boolean"},
      "rules": {"type":"array","items":{"type":"string","enum":["Default","NewestVM","OldestVM"]}}
     }
    },
    "singlePlacementGroup": {"type":"boolean"},
    "sku": {"type":"object","properties":{"capacity":{"type":"integer"},"name":{"type":"string"},"tier":{"type":"string"}}},
    "spotRestorePolicy": {"type":"object","properties":{"enabled":{"type":"boolean"},"restoreTimeout":{"type":"string"}}},
    "tags": {"type":"map","values":{"type":"string"}},
    "upgradePolicy": {
     "type": "object",
     "properties": {
      "automaticOSUpgradePolicy": {
       "type": "object",
       "properties": {
        "disableAutomaticRollback": {"type":"boolean"},
        "enableAutomaticOSUpgrade": {"type":"boolean"},
        "useRollingUpgradePolicy": {"type":"boolean"}
       }
      },
      "mode": {"type":"string","enum":["Automatic","Manual","Rolling"]},
      "rollingUpgradePolicy": {
       "type": "object",
       "properties": {
        "enableCrossZoneUpgrade": {"type":"boolean"},
        "maxBatchInstancePercent": {"type":"integer","minimum":5,"maximum":100},
        "maxUnhealthyInstancePercent": {"type":"integer","minimum":5,"maximum":100},
        "maxUnhealthyUpgradedInstancePercent": {"type":"integer","minimum":0,"maximum":100},
        "pauseTimeBetweenBatches": {"type":"string"},
        "prioritizeUnhealthyInstances": {"type":"boolean"}
       }
      }
     }
    },
    "virtualMachineProfile": {
     "type": "object",
     "properties": {
      "applicationProfile": {
       "type": "object",
       "properties": {
        "galleryApplications": {
         "type": "array",
         "items": {
          "type": "object",
          "required": ["packageReferenceReference"],
          "properties": {
           "configurationReference": {"type":"string"},
           "enableAutomaticUpgrade": {"type":"boolean"},
           "order": {"type":"integer"},
           "packageReferenceReference": {"type":"reference","arm":"packageReferenceId"},
           "tags": {"type":"string"},
           "treatFailureAsDeploymentFailure": {"type":"boolean"}
          }
         }
        }
       }
      },
      "billingProfile": {"type":"object","properties":{"maxPrice":{"type":"number"}}},
      "capacityReservation": {
       "type": "object",
       "properties": {"capacityReservationGroup":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}}
      },
      "diagnosticsProfile": {
       "type": "object",
       "properties": {
        "bootDiagnostics": {"type":"object","properties":{"enabled":{"type":"boolean"},"storageUri":{"type":"string"}}}
       }
      },
      "evictionPolicy": {"type":"string","enum":["Deallocate","Delete"]},
      "extensionProfile": {
       "type": "object",
       "properties": {
        "extensions": {
         "type": "array",
         "items": {
          "type": "object",
          "properties": {
           "autoUpgradeMinorVersion": {"type":"boolean","arm":"properties.autoUpgradeMinorVersion"},
           "enableAutomaticUpgrade": {"type":"boolean","arm":"properties.enableAutomaticUpgrade"},
           "forceUpdateTag": {"type":"string","arm":"properties.forceUpdateTag"},
           "name": {"type":"string"},
           "protectedSettings": {"type":"secretMap","arm":"properties.protectedSettings"},
           "protectedSettingsFromKeyVault": {
            "type": "object",
            "required": ["secretUrl","sourceVault"],
            "properties": {
             "secretUrl": {"type":"string"},
             "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
            },
            "arm": "properties.protectedSettingsFromKeyVault"
           },
           "provisionAfterExtensions": {"type":"array","items":{"type":"string"},"arm":"properties.provisionAfterExtensions"},
           "publisher": {"type":"string","arm":"properties.publisher"},
           "settings": {"type":"map","values":{"type":"any"},"arm":"properties.settings"},
           "suppressFailures": {"type":"boolean","arm":"properties.suppressFailures"},
           "type": {"type":"string","arm":"properties.type"},
           "typeHandlerVersion": {"type":"string","arm":"properties.typeHandlerVersion"}
          }
         }
        },
        "extensionsTimeBudget": {"type":"string"}
       }
      },
      "hardwareProfile": {
       "type": "object",
       "properties": {
        "vmSizeProperties": {"type":"object","properties":{"vCPUsAvailable":{"type":"integer"},"vCPUsPerCore":{"type":"integer"}}}
       }
      },
      "licenseType": {"type":"string"},
      "networkProfile": {
       "type": "object",
       "properties": {
        "healthProbe": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "networkApiVersion": {"type":"string","enum":["2020-11-01"]},
        "networkInterfaceConfigurations": {
         "type": "array",
         "items": {
          "type": "object",
          "required": ["ipConfigurations","name"],
          "properties": {
           "deleteOption": {"type":"string","enum":["Delete","Detach"],"arm":"properties.deleteOption"},
           "dnsSettings": {
            "type": "object",
            "properties": {"dnsServers":{"type":"array","items":{"type":"string"}}},
            "arm": "properties.dnsSettings"
           },
           "enableAcceleratedNetworking": {"type":"boolean","arm":"properties.enableAcceleratedNetworking"},
           "enableFpga": {"type":"boolean","arm":"properties.enableFpga"},
           "enableIPForwarding": {"type":"boolean","arm":"properties.enableIPForwarding"},
           "ipConfigurations": {
            "type": "array",
            "items": {
             "type": "object",
             "required": ["name"],
             "properties": {
              "applicationGatewayBackendAddressPools": {
               "type": "array",
               "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
               "arm": "properties.applicationGatewayBackendAddressPools"
              },
              "applicationSecurityGroups": {
               "type": "array",
               "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
               "arm": "properties.applicationSecurityGroups"
              },
              "loadBalancerBackendAddressPools": {
               "type": "array",
               "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
               "arm": "properties.loadBalancerBackendAddressPools"
              },
              "loadBalancerInboundNatPools": {
               "type": "array",
               "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
               "arm": "properties.loadBalancerInboundNatPools"
              },
              "name": {"type":"string"},
              "primary": {"type":"boolean","arm":"properties.primary"},
              "privateIPAddressVersion": {"type":"string","enum":["IPv4","IPv6"],"arm":"properties.privateIPAddressVersion"},
              "publicIPAddressConfiguration": {
               "type": "object",
               "required": ["name"],
               "properties": {
                "deleteOption": {"type":"string","enum":["Delete","Detach"],"arm":"properties.deleteOption"},
                "dnsSettings": {
                 "type": "object",
                 "required": ["domainNameLabel"],
                 "properties": {"domainNameLabel":{"type":"string"}},
                 "arm": "properties.dnsSettings"
                },
                "idleTimeoutInMinutes": {"type":"integer","arm":"properties.idleTimeoutInMinutes"},
                "ipTags": {
                 "type": "array",
                 "items": {"type":"object","properties":{"ipTagType":{"type":"string"},"tag":{"type":"string"}}},
                 "arm": "properties.ipTags"
                },
                "name": {"type":"string"},
                "publicIPAddressVersion": {"type":"string","enum":["IPv4","IPv6"],"arm":"properties.publicIPAddressVersion"},
                "publicIPPrefix": {
                 "type": "object",
                 "properties": {"reference":{"type":"reference","arm":"id"}},
                 "arm": "properties.publicIPPrefix"
                },
                "sku": {
                 "type": "object",
                 "properties": {
                  "name": {"type":"string","enum":["Basic","Standard"]},
                  "tier": {"type":"string","enum":["Global","Regional"]}
                 }
                }
               },
               "arm": "properties.publicIPAddressConfiguration"
              },
              "reference": {"type":"reference","arm":"id"},
              "subnet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.subnet"}
             }
            },
            "arm": "properties.ipConfigurations"
           },
           "name": {"type":"string"},
           "networkSecurityGroup": {
            "type": "object",
            "properties": {"reference":{"type":"reference","arm":"id"}},
            "arm": "properties.networkSecurityGroup"
           },
           "primary": {"type":"boolean","arm":"properties.primary"},
           "reference": {"type":"reference","arm":"id"}
          }
         }
        }
       }
      },
      "osProfile": {
       "type": "object",
       "properties": {
        "adminPassword": {"type":"secret"},
        "adminUsername": {"type":"string"},
        "allowExtensionOperations": {"type":"boolean"},
        "computerNamePrefix": {"type":"string"},
        "customData": {"type":"string"},
        "linuxConfiguration": {
         "type": "object",
         "properties": {
          "disablePasswordAuthentication": {"type":"boolean"},
          "patchSettings": {
           "type": "object",
           "properties": {
            "assessmentMode": {"type":"string","enum":["AutomaticByPlatform","ImageDefault"]},
            "automaticByPlatformSettings": {
             "type": "object",
             "properties": {"rebootSetting":{"type":"string","enum":["Always","IfRequired","Never","Unknown"]}}
            },
            "patchMode": {"type":"string","enum":["AutomaticByPlatform","ImageDefault"]}
           }
          },
          "provisionVMAgent": {"type":"boolean"},
          "ssh": {
           "type": "object",
           "properties": {
            "publicKeys": {
             "type": "array",
             "items": {"type":"object","properties":{"keyData":{"type":"string"},"path":{"type":"string"}}}
            }
           }
          }
         }
        },
        "secrets": {
         "type": "array",
         "items": {
          "type": "object",
          "properties": {
           "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
           "vaultCertificates": {
            "type": "array",
            "items": {"type":"object","properties":{"certificateStore":{"type":"string"},"certificateUrl":{"type":"string"}}}
           }
          }
         }
        },
        "windowsConfiguration": {
         "type": "object",
         "properties": {
          "additionalUnattendContent": {
           "type": "array",
           "items": {
            "type": "object",
            "properties": {
             "componentName": {"type":"string","enum":["Microsoft-Windows-Shell-Setup"]},
             "content": {"type":"string"},
             "passName": {"type":"string","enum":["OobeSystem"]},
             "settingName": {"type":"string","enum":["AutoLogon","FirstLogonCommands"]}
            }
           }
          },
          "enableAutomaticUpdates": {"type":"boolean"},
          "patchSettings": {
           "type": "object",
           "properties": {
            "assessmentMode": {"type":"string","enum":["AutomaticByPlatform","ImageDefault"]},
            "automaticByPlatformSettings": {
             "type": "object",
             "properties": {"rebootSetting":{"type":"string","enum":["Always","IfRequired","Never","Unknown"]}}
            },
            "enableHotpatching": {"type":"boolean"},
            "patchMode": {"type":"string","enum":["AutomaticByOS","AutomaticByPlatform","Manual"]}
           }
          },
          "provisionVMAgent": {"type":"boolean"},
          "timeZone": {"type":"string"},
          "winRM": {
           "type": "object",
           "properties": {
            "listeners": {
             "type": "array",
             "items": {
              "type": "object",
              "properties": {"certificateUrl":{"type":"string"},"protocol":{"type":"string","enum":["Http","Https"]}}
             }
            }
           }
          }
         }
        }
       }
      },
      "priority": {"type":"string","enum":["Low","Regular","Spot"]},
      "scheduledEventsProfile": {
       "type": "object",
       "properties": {
        "terminateNotificationProfile": {"type":"object","properties":{"enable":{"type":"boolean"},"notBeforeTimeout":{"type":"string"}}}
       }
      },
      "securityProfile": {
       "type": "object",
       "properties": {
        "encryptionAtHost": {"type":"boolean"},
        "securityType": {"type":"string","enum":["ConfidentialVM","TrustedLaunch"]},
        "uefiSettings": {"type":"object","properties":{"secureBootEnabled":{"type":"boolean"},"vTpmEnabled":{"type":"boolean"}}}
       }
      },
      "storageProfile": {
       "type": "object",
       "properties": {
        "dataDisks": {
         "type": "array",
         "items": {
          "type": "object",
          "required": ["createOption","lun"],
          "properties": {
           "caching": {"type":"string","enum":["None","ReadOnly","ReadWrite"]},
           "createOption": {"type":"string","enum":["Attach","Empty","FromImage"]},
           "deleteOption": {"type":"string","enum":["Delete","Detach"]},
           "diskIOPSReadWrite": {"type":"integer"},
           "diskMBpsReadWrite": {"type":"integer"},
           "diskSizeGB": {"type":"integer"},
           "lun": {"type":"integer"},
           "managedDisk": {
            "type": "object",
            "properties": {
             "diskEncryptionSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
             "securityProfile": {
              "type": "object",
              "properties": {
               "diskEncryptionSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
               "securityEncryptionType": {"type":"string","enum":["DiskWithVMGuestState","VMGuestStateOnly"]}
              }
             },
             "storageAccountType": {
              "type": "string",
              "enum": [
               "PremiumV2_LRS",
               "Premium_LRS",
               "Premium_ZRS",
               "StandardSSD_LRS",
               "StandardSSD_ZRS",
               "Standard_LRS",
               "UltraSSD_LRS"
              ]
             }
            }
           },
           "name": {"type":"string"},
           "writeAcceleratorEnabled": {"type":"boolean"}
          }
         }
        },
        "imageReference": {
         "type": "object",
         "properties": {
          "communityGalleryImageId": {"type":"string"},
          "offer": {"type":"string"},
          "publisher": {"type":"string"},
          "reference": {"type":"reference","arm":"id"},
          "sharedGalleryImageId": {"type":"string"},
          "sku": {"type":"string"},
          "version": {"type":"string"}
         }
        },
        "osDisk": {
         "type": "object",
         "required": ["createOption"],
         "properties": {
          "caching": {"type":"string","enum":["None","ReadOnly","ReadWrite"]},
          "createOption": {"type":"string","enum":["Attach","Empty","FromImage"]},
          "deleteOption": {"type":"string","enum":["Delete","Detach"]},
          "diffDiskSettings": {
           "type": "object",
           "properties": {
            "option": {"type":"string","enum":["Local"]},
            "placement": {"type":"string","enum":["CacheDisk","ResourceDisk"]}
           }
          },
          "diskSizeGB": {"type":"integer"},
          "image": {"type":"object","properties":{"uri":{"type":"string"}}},
          "managedDisk": {
           "type": "object",
           "properties": {
            "diskEncryptionSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
            "securityProfile": {
             "type": "object",
             "properties": {
              "diskEncryptionSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
              "securityEncryptionType": {"type":"string","enum":["DiskWithVMGuestState","VMGuestStateOnly"]}
             }
            },
            "storageAccountType": {
             "type": "string",
             "enum": [
              "PremiumV2_LRS",
              "Premium_LRS",
              "Premium_ZRS",
              "StandardSSD_LRS",
              "StandardSSD_ZRS",
              "Standard_LRS",
              "UltraSSD_LRS"
             ]
            }
           }
          },
          "name": {"type":"string"},
          "osType": {"type":"string","enum":["Linux","Windows"]},
          "vhdContainers": {"type":"array","items":{"type":"string"}},
          "writeAcceleratorEnabled": {"type":"boolean"}
         }
        }
       }
      },
      "userData": {"type":"string"}
     }
    },
    "zoneBalance": {"type":"boolean"},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
