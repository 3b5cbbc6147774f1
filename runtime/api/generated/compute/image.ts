// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ImageSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
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
  hyperVGeneration?: 'V1' | 'V2';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  sourceVirtualMachine?: {
    /**
     * By construct or ARM id: VirtualMachine.
     * @default Azure's own value
     */
    reference?: ArmReference<'compute.azure.com/VirtualMachine'>;
  };
  /** @default Azure's own value */
  storageProfile?: {
    dataDisks?: ({
      blobUri?: string;
      caching?: 'None' | 'ReadOnly' | 'ReadWrite';
      diskEncryptionSet?: {
        /**
         * By construct or ARM id: DiskEncryptionSet.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
      };
      diskSizeGB?: number;
      lun: number;
      managedDisk?: {
        /**
         * By construct or ARM id: Disk.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/Disk'>;
      };
      snapshot?: {
        /**
         * By construct or ARM id: Snapshot.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/Snapshot'>;
      };
      storageAccountType?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
    })[];
    osDisk?: {
      blobUri?: string;
      caching?: 'None' | 'ReadOnly' | 'ReadWrite';
      diskEncryptionSet?: {
        /**
         * By construct or ARM id: DiskEncryptionSet.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
      };
      diskSizeGB?: number;
      managedDisk?: {
        /**
         * By construct or ARM id: Disk.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/Disk'>;
      };
      osState: 'Generalized' | 'Specialized';
      osType: 'Linux' | 'Windows';
      snapshot?: {
        /**
         * By construct or ARM id: Snapshot.
         * @default Azure's own value
         */
        reference?: ArmReference<'compute.azure.com/Snapshot'>;
      };
      storageAccountType?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
    };
    zoneResilient?: boolean;
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

export interface Image {
  spec: ImageSpec;
  status?: ArmStatus;
}
