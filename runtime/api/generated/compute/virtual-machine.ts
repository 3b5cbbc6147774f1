// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface VirtualMachineSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  additionalCapabilities?: {
    hibernationEnabled?: boolean;
    ultraSSDEnabled?: boolean;
  };
  /** @default Azure's own value */
  applicationProfile?: {
    galleryApplications?: ({
      configurationReference?: string;
      enableAutomaticUpgrade?: boolean;
      order?: number;
      /** By construct or ARM id: any resource. */
      packageReferenceReference: ArmReference;
      tags?: string;
      treatFailureAsDeploymentFailure?: boolean;
    })[];
  };
  /** @default Azure's own value */
  availabilitySet?: {
    /**
     * By construct or ARM id: AvailabilitySet.
     * @default Azure's own value
     */
    reference?: ArmReference<'compute.azure.com/AvailabilitySet'>;
  };
  /** @default Azure's own value */
  billingProfile?: {
    maxPrice?: number;
  };
  /** @default Azure's own value */
  capacityReservation?: {
    capacityReservationGroup?: {
      /**
       * By construct or ARM id: CapacityReservationGroup.
       * @default Azure's own value
       */
      reference?: ArmReference<'compute.azure.com/CapacityReservationGroup'>;
    };
  };
  /** @default Azure's own value */
  diagnosticsProfile?: {
    bootDiagnostics?: {
      enabled?: boolean;
      storageUri?: string;
    };
  };
  /** @default Azure's own value */
  evictionPolicy?: 'Deallocate' | 'Delete';
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
  extensionsTimeBudget?: string;
  /** @default Azure's own value */
  hardwareProfile?: {
    vmSize?: string;
    vmSizeProperties?: {
      vCPUsAvailable?: number;
      vCPUsPerCore?: number;
    };
  };
  /** @default Azure's own value */
  host?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  hostGroup?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
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
  /** @default Azure's own value */
  licenseType?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  networkProfile?: {
    /**
     * Always `2020-11-01`.
     * @default Azure's own value
     */
    networkApiVersion?: '2020-11-01';
    networkInterfaceConfigurations?: ({
      deleteOption?: 'Delete' | 'Detach';
      dnsSettings?: {
        dnsServers?: string[];
      };
      dscpConfiguration?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      enableAcceleratedNetworking?: boolean;
      enableFpga?: boolean;
      enableIPForwarding?: boolean;
      ipConfigurations: ({
        applicationGatewayBackendAddressPools?: ({
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          reference?: ArmReference;
        })[];
        applicationSecurityGroups?: ({
          /**
           * By construct or ARM id: ApplicationSecurityGroup.
           * @default Azure's own value
           */
          reference?: ArmReference<'network.azure.com/ApplicationSecurityGroup'>;
        })[];
        loadBalancerBackendAddressPools?: ({
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
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
            /**
             * By construct or ARM id: PublicIPPrefix.
             * @default Azure's own value
             */
            reference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
          };
          sku?: {
            /**
             * Name of the pricing tier.
             * @default Azure's own value
             */
            name?: 'Basic' | 'Standard';
            /**
             * Tier, where the name does not tell it.
             * @default Azure's own value
             */
            tier?: 'Global' | 'Regional';
          };
        };
        subnet?: {
          /**
           * By construct or ARM id: VirtualNetworksSubnet.
           * @default Azure's own value
           */
          reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
        };
      })[];
      name: string;
      networkSecurityGroup?: {
        /**
         * By construct or ARM id: NetworkSecurityGroup.
         * @default Azure's own value
         */
        reference?: ArmReference<'network.azure.com/NetworkSecurityGroup'>;
      };
      primary?: boolean;
    })[];
    networkInterfaces?: ({
      deleteOption?: 'Delete' | 'Detach';
      primary?: boolean;
      /**
       * By construct or ARM id: NetworkInterface.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/NetworkInterface'>;
    })[];
  };
  /** @default Azure's own value */
  osProfile?: {
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
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
        /**
         * By construct or ARM id: Vault.
         * @default Azure's own value
         */
        reference?: ArmReference<'keyvault.azure.com/Vault'>;
      };
      vaultCertificates?: ({
        certificateStore?: string;
        certificateUrl?: string;
      })[];
    })[];
    windowsConfiguration?: {
      additionalUnattendContent?: ({
        /**
         * Always `Microsoft-Windows-Shell-Setup`.
         * @default Azure's own value
         */
        componentName?: 'Microsoft-Windows-Shell-Setup';
        content?: string;
        /**
         * Always `OobeSystem`.
         * @default Azure's own value
         */
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
  /** @default Azure's own value */
  plan?: {
    name?: string;
    product?: string;
    promotionCode?: string;
    publisher?: string;
  };
  /** @default Azure's own value */
  platformFaultDomain?: number;
  /** @default Azure's own value */
  priority?: 'Low' | 'Regular' | 'Spot';
  /** @default Azure's own value */
  proximityPlacementGroup?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  scheduledEventsProfile?: {
    terminateNotificationProfile?: {
      enable?: boolean;
      notBeforeTimeout?: string;
    };
  };
  /** @default Azure's own value */
  securityProfile?: {
    encryptionAtHost?: boolean;
    securityType?: 'ConfidentialVM' | 'TrustedLaunch';
    uefiSettings?: {
      secureBootEnabled?: boolean;
      vTpmEnabled?: boolean;
    };
  };
  /** @default Azure's own value */
  storageProfile?: {
    dataDisks?: ({
      caching?: 'None' | 'ReadOnly' | 'ReadWrite';
      createOption: 'Attach' | 'Empty' | 'FromImage';
      deleteOption?: 'Delete' | 'Detach';
      /**
       * Always `ForceDetach`.
       * @default Azure's own value
       */
      detachOption?: 'ForceDetach';
      diskSizeGB?: number;
      image?: {
        uri?: string;
      };
      lun: number;
      managedDisk?: {
        diskEncryptionSet?: {
          /**
           * By construct or ARM id: DiskEncryptionSet.
           * @default Azure's own value
           */
          reference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
        };
        /**
         * By construct or ARM id: Disk.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/Disk'>;
        securityProfile?: {
          diskEncryptionSet?: {
            /**
             * By construct or ARM id: DiskEncryptionSet.
             * @default Azure's own value
             */
            reference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
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
      /**
       * By construct or ARM id: Image.
       * @default Azure's own value
       */
      reference?: ArmReference<'compute.azure.com/Image'>;
      sharedGalleryImageId?: string;
      sku?: string;
      version?: string;
    };
    osDisk?: {
      caching?: 'None' | 'ReadOnly' | 'ReadWrite';
      createOption: 'Attach' | 'Empty' | 'FromImage';
      deleteOption?: 'Delete' | 'Detach';
      diffDiskSettings?: {
        /**
         * Always `Local`.
         * @default Azure's own value
         */
        option?: 'Local';
        placement?: 'CacheDisk' | 'ResourceDisk';
      };
      diskSizeGB?: number;
      encryptionSettings?: {
        diskEncryptionKey?: {
          secretUrl: string;
          sourceVault: {
            /**
             * By construct or ARM id: Vault.
             * @default Azure's own value
             */
            reference?: ArmReference<'keyvault.azure.com/Vault'>;
          };
        };
        enabled?: boolean;
        keyEncryptionKey?: {
          keyUrl: string;
          sourceVault: {
            /**
             * By construct or ARM id: Vault.
             * @default Azure's own value
             */
            reference?: ArmReference<'keyvault.azure.com/Vault'>;
          };
        };
      };
      image?: {
        uri?: string;
      };
      managedDisk?: {
        diskEncryptionSet?: {
          /**
           * By construct or ARM id: DiskEncryptionSet.
           * @default Azure's own value
           */
          reference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
        };
        /**
         * By construct or ARM id: Disk.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/Disk'>;
        securityProfile?: {
          diskEncryptionSet?: {
            /**
             * By construct or ARM id: DiskEncryptionSet.
             * @default Azure's own value
             */
            reference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
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
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  userData?: string;
  /** @default Azure's own value */
  virtualMachineScaleSet?: {
    /**
     * By construct or ARM id: VirtualMachineScaleSet.
     * @default Azure's own value
     */
    reference?: ArmReference<'compute.azure.com/VirtualMachineScaleSet'>;
  };
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never, 'password'>;
}

export interface VirtualMachine {
  spec: VirtualMachineSpec;
  status?: ArmStatus;
}
