// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Alias`. */
export interface AliasProps extends KindProps<'subscription.azure.com/Alias'> {}

/**
 * Microsoft.Subscription/aliases.
 * Versions of Azure's API: 2021-10-01.
 */
export class Alias extends AzureResource<'subscription.azure.com/Alias'> {
  constructor(scope: Construct, id: string, props: AliasProps) {
    super(scope, id, { ...props, kind: 'subscription.azure.com/Alias' });
  }
}
