// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `IotHub`. */
export interface IotHubProps extends KindProps<'devices.azure.com/IotHub'> {}

/**
 * Microsoft.Devices/IotHubs, in a ResourceGroup.
 * `export()` gives `devicePrimaryKey`, `deviceSecondaryKey`, `iotHubOwnerPrimaryKey`, `iotHubOwnerSecondaryKey`, `registryReadPrimaryKey`, `registryReadSecondaryKey`, `registryReadWritePrimaryKey`, `registryReadWriteSecondaryKey`, `servicePrimaryKey`, `serviceSecondaryKey`.
 * Versions of Azure's API: 2021-07-02.
 */
export class IotHub extends AzureResource<'devices.azure.com/IotHub'> {
  constructor(scope: Construct, id: string, props: IotHubProps) {
    super(scope, id, { ...props, kind: 'devices.azure.com/IotHub' });
  }
}
