// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Factory`. */
export interface FactoryProps extends KindProps<'datafactory.azure.com/Factory'> {}

/**
 * Microsoft.DataFactory/factories, in a ResourceGroup.
 * Versions of Azure's API: 2018-06-01.
 */
export class Factory extends AzureResource<'datafactory.azure.com/Factory'> {
  constructor(scope: Construct, id: string, props: FactoryProps) {
    super(scope, id, { ...props, kind: 'datafactory.azure.com/Factory' });
  }
}
