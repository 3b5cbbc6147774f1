// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `BatchAccount`. */
export interface BatchAccountProps extends KindProps<'batch.azure.com/BatchAccount'> {}

/**
 * Microsoft.Batch/batchAccounts, in a ResourceGroup.
 * Versions of Azure's API: 2024-07-01, 2021-01-01.
 */
export class BatchAccount extends AzureResource<'batch.azure.com/BatchAccount'> {
  constructor(scope: Construct, id: string, props: BatchAccountProps) {
    super(scope, id, { ...props, kind: 'batch.azure.com/BatchAccount' });
  }
}
