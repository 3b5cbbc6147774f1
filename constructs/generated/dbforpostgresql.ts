// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `FlexibleServer`. */
export interface FlexibleServerProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServer'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers, in a ResourceGroup.
 * `export()` gives `fullyQualifiedDomainName`.
 * Versions of Azure's API: 2025-08-01, 2024-08-01, 2023-06-01-preview, 2022-12-01, 2022-01-20-preview, 2021-06-01.
 */
export class FlexibleServer extends AzureResource<'dbforpostgresql.azure.com/FlexibleServer'> {
  constructor(scope: Construct, id: string, props: FlexibleServerProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServer' });
  }
}

/** Properties of `FlexibleServersAdministrator`. */
export interface FlexibleServersAdministratorProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersAdministrator'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/administrators, in a FlexibleServer.
 * Versions of Azure's API: 2025-08-01.
 */
export class FlexibleServersAdministrator extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersAdministrator'> {
  constructor(scope: Construct, id: string, props: FlexibleServersAdministratorProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersAdministrator' });
  }
}

/** Properties of `FlexibleServersAdvancedThreatProtectionSettings`. */
export interface FlexibleServersAdvancedThreatProtectionSettingsProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersAdvancedThreatProtectionSettings'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/advancedThreatProtectionSettings, in a FlexibleServer.
 * Its name in Azure is `Default`.
 * Versions of Azure's API: 2025-08-01, 2024-08-01.
 */
export class FlexibleServersAdvancedThreatProtectionSettings extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersAdvancedThreatProtectionSettings'> {
  constructor(scope: Construct, id: string, props: FlexibleServersAdvancedThreatProtectionSettingsProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersAdvancedThreatProtectionSettings' });
  }
}

/** Properties of `FlexibleServersBackup`. */
export interface FlexibleServersBackupProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersBackup'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/backups, in a FlexibleServer.
 * Versions of Azure's API: 2025-08-01, 2024-08-01.
 */
export class FlexibleServersBackup extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersBackup'> {
  constructor(scope: Construct, id: string, props: FlexibleServersBackupProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersBackup' });
  }
}

/** Properties of `FlexibleServersConfiguration`. */
export interface FlexibleServersConfigurationProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersConfiguration'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/configurations, in a FlexibleServer.
 * Versions of Azure's API: 2025-08-01, 2024-08-01, 2023-06-01-preview, 2022-12-01, 2022-01-20-preview, 2021-06-01.
 */
export class FlexibleServersConfiguration extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersConfiguration'> {
  constructor(scope: Construct, id: string, props: FlexibleServersConfigurationProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersConfiguration' });
  }
}

/** Properties of `FlexibleServersDatabase`. */
export interface FlexibleServersDatabaseProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersDatabase'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/databases, in a FlexibleServer.
 * Versions of Azure's API: 2025-08-01, 2024-08-01, 2023-06-01-preview, 2022-12-01, 2022-01-20-preview, 2021-06-01.
 */
export class FlexibleServersDatabase extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersDatabase'> {
  constructor(scope: Construct, id: string, props: FlexibleServersDatabaseProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersDatabase' });
  }
}

/** Properties of `FlexibleServersFirewallRule`. */
export interface FlexibleServersFirewallRuleProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersFirewallRule'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/firewallRules, in a FlexibleServer.
 * Versions of Azure's API: 2025-08-01, 2024-08-01, 2023-06-01-preview, 2022-12-01, 2022-01-20-preview, 2021-06-01.
 */
export class FlexibleServersFirewallRule extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersFirewallRule'> {
  constructor(scope: Construct, id: string, props: FlexibleServersFirewallRuleProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersFirewallRule' });
  }
}

/** Properties of `FlexibleServersVirtualEndpoint`. */
export interface FlexibleServersVirtualEndpointProps extends KindProps<'dbforpostgresql.azure.com/FlexibleServersVirtualEndpoint'> {}

/**
 * Microsoft.DBforPostgreSQL/flexibleServers/virtualendpoints, in a FlexibleServer.
 * Versions of Azure's API: 2025-08-01, 2024-08-01.
 */
export class FlexibleServersVirtualEndpoint extends AzureResource<'dbforpostgresql.azure.com/FlexibleServersVirtualEndpoint'> {
  constructor(scope: Construct, id: string, props: FlexibleServersVirtualEndpointProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/FlexibleServersVirtualEndpoint' });
  }
}

/** Properties of `User`. */
export interface UserProps extends KindProps<'dbforpostgresql.azure.com/User'> {}

/**
 * A role of PostgreSQL, in a FlexibleServer.
 */
export class User extends AzureResource<'dbforpostgresql.azure.com/User'> {
  constructor(scope: Construct, id: string, props: UserProps) {
    super(scope, id, { ...props, kind: 'dbforpostgresql.azure.com/User' });
  }
}
