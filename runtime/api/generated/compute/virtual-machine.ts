// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface VirtualMachineSpec {
  azureName?: string;
  additionalCapabilities?: {
    hibernationEnabled?: boolean;
    ultraSSDEnabled?: boolean;
  };
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
  availabilitySet?: {
    reference?: ArmReference;
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
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  extensionsTimeBudget?: string;
  hardwareProfile?: {
    vmSize?: string;
    vmSizeProperties?: {
      vCPUsAvailable?: number;
      vCPUsPerCore?: number;
    };
  };
  host?: {
    reference?: ArmReference;
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
  licenseType?: string;
  location: string;
  networkProfile?: {
    networkApiVersion?: '2020-11-01';
    networkInterfaceConfigurations?: ({
      deleteOption?: 'Delete' | 'Detach';
      dnsSettings?: {
        dnsServers?: string[];
      };
      dscpConfiguration?: {
        reference?: ArmReference;
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
          publicIPAllocationMethod?: 'Dynamic' | 'Static';
          publicIPPrefix?: {
            reference?: ArmReference;
          };
          sku?: {
            name?: 'Basic' | 'Standard';
            tier?: 'Global' | 'Regional';
          };
        };
        subnet?: {
          reference?: ArmReference;
        };
      })[];
      name: string;
      networkSecurityGroup?: {
        reference?: ArmReference;
      };
      primary?: boolean;
    })[];
    networkInterfaces?: ({
      deleteOption?: 'Delete' | 'Detach';
      primary?: boolean;
      reference?: ArmReference;
    })[];
  };
  osProfile?: {
    adminPassword?: SecretKeyReference;
    adminUsername?: string;
    allowExtensionOperations?: boolean;
    computerName?: string;
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
    requireGuestProvisionSignal?: boolean;
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
  plan?: {
    name?: string;
    product?: string;
    promotionCode?: string;
    publisher?: string;
  };
  platformFaultDomain?: number;
  priority?: 'Low' | 'Regular' | 'Spot';
  proximityPlacementGroup?: {
    reference?: ArmReference;
  };
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
      detachOption?: 'ForceDetach';
      diskSizeGB?: number;
      image?: {
        uri?: string;
      };
      lun: number;
      managedDisk?: {
        diskEncryptionSet?: {
          reference?: ArmReference;
        };
        reference?: ArmReference;
        securityProfile?: {
          diskEncryptionSet?: {
            reference?: ArmReference;
          };
          securityEncryptionType?: 'DiskWithVMGuestState' | 'VMGuestStateOnly';
        };
        storageAccountType?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
      };
      name?: string;
      toBeDetached?: boolean;
      vhd?: {
        uri?: string;
      };
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
      encryptionSettings?: {
        diskEncryptionKey?: {
          secretUrl: string;
          sourceVault: {
            reference?: ArmReference;
          };
        };
        enabled?: boolean;
        keyEncryptionKey?: {
          keyUrl: string;
          sourceVault: {
            reference?: ArmReference;
          };
        };
      };
      image?: {
        uri?: string;
      };
      managedDisk?: {
        diskEncryptionSet?: {
          reference?: ArmReference;
        };
        reference?: ArmReference;
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
      vhd?: {
        uri?: string;
      };
      writeAcceleratorEnabled?: boolean;
    };
  };
  tags?: Record<string, string>;
  userData?: string;
  virtualMachineScaleSet?: {
    reference?: ArmReference;
  };
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never, 'password'>;
}

export interface VirtualMachine {
  spec: VirtualMachineSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "compute.azure.com",
 "kind": "VirtualMachine",
 "plural": "virtualmachines",
 "singular": "virtualmachine",
 "shortNames": ["vm"],
 "arm": {
  "armType": "Microsoft.Compute/virtualMachines",
  "apiVersions": {"v20220301":"2022-03-01","v1api20220301":"2022-03-01","v20201201":"2020-12-01","v1api20201201":"2020-12-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/virtualMachines/{vmName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","identity","location","name","plan","tags","zones"],
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
    "availabilitySet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "billingProfile": {"type":"object","properties":{"maxPrice":{"type":"number"}}},
    "capacityReservation": {
     "type": "object",
     "properties": {"capacityReservationGroup":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}}
    },
    "diagnosticsProfile": {
     "type": "object",
     "properties": {"bootDiagnostics":{"type":"object","properties":{"enabled":{"type":"boolean"},"storageUri":{"type":"string"}}}}
    },
    "evictionPolicy": {"type":"string","enum":["Deallocate","Delete"]},
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "extensionsTimeBudget": {"type":"string"},
    "hardwareProfile": {
     "type": "object",
     "properties": {
      "vmSize": {"type":"string"},
      "vmSizeProperties": {"type":"object","properties":{"vCPUsAvailable":{"type":"integer"},"vCPUsPerCore":{"type":"integer"}}}
     }
    },
    "host": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "hostGroup": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned, UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "licenseType": {"type":"string"},
    "location": {"type":"string"},
    "networkProfile": {
     "type": "object",
     "properties": {
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
         "dscpConfiguration": {
          "type": "object",
          "properties": {"reference":{"type":"reference","arm":"id"}},
          "arm": "properties.dscpConfiguration"
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
              "publicIPAllocationMethod": {"type":"string","enum":["Dynamic","Static"],"arm":"properties.publicIPAllocationMethod"},
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
         "primary": {"type":"boolean","arm":"properties.primary"}
        }
       }
      },
      "networkInterfaces": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "deleteOption": {"type":"string","enum":["Delete","Detach"],"arm":"properties.deleteOption"},
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
      "computerName": {"type":"string"},
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
      "requireGuestProvisionSignal": {"type":"boolean"},
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
    "plan": {
     "type": "object",
     "properties": {
      "name": {"type":"string"},
      "product": {"type":"string"},
      "promotionCode": {"type":"string"},
      "publisher": {"type":"string"}
     }
    },
    "platformFaultDomain": {"type":"integer"},
    "priority": {"type":"string","enum":["Low","Regular","Spot"]},
    "proximityPlacementGroup": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
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
         "detachOption": {"type":"string","enum":["ForceDetach"]},
         "diskSizeGB": {"type":"integer"},
         "image": {"type":"object","properties":{"uri":{"type":"string"}}},
         "lun": {"type":"integer"},
         "managedDisk": {
          "type": "object",
          "properties": {
           "diskEncryptionSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
           "reference": {"type":"reference","arm":"id"},
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
         "toBeDetached": {"type":"boolean"},
         "vhd": {"type":"object","properties":{"uri":{"type":"string"}}},
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
        "encryptionSettings": {
         "type": "object",
         "properties": {
          "diskEncryptionKey": {
           "type": "object",
           "required": ["secretUrl","sourceVault"],
           "properties": {
            "secretUrl": {"type":"string"},
            "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
           }
          },
          "enabled": {"type":"boolean"},
          "keyEncryptionKey": {
           "type": "object",
           "required": ["keyUrl","sourceVault"],
           "properties": {
            "keyUrl": {"type":"string"},
            "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
           }
          }
         }
        },
        "image": {"type":"object","properties":{"uri":{"type":"string"}}},
        "managedDisk": {
         "type": "object",
         "properties": {
          "diskEncryptionSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
          "reference": {"type":"reference","arm":"id"},
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
        "vhd": {"type":"object","properties":{"uri":{"type":"string"}}},
        "writeAcceleratorEnabled": {"type":"boolean"}
       }
      }
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "userData": {"type":"string"},
    "virtualMachineScaleSet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
