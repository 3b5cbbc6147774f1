// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `ResourceGroup`. */
export interface ResourceGroupProps extends KindProps<'resources.azure.com/ResourceGroup'> {}

/**
 * Microsoft.Resources/resourceGroups.
 * Versions of Azure's API: 2020-06-01.
 */
export class ResourceGroup extends AzureResource<'resources.azure.com/ResourceGroup'> {
  constructor(scope: Construct, id: string, props: ResourceGroupProps) {
    super(scope, id, { ...props, kind: 'resources.azure.com/ResourceGroup' });
  }
}
