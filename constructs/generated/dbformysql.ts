// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `FlexibleServer`. */
export interface FlexibleServerProps extends KindProps<'dbformysql.azure.com/FlexibleServer'> {}

/**
 * Microsoft.DBforMySQL/flexibleServers, in a ResourceGroup.
 * `export()` gives `administratorLogin`, `fullyQualifiedDomainName`.
 * Versions of Azure's API: 2024-12-30, 2025-06-01-preview, 2023-12-30, 2023-06-30, 2021-05-01.
 */
export class FlexibleServer extends AzureResource<'dbformysql.azure.com/FlexibleServer'> {
  constructor(scope: Construct, id: string, props: FlexibleServerProps) {
    super(scope, id, { ...props, kind: 'dbformysql.azure.com/FlexibleServer' });
  }
}

/** Properties of `FlexibleServersAdministrator`. */
export interface FlexibleServersAdministratorProps extends KindProps<'dbformysql.azure.com/FlexibleServersAdministrator'> {}

/**
 * Microsoft.DBforMySQL/flexibleServers/administrators, in a FlexibleServer.
 * Its name in Azure is `ActiveDirectory`.
 * Versions of Azure's API: 2024-12-30, 2025-06-01-preview, 2023-12-30, 2023-06-30, 2022-01-01.
 */
export class FlexibleServersAdministrator extends AzureResource<'dbformysql.azure.com/FlexibleServersAdministrator'> {
  constructor(scope: Construct, id: string, props: FlexibleServersAdministratorProps) {
    super(scope, id, { ...props, kind: 'dbformysql.azure.com/FlexibleServersAdministrator' });
  }
}

/** Properties of `FlexibleServersConfiguration`. */
export interface FlexibleServersConfigurationProps extends KindProps<'dbformysql.azure.com/FlexibleServersConfiguration'> {}

/**
 * Microsoft.DBforMySQL/flexibleServers/configurations, in a FlexibleServer.
 * Versions of Azure's API: 2024-12-30, 2025-06-01-preview, 2023-12-30, 2023-06-30, 2022-01-01.
 */
export class FlexibleServersConfiguration extends AzureResource<'dbformysql.azure.com/FlexibleServersConfiguration'> {
  constructor(scope: Construct, id: string, props: FlexibleServersConfigurationProps) {
    super(scope, id, { ...props, kind: 'dbformysql.azure.com/FlexibleServersConfiguration' });
  }
}

/** Properties of `FlexibleServersDatabase`. */
export interface FlexibleServersDatabaseProps extends KindProps<'dbformysql.azure.com/FlexibleServersDatabase'> {}

/**
 * Microsoft.DBforMySQL/flexibleServers/databases, in a FlexibleServer.
 * Versions of Azure's API: 2024-12-30, 2025-06-01-preview, 2023-12-30, 2023-06-30, 2021-05-01.
 */
export class FlexibleServersDatabase extends AzureResource<'dbformysql.azure.com/FlexibleServersDatabase'> {
  constructor(scope: Construct, id: string, props: FlexibleServersDatabaseProps) {
    super(scope, id, { ...props, kind: 'dbformysql.azure.com/FlexibleServersDatabase' });
  }
}

/** Properties of `FlexibleServersFirewallRule`. */
export interface FlexibleServersFirewallRuleProps extends KindProps<'dbformysql.azure.com/FlexibleServersFirewallRule'> {}

/**
 * Microsoft.DBforMySQL/flexibleServers/firewallRules, in a FlexibleServer.
 * Versions of Azure's API: 2024-12-30, 2025-06-01-preview, 2023-12-30, 2023-06-30, 2021-05-01.
 */
export class FlexibleServersFirewallRule extends AzureResource<'dbformysql.azure.com/FlexibleServersFirewallRule'> {
  constructor(scope: Construct, id: string, props: FlexibleServersFirewallRuleProps) {
    super(scope, id, { ...props, kind: 'dbformysql.azure.com/FlexibleServersFirewallRule' });
  }
}

/** Properties of `User`. */
export interface UserProps extends KindProps<'dbformysql.azure.com/User'> {}

/**
 * A user of MySQL, in a FlexibleServer.
 */
export class User extends AzureResource<'dbformysql.azure.com/User'> {
  constructor(scope: Construct, id: string, props: UserProps) {
    super(scope, id, { ...props, kind: 'dbformysql.azure.com/User' });
  }
}
