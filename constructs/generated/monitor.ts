// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Account`. */
export interface AccountProps extends KindProps<'monitor.azure.com/Account'> {}

/**
 * Microsoft.Monitor/accounts, in a ResourceGroup.
 * Versions of Azure's API: 2023-04-03.
 */
export class Account extends AzureResource<'monitor.azure.com/Account'> {
  constructor(scope: Construct, id: string, props: AccountProps) {
    super(scope, id, { ...props, kind: 'monitor.azure.com/Account' });
  }
}
