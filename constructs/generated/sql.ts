// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Server`. */
export interface ServerProps extends KindProps<'sql.azure.com/Server'> {}

/**
 * Microsoft.Sql/servers, in a ResourceGroup.
 * `export()` gives `fullyQualifiedDomainName`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class Server extends AzureResource<'sql.azure.com/Server'> {
  constructor(scope: Construct, id: string, props: ServerProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/Server' });
  }
}

/** Properties of `ServersAdministrator`. */
export interface ServersAdministratorProps extends KindProps<'sql.azure.com/ServersAdministrator'> {}

/**
 * Microsoft.Sql/servers/administrators, in a Server.
 * Its name in Azure is `ActiveDirectory`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersAdministrator extends AzureResource<'sql.azure.com/ServersAdministrator'> {
  constructor(scope: Construct, id: string, props: ServersAdministratorProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersAdministrator' });
  }
}

/** Properties of `ServersAdvancedThreatProtectionSetting`. */
export interface ServersAdvancedThreatProtectionSettingProps extends KindProps<'sql.azure.com/ServersAdvancedThreatProtectionSetting'> {}

/**
 * Microsoft.Sql/servers/advancedThreatProtectionSettings, in a Server.
 * Its name in Azure is `Default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersAdvancedThreatProtectionSetting extends AzureResource<'sql.azure.com/ServersAdvancedThreatProtectionSetting'> {
  constructor(scope: Construct, id: string, props: ServersAdvancedThreatProtectionSettingProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersAdvancedThreatProtectionSetting' });
  }
}

/** Properties of `ServersAuditingSetting`. */
export interface ServersAuditingSettingProps extends KindProps<'sql.azure.com/ServersAuditingSetting'> {}

/**
 * Microsoft.Sql/servers/auditingSettings, in a Server.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersAuditingSetting extends AzureResource<'sql.azure.com/ServersAuditingSetting'> {
  constructor(scope: Construct, id: string, props: ServersAuditingSettingProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersAuditingSetting' });
  }
}

/** Properties of `ServersAzureADOnlyAuthentication`. */
export interface ServersAzureADOnlyAuthenticationProps extends KindProps<'sql.azure.com/ServersAzureADOnlyAuthentication'> {}

/**
 * Microsoft.Sql/servers/azureADOnlyAuthentications, in a Server.
 * Its name in Azure is `Default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersAzureADOnlyAuthentication extends AzureResource<'sql.azure.com/ServersAzureADOnlyAuthentication'> {
  constructor(scope: Construct, id: string, props: ServersAzureADOnlyAuthenticationProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersAzureADOnlyAuthentication' });
  }
}

/** Properties of `ServersConnectionPolicy`. */
export interface ServersConnectionPolicyProps extends KindProps<'sql.azure.com/ServersConnectionPolicy'> {}

/**
 * Microsoft.Sql/servers/connectionPolicies, in a Server.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersConnectionPolicy extends AzureResource<'sql.azure.com/ServersConnectionPolicy'> {
  constructor(scope: Construct, id: string, props: ServersConnectionPolicyProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersConnectionPolicy' });
  }
}

/** Properties of `ServersDatabase`. */
export interface ServersDatabaseProps extends KindProps<'sql.azure.com/ServersDatabase'> {}

/**
 * Microsoft.Sql/servers/databases, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabase extends AzureResource<'sql.azure.com/ServersDatabase'> {
  constructor(scope: Construct, id: string, props: ServersDatabaseProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabase' });
  }
}

/** Properties of `ServersDatabasesAdvancedThreatProtectionSetting`. */
export interface ServersDatabasesAdvancedThreatProtectionSettingProps extends KindProps<'sql.azure.com/ServersDatabasesAdvancedThreatProtectionSetting'> {}

/**
 * Microsoft.Sql/servers/databases/advancedThreatProtectionSettings, in a ServersDatabase.
 * Its name in Azure is `Default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesAdvancedThreatProtectionSetting extends AzureResource<'sql.azure.com/ServersDatabasesAdvancedThreatProtectionSetting'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesAdvancedThreatProtectionSettingProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesAdvancedThreatProtectionSetting' });
  }
}

/** Properties of `ServersDatabasesAuditingSetting`. */
export interface ServersDatabasesAuditingSettingProps extends KindProps<'sql.azure.com/ServersDatabasesAuditingSetting'> {}

