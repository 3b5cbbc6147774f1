// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `SearchService`. */
export interface SearchServiceProps extends KindProps<'search.azure.com/SearchService'> {}

/**
 * Microsoft.Search/searchServices, in a ResourceGroup.
 * `export()` gives `adminPrimaryKey`, `adminSecondaryKey`, `identityPrincipalId`, `identityTenantId`, `queryKey`.
 * Versions of Azure's API: 2023-11-01, 2022-09-01.
 */
export class SearchService extends AzureResource<'search.azure.com/SearchService'> {
  constructor(scope: Construct, id: string, props: SearchServiceProps) {
    super(scope, id, { ...props, kind: 'search.azure.com/SearchService' });
  }
}
