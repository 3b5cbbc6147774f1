// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `AvailabilitySet`. */
export interface AvailabilitySetProps extends KindProps<'compute.azure.com/AvailabilitySet'> {}

/**
 * Microsoft.Compute/availabilitySets, in a ResourceGroup.
 * Versions of Azure's API: 2024-11-01.
 */
export class AvailabilitySet extends AzureResource<'compute.azure.com/AvailabilitySet'> {
  constructor(scope: Construct, id: string, props: AvailabilitySetProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/AvailabilitySet' });
  }
}

/** Properties of `CapacityReservation`. */
export interface CapacityReservationProps extends KindProps<'compute.azure.com/CapacityReservation'> {}

/**
 * Microsoft.Compute/capacityReservationGroups/capacityReservations, in a CapacityReservationGroup.
 * Versions of Azure's API: 2025-04-01.
 */
export class CapacityReservation extends AzureResource<'compute.azure.com/CapacityReservation'> {
  constructor(scope: Construct, id: string, props: CapacityReservationProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/CapacityReservation' });
  }
}

/** Properties of `CapacityReservationGroup`. */
export interface CapacityReservationGroupProps extends KindProps<'compute.azure.com/CapacityReservationGroup'> {}

/**
 * Microsoft.Compute/capacityReservationGroups, in a ResourceGroup.
 * Versions of Azure's API: 2025-04-01.
 */
export class CapacityReservationGroup extends AzureResource<'compute.azure.com/CapacityReservationGroup'> {
  constructor(scope: Construct, id: string, props: CapacityReservationGroupProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/CapacityReservationGroup' });
  }
}

/** Properties of `Disk`. */
export interface DiskProps extends KindProps<'compute.azure.com/Disk'> {}

/**
 * Microsoft.Compute/disks, in a ResourceGroup.
 * Versions of Azure's API: 2024-03-02, 2020-09-30.
 */
export class Disk extends AzureResource<'compute.azure.com/Disk'> {
  constructor(scope: Construct, id: string, props: DiskProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/Disk' });
  }
}

/** Properties of `DiskAccess`. */
export interface DiskAccessProps extends KindProps<'compute.azure.com/DiskAccess'> {}

/**
 * Microsoft.Compute/diskAccesses, in a ResourceGroup.
 * Versions of Azure's API: 2024-03-02.
 */
export class DiskAccess extends AzureResource<'compute.azure.com/DiskAccess'> {
  constructor(scope: Construct, id: string, props: DiskAccessProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/DiskAccess' });
  }
}

/** Properties of `DiskEncryptionSet`. */
export interface DiskEncryptionSetProps extends KindProps<'compute.azure.com/DiskEncryptionSet'> {}

/**
 * Microsoft.Compute/diskEncryptionSets, in a ResourceGroup.
 * Versions of Azure's API: 2024-03-02, 2022-07-02.
 */
export class DiskEncryptionSet extends AzureResource<'compute.azure.com/DiskEncryptionSet'> {
  constructor(scope: Construct, id: string, props: DiskEncryptionSetProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/DiskEncryptionSet' });
  }
}

/** Properties of `Image`. */
export interface ImageProps extends KindProps<'compute.azure.com/Image'> {}

/**
 * Microsoft.Compute/images, in a ResourceGroup.
 * Versions of Azure's API: 2022-03-01, 2021-07-01.
 */
export class Image extends AzureResource<'compute.azure.com/Image'> {
  constructor(scope: Construct, id: string, props: ImageProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/Image' });
  }
}

/** Properties of `Snapshot`. */
export interface SnapshotProps extends KindProps<'compute.azure.com/Snapshot'> {}

/**
 * Microsoft.Compute/snapshots, in a ResourceGroup.
 * Versions of Azure's API: 2024-03-02, 2020-09-30.
 */
export class Snapshot extends AzureResource<'compute.azure.com/Snapshot'> {
  constructor(scope: Construct, id: string, props: SnapshotProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/Snapshot' });
  }
}

/** Properties of `VirtualMachine`. */
export interface VirtualMachineProps extends KindProps<'compute.azure.com/VirtualMachine'> {}

/**
 * Microsoft.Compute/virtualMachines, in a ResourceGroup.
 * Versions of Azure's API: 2022-03-01, 2020-12-01.
 */
export class VirtualMachine extends AzureResource<'compute.azure.com/VirtualMachine'> {
  constructor(scope: Construct, id: string, props: VirtualMachineProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/VirtualMachine' });
  }
}

/** Properties of `VirtualMachineScaleSet`. */
export interface VirtualMachineScaleSetProps extends KindProps<'compute.azure.com/VirtualMachineScaleSet'> {}

/**
 * Microsoft.Compute/virtualMachineScaleSets, in a ResourceGroup.
 * Versions of Azure's API: 2022-03-01, 2020-12-01.
 */
export class VirtualMachineScaleSet extends AzureResource<'compute.azure.com/VirtualMachineScaleSet'> {
  constructor(scope: Construct, id: string, props: VirtualMachineScaleSetProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/VirtualMachineScaleSet' });
  }
}

/** Properties of `VirtualMachineScaleSetsExtension`. */
export interface VirtualMachineScaleSetsExtensionProps extends KindProps<'compute.azure.com/VirtualMachineScaleSetsExtension'> {}

/**
 * Microsoft.Compute/virtualMachineScaleSets/extensions, in a VirtualMachineScaleSet.
 * Versions of Azure's API: 2022-03-01, 2020-12-01.
 */
export class VirtualMachineScaleSetsExtension extends AzureResource<'compute.azure.com/VirtualMachineScaleSetsExtension'> {
  constructor(scope: Construct, id: string, props: VirtualMachineScaleSetsExtensionProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/VirtualMachineScaleSetsExtension' });
  }
}

/** Properties of `VirtualMachinesExtension`. */
export interface VirtualMachinesExtensionProps extends KindProps<'compute.azure.com/VirtualMachinesExtension'> {}

/**
 * Microsoft.Compute/virtualMachines/extensions, in a VirtualMachine.
 * Versions of Azure's API: 2022-03-01, 2020-12-01.
 */
export class VirtualMachinesExtension extends AzureResource<'compute.azure.com/VirtualMachinesExtension'> {
  constructor(scope: Construct, id: string, props: VirtualMachinesExtensionProps) {
    super(scope, id, { ...props, kind: 'compute.azure.com/VirtualMachinesExtension' });
  }
}
