// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `ContainerGroup`. */
export interface ContainerGroupProps extends KindProps<'containerinstance.azure.com/ContainerGroup'> {}

/**
 * Microsoft.ContainerInstance/containerGroups, in a ResourceGroup.
 * Versions of Azure's API: 2021-10-01.
 */
export class ContainerGroup extends AzureResource<'containerinstance.azure.com/ContainerGroup'> {
  constructor(scope: Construct, id: string, props: ContainerGroupProps) {
    super(scope, id, { ...props, kind: 'containerinstance.azure.com/ContainerGroup' });
  }
}