/**
 * Microsoft.Sql/servers/databases/auditingSettings, in a ServersDatabase.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesAuditingSetting extends AzureResource<'sql.azure.com/ServersDatabasesAuditingSetting'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesAuditingSettingProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesAuditingSetting' });
  }
}

/** Properties of `ServersDatabasesBackupLongTermRetentionPolicy`. */
export interface ServersDatabasesBackupLongTermRetentionPolicyProps extends KindProps<'sql.azure.com/ServersDatabasesBackupLongTermRetentionPolicy'> {}

/**
 * Microsoft.Sql/servers/databases/backupLongTermRetentionPolicies, in a ServersDatabase.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesBackupLongTermRetentionPolicy extends AzureResource<'sql.azure.com/ServersDatabasesBackupLongTermRetentionPolicy'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesBackupLongTermRetentionPolicyProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesBackupLongTermRetentionPolicy' });
  }
}

/** Properties of `ServersDatabasesBackupShortTermRetentionPolicy`. */
export interface ServersDatabasesBackupShortTermRetentionPolicyProps extends KindProps<'sql.azure.com/ServersDatabasesBackupShortTermRetentionPolicy'> {}

/**
 * Microsoft.Sql/servers/databases/backupShortTermRetentionPolicies, in a ServersDatabase.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesBackupShortTermRetentionPolicy extends AzureResource<'sql.azure.com/ServersDatabasesBackupShortTermRetentionPolicy'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesBackupShortTermRetentionPolicyProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesBackupShortTermRetentionPolicy' });
  }
}

/** Properties of `ServersDatabasesSecurityAlertPolicy`. */
export interface ServersDatabasesSecurityAlertPolicyProps extends KindProps<'sql.azure.com/ServersDatabasesSecurityAlertPolicy'> {}

/**
 * Microsoft.Sql/servers/databases/securityAlertPolicies, in a ServersDatabase.
 * Its name in Azure is `Default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesSecurityAlertPolicy extends AzureResource<'sql.azure.com/ServersDatabasesSecurityAlertPolicy'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesSecurityAlertPolicyProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesSecurityAlertPolicy' });
  }
}

/** Properties of `ServersDatabasesTransparentDataEncryption`. */
export interface ServersDatabasesTransparentDataEncryptionProps extends KindProps<'sql.azure.com/ServersDatabasesTransparentDataEncryption'> {}

/**
 * Microsoft.Sql/servers/databases/transparentDataEncryption, in a ServersDatabase.
 * Its name in Azure is `current`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesTransparentDataEncryption extends AzureResource<'sql.azure.com/ServersDatabasesTransparentDataEncryption'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesTransparentDataEncryptionProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesTransparentDataEncryption' });
  }
}

/** Properties of `ServersDatabasesVulnerabilityAssessment`. */
export interface ServersDatabasesVulnerabilityAssessmentProps extends KindProps<'sql.azure.com/ServersDatabasesVulnerabilityAssessment'> {}

/**
 * Microsoft.Sql/servers/databases/vulnerabilityAssessments, in a ServersDatabase.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersDatabasesVulnerabilityAssessment extends AzureResource<'sql.azure.com/ServersDatabasesVulnerabilityAssessment'> {
  constructor(scope: Construct, id: string, props: ServersDatabasesVulnerabilityAssessmentProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersDatabasesVulnerabilityAssessment' });
  }
}

/** Properties of `ServersElasticPool`. */
export interface ServersElasticPoolProps extends KindProps<'sql.azure.com/ServersElasticPool'> {}

/**
 * Microsoft.Sql/servers/elasticPools, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersElasticPool extends AzureResource<'sql.azure.com/ServersElasticPool'> {
  constructor(scope: Construct, id: string, props: ServersElasticPoolProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersElasticPool' });
  }
}

/** Properties of `ServersEncryptionProtector`. */
export interface ServersEncryptionProtectorProps extends KindProps<'sql.azure.com/ServersEncryptionProtector'> {}

/**
 * Microsoft.Sql/servers/encryptionProtector, in a Server.
 * Its name in Azure is `current`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersEncryptionProtector extends AzureResource<'sql.azure.com/ServersEncryptionProtector'> {
  constructor(scope: Construct, id: string, props: ServersEncryptionProtectorProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersEncryptionProtector' });
  }
}

/** Properties of `ServersFailoverGroup`. */
export interface ServersFailoverGroupProps extends KindProps<'sql.azure.com/ServersFailoverGroup'> {}

