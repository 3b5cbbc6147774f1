// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Quota`. */
export interface QuotaProps extends KindProps<'quota.azure.com/Quota'> {}

/**
 * Microsoft.Quota/quotas, on any Azure resource.
 * Versions of Azure's API: 2025-09-01.
 */
export class Quota extends AzureResource<'quota.azure.com/Quota'> {
  constructor(scope: Construct, id: string, props: QuotaProps) {
    super(scope, id, { ...props, kind: 'quota.azure.com/Quota' });
  }
}
