// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Redis`. */
export interface RedisProps extends KindProps<'cache.azure.com/Redis'> {}

/**
 * Microsoft.Cache/redis, in a ResourceGroup.
 * `export()` gives `hostName`, `port`, `primaryKey`, `secondaryKey`, `sslPort`.
 * Versions of Azure's API: 2024-11-01, 2023-08-01, 2023-04-01, 2020-12-01.
 */
export class Redis extends AzureResource<'cache.azure.com/Redis'> {
  constructor(scope: Construct, id: string, props: RedisProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/Redis' });
  }
}

/** Properties of `RedisAccessPolicy`. */
export interface RedisAccessPolicyProps extends KindProps<'cache.azure.com/RedisAccessPolicy'> {}

/**
 * Microsoft.Cache/redis/accessPolicies, in a Redis.
 * Versions of Azure's API: 2024-11-01.
 */
export class RedisAccessPolicy extends AzureResource<'cache.azure.com/RedisAccessPolicy'> {
  constructor(scope: Construct, id: string, props: RedisAccessPolicyProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisAccessPolicy' });
  }
}

/** Properties of `RedisAccessPolicyAssignment`. */
export interface RedisAccessPolicyAssignmentProps extends KindProps<'cache.azure.com/RedisAccessPolicyAssignment'> {}

/**
 * Microsoft.Cache/redis/accessPolicyAssignments, in a Redis.
 * Versions of Azure's API: 2024-11-01.
 */
export class RedisAccessPolicyAssignment extends AzureResource<'cache.azure.com/RedisAccessPolicyAssignment'> {
  constructor(scope: Construct, id: string, props: RedisAccessPolicyAssignmentProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisAccessPolicyAssignment' });
  }
}

/** Properties of `RedisEnterprise`. */
export interface RedisEnterpriseProps extends KindProps<'cache.azure.com/RedisEnterprise'> {}

/**
 * Microsoft.Cache/redisEnterprise, in a ResourceGroup.
 * Versions of Azure's API: 2025-07-01, 2025-04-01, 2023-07-01, 2021-03-01.
 */
export class RedisEnterprise extends AzureResource<'cache.azure.com/RedisEnterprise'> {
  constructor(scope: Construct, id: string, props: RedisEnterpriseProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisEnterprise' });
  }
}

/** Properties of `RedisEnterpriseDatabase`. */
export interface RedisEnterpriseDatabaseProps extends KindProps<'cache.azure.com/RedisEnterpriseDatabase'> {}

/**
 * Microsoft.Cache/redisEnterprise/databases, in a RedisEnterprise.
 * `export()` gives `primaryKey`, `secondaryKey`.
 * Versions of Azure's API: 2025-07-01, 2025-04-01, 2023-07-01, 2021-03-01.
 */
export class RedisEnterpriseDatabase extends AzureResource<'cache.azure.com/RedisEnterpriseDatabase'> {
  constructor(scope: Construct, id: string, props: RedisEnterpriseDatabaseProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisEnterpriseDatabase' });
  }
}

/** Properties of `RedisEnterpriseDatabaseAccessPolicyAssignment`. */
export interface RedisEnterpriseDatabaseAccessPolicyAssignmentProps extends KindProps<'cache.azure.com/RedisEnterpriseDatabaseAccessPolicyAssignment'> {}

/**
 * Microsoft.Cache/redisEnterprise/databases/accessPolicyAssignments, in a RedisEnterpriseDatabase.
 * Versions of Azure's API: 2025-07-01, 2025-04-01.
 */
export class RedisEnterpriseDatabaseAccessPolicyAssignment extends AzureResource<'cache.azure.com/RedisEnterpriseDatabaseAccessPolicyAssignment'> {
  constructor(scope: Construct, id: string, props: RedisEnterpriseDatabaseAccessPolicyAssignmentProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisEnterpriseDatabaseAccessPolicyAssignment' });
  }
}

/** Properties of `RedisFirewallRule`. */
export interface RedisFirewallRuleProps extends KindProps<'cache.azure.com/RedisFirewallRule'> {}

/**
 * Microsoft.Cache/redis/firewallRules, in a Redis.
 * Versions of Azure's API: 2024-11-01, 2023-08-01, 2023-04-01, 2020-12-01.
 */
export class RedisFirewallRule extends AzureResource<'cache.azure.com/RedisFirewallRule'> {
  constructor(scope: Construct, id: string, props: RedisFirewallRuleProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisFirewallRule' });
  }
}

/** Properties of `RedisLinkedServer`. */
export interface RedisLinkedServerProps extends KindProps<'cache.azure.com/RedisLinkedServer'> {}

/**
 * Microsoft.Cache/redis/linkedServers, in a Redis.
 * Versions of Azure's API: 2024-11-01, 2023-08-01, 2023-04-01, 2020-12-01.
 */
export class RedisLinkedServer extends AzureResource<'cache.azure.com/RedisLinkedServer'> {
  constructor(scope: Construct, id: string, props: RedisLinkedServerProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisLinkedServer' });
  }
}

/** Properties of `RedisPatchSchedule`. */
export interface RedisPatchScheduleProps extends KindProps<'cache.azure.com/RedisPatchSchedule'> {}

/**
 * Microsoft.Cache/redis/patchSchedules, in a Redis.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2024-11-01, 2023-08-01, 2023-04-01, 2020-12-01.
 */
export class RedisPatchSchedule extends AzureResource<'cache.azure.com/RedisPatchSchedule'> {
  constructor(scope: Construct, id: string, props: RedisPatchScheduleProps) {
    super(scope, id, { ...props, kind: 'cache.azure.com/RedisPatchSchedule' });
  }
}