/**
 * Microsoft.Sql/servers/failoverGroups, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersFailoverGroup extends AzureResource<'sql.azure.com/ServersFailoverGroup'> {
  constructor(scope: Construct, id: string, props: ServersFailoverGroupProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersFailoverGroup' });
  }
}

/** Properties of `ServersFirewallRule`. */
export interface ServersFirewallRuleProps extends KindProps<'sql.azure.com/ServersFirewallRule'> {}

/**
 * Microsoft.Sql/servers/firewallRules, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersFirewallRule extends AzureResource<'sql.azure.com/ServersFirewallRule'> {
  constructor(scope: Construct, id: string, props: ServersFirewallRuleProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersFirewallRule' });
  }
}

/** Properties of `ServersIPV6FirewallRule`. */
export interface ServersIPV6FirewallRuleProps extends KindProps<'sql.azure.com/ServersIPV6FirewallRule'> {}

/**
 * Microsoft.Sql/servers/ipv6FirewallRules, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersIPV6FirewallRule extends AzureResource<'sql.azure.com/ServersIPV6FirewallRule'> {
  constructor(scope: Construct, id: string, props: ServersIPV6FirewallRuleProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersIPV6FirewallRule' });
  }
}

/** Properties of `ServersKey`. */
export interface ServersKeyProps extends KindProps<'sql.azure.com/ServersKey'> {}

/**
 * Microsoft.Sql/servers/keys, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersKey extends AzureResource<'sql.azure.com/ServersKey'> {
  constructor(scope: Construct, id: string, props: ServersKeyProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersKey' });
  }
}

/** Properties of `ServersOutboundFirewallRule`. */
export interface ServersOutboundFirewallRuleProps extends KindProps<'sql.azure.com/ServersOutboundFirewallRule'> {}

/**
 * Microsoft.Sql/servers/outboundFirewallRules, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersOutboundFirewallRule extends AzureResource<'sql.azure.com/ServersOutboundFirewallRule'> {
  constructor(scope: Construct, id: string, props: ServersOutboundFirewallRuleProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersOutboundFirewallRule' });
  }
}

/** Properties of `ServersSecurityAlertPolicy`. */
export interface ServersSecurityAlertPolicyProps extends KindProps<'sql.azure.com/ServersSecurityAlertPolicy'> {}

/**
 * Microsoft.Sql/servers/securityAlertPolicies, in a Server.
 * Its name in Azure is `Default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersSecurityAlertPolicy extends AzureResource<'sql.azure.com/ServersSecurityAlertPolicy'> {
  constructor(scope: Construct, id: string, props: ServersSecurityAlertPolicyProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersSecurityAlertPolicy' });
  }
}

/** Properties of `ServersVirtualNetworkRule`. */
export interface ServersVirtualNetworkRuleProps extends KindProps<'sql.azure.com/ServersVirtualNetworkRule'> {}

/**
 * Microsoft.Sql/servers/virtualNetworkRules, in a Server.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersVirtualNetworkRule extends AzureResource<'sql.azure.com/ServersVirtualNetworkRule'> {
  constructor(scope: Construct, id: string, props: ServersVirtualNetworkRuleProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersVirtualNetworkRule' });
  }
}

/** Properties of `ServersVulnerabilityAssessment`. */
export interface ServersVulnerabilityAssessmentProps extends KindProps<'sql.azure.com/ServersVulnerabilityAssessment'> {}

/**
 * Microsoft.Sql/servers/vulnerabilityAssessments, in a Server.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-01-01, 2021-11-01.
 */
export class ServersVulnerabilityAssessment extends AzureResource<'sql.azure.com/ServersVulnerabilityAssessment'> {
  constructor(scope: Construct, id: string, props: ServersVulnerabilityAssessmentProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/ServersVulnerabilityAssessment' });
  }
}

/** Properties of `User`. */
export interface UserProps extends KindProps<'sql.azure.com/User'> {}

/**
 * A contained user of an Azure SQL database, in a ServersDatabase.
 */
export class User extends AzureResource<'sql.azure.com/User'> {
  constructor(scope: Construct, id: string, props: UserProps) {
    super(scope, id, { ...props, kind: 'sql.azure.com/User' });
  }
}
