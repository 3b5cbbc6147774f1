// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `AfdCustomDomain`. */
export interface AfdCustomDomainProps extends KindProps<'cdn.azure.com/AfdCustomDomain'> {}

/**
 * Microsoft.Cdn/profiles/customDomains, in a Profile.
 * Versions of Azure's API: 2023-05-01.
 */
export class AfdCustomDomain extends AzureResource<'cdn.azure.com/AfdCustomDomain'> {
  constructor(scope: Construct, id: string, props: AfdCustomDomainProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/AfdCustomDomain' });
  }
}

/** Properties of `AfdEndpoint`. */
export interface AfdEndpointProps extends KindProps<'cdn.azure.com/AfdEndpoint'> {}

/**
 * Microsoft.Cdn/profiles/afdEndpoints, in a Profile.
 * Versions of Azure's API: 2023-05-01.
 */
export class AfdEndpoint extends AzureResource<'cdn.azure.com/AfdEndpoint'> {
  constructor(scope: Construct, id: string, props: AfdEndpointProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/AfdEndpoint' });
  }
}

/** Properties of `AfdOrigin`. */
export interface AfdOriginProps extends KindProps<'cdn.azure.com/AfdOrigin'> {}

/**
 * Microsoft.Cdn/profiles/originGroups/origins, in a AfdOriginGroup.
 * Versions of Azure's API: 2023-05-01.
 */
export class AfdOrigin extends AzureResource<'cdn.azure.com/AfdOrigin'> {
  constructor(scope: Construct, id: string, props: AfdOriginProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/AfdOrigin' });
  }
}

/** Properties of `AfdOriginGroup`. */
export interface AfdOriginGroupProps extends KindProps<'cdn.azure.com/AfdOriginGroup'> {}

/**
 * Microsoft.Cdn/profiles/originGroups, in a Profile.
 * Versions of Azure's API: 2023-05-01.
 */
export class AfdOriginGroup extends AzureResource<'cdn.azure.com/AfdOriginGroup'> {
  constructor(scope: Construct, id: string, props: AfdOriginGroupProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/AfdOriginGroup' });
  }
}

/** Properties of `Profile`. */
export interface ProfileProps extends KindProps<'cdn.azure.com/Profile'> {}

/**
 * Microsoft.Cdn/profiles, in a ResourceGroup.
 * Versions of Azure's API: 2023-05-01, 2021-06-01.
 */
export class Profile extends AzureResource<'cdn.azure.com/Profile'> {
  constructor(scope: Construct, id: string, props: ProfileProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/Profile' });
  }
}

/** Properties of `ProfilesEndpoint`. */
export interface ProfilesEndpointProps extends KindProps<'cdn.azure.com/ProfilesEndpoint'> {}

/**
 * Microsoft.Cdn/profiles/endpoints, in a Profile.
 * Versions of Azure's API: 2021-06-01.
 */
export class ProfilesEndpoint extends AzureResource<'cdn.azure.com/ProfilesEndpoint'> {
  constructor(scope: Construct, id: string, props: ProfilesEndpointProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/ProfilesEndpoint' });
  }
}

/** Properties of `Route`. */
export interface RouteProps extends KindProps<'cdn.azure.com/Route'> {}

/**
 * Microsoft.Cdn/profiles/afdEndpoints/routes, in a AfdEndpoint.
 * Versions of Azure's API: 2023-05-01.
 */
export class Route extends AzureResource<'cdn.azure.com/Route'> {
  constructor(scope: Construct, id: string, props: RouteProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/Route' });
  }
}

/** Properties of `Rule`. */
export interface RuleProps extends KindProps<'cdn.azure.com/Rule'> {}

/**
 * Microsoft.Cdn/profiles/ruleSets/rules, in a RuleSet.
 * Versions of Azure's API: 2023-05-01.
 */
export class Rule extends AzureResource<'cdn.azure.com/Rule'> {
  constructor(scope: Construct, id: string, props: RuleProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/Rule' });
  }
}

/** Properties of `RuleSet`. */
export interface RuleSetProps extends KindProps<'cdn.azure.com/RuleSet'> {}

/**
 * Microsoft.Cdn/profiles/ruleSets, in a Profile.
 * Versions of Azure's API: 2023-05-01.
 */
export class RuleSet extends AzureResource<'cdn.azure.com/RuleSet'> {
  constructor(scope: Construct, id: string, props: RuleSetProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/RuleSet' });
  }
}

/** Properties of `Secret`. */
export interface SecretProps extends KindProps<'cdn.azure.com/Secret'> {}

/**
 * Microsoft.Cdn/profiles/secrets, in a Profile.
 * Versions of Azure's API: 2023-05-01.
 */
export class Secret extends AzureResource<'cdn.azure.com/Secret'> {
  constructor(scope: Construct, id: string, props: SecretProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/Secret' });
  }
}

/** Properties of `SecurityPolicy`. */
export interface SecurityPolicyProps extends KindProps<'cdn.azure.com/SecurityPolicy'> {}

/**
 * Microsoft.Cdn/profiles/securityPolicies, in a Profile.
 * Versions of Azure's API: 2023-05-01.
 */
export class SecurityPolicy extends AzureResource<'cdn.azure.com/SecurityPolicy'> {
  constructor(scope: Construct, id: string, props: SecurityPolicyProps) {
    super(scope, id, { ...props, kind: 'cdn.azure.com/SecurityPolicy' });
  }
}
