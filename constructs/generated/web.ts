// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `ServerFarm`. */
export interface ServerFarmProps extends KindProps<'web.azure.com/ServerFarm'> {}

/**
 * Microsoft.Web/serverfarms, in a ResourceGroup.
 * Versions of Azure's API: 2025-05-01, 2022-03-01.
 */
export class ServerFarm extends AzureResource<'web.azure.com/ServerFarm'> {
  constructor(scope: Construct, id: string, props: ServerFarmProps) {
    super(scope, id, { ...props, kind: 'web.azure.com/ServerFarm' });
  }
}

/** Properties of `Site`. */
export interface SiteProps extends KindProps<'web.azure.com/Site'> {}

/**
 * Microsoft.Web/sites, in a ResourceGroup.
 * Versions of Azure's API: 2025-05-01, 2022-03-01.
 */
export class Site extends AzureResource<'web.azure.com/Site'> {
  constructor(scope: Construct, id: string, props: SiteProps) {
    super(scope, id, { ...props, kind: 'web.azure.com/Site' });
  }
}

/** Properties of `SitesSourcecontrol`. */
export interface SitesSourcecontrolProps extends KindProps<'web.azure.com/SitesSourcecontrol'> {}

/**
 * Microsoft.Web/sites/sourcecontrols, in a Site.
 * Its name in Azure is `web`.
 * Versions of Azure's API: 2025-05-01, 2022-03-01.
 */
export class SitesSourcecontrol extends AzureResource<'web.azure.com/SitesSourcecontrol'> {
  constructor(scope: Construct, id: string, props: SitesSourcecontrolProps) {
    super(scope, id, { ...props, kind: 'web.azure.com/SitesSourcecontrol' });
  }
}
