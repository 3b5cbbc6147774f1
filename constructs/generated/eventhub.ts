// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';
import { grants } from '../resources/built-in-roles.ts';
import { type Grantee, grantRole, type RoleGrant } from '../resources/grant.ts';

/** Properties of `Namespace`. */
export interface NamespaceProps extends KindProps<'eventhub.azure.com/Namespace'> {}

/**
 * Microsoft.EventHub/namespaces, in a ResourceGroup.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-01-01, 2021-11-01.
 */
export class Namespace extends AzureResource<'eventhub.azure.com/Namespace'> {
  constructor(scope: Construct, id: string, props: NamespaceProps) {
    super(scope, id, { ...props, kind: 'eventhub.azure.com/Namespace' });
  }

  /** Lets an identity receive events: the role Azure Event Hubs Data Receiver on this resource. */
  grantReceive(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['eventhub.azure.com/Namespace'].grantReceive);
  }

  /** Lets an identity send events: the role Azure Event Hubs Data Sender on this resource. */
  grantSend(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['eventhub.azure.com/Namespace'].grantSend);
  }
}

/** Properties of `NamespacesAuthorizationRule`. */
export interface NamespacesAuthorizationRuleProps extends KindProps<'eventhub.azure.com/NamespacesAuthorizationRule'> {}

/**
 * Microsoft.EventHub/namespaces/authorizationRules, in a Namespace.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-01-01, 2021-11-01.
 */
export class NamespacesAuthorizationRule extends AzureResource<'eventhub.azure.com/NamespacesAuthorizationRule'> {
  constructor(scope: Construct, id: string, props: NamespacesAuthorizationRuleProps) {
    super(scope, id, { ...props, kind: 'eventhub.azure.com/NamespacesAuthorizationRule' });
  }
}

/** Properties of `NamespacesEventhub`. */
export interface NamespacesEventhubProps extends KindProps<'eventhub.azure.com/NamespacesEventhub'> {}

/**
 * Microsoft.EventHub/namespaces/eventhubs, in a Namespace.
 * Versions of Azure's API: 2024-01-01, 2021-11-01.
 */
export class NamespacesEventhub extends AzureResource<'eventhub.azure.com/NamespacesEventhub'> {
  constructor(scope: Construct, id: string, props: NamespacesEventhubProps) {
    super(scope, id, { ...props, kind: 'eventhub.azure.com/NamespacesEventhub' });
  }
}

/** Properties of `NamespacesEventhubsAuthorizationRule`. */
export interface NamespacesEventhubsAuthorizationRuleProps extends KindProps<'eventhub.azure.com/NamespacesEventhubsAuthorizationRule'> {}

/**
 * Microsoft.EventHub/namespaces/eventhubs/authorizationRules, in a NamespacesEventhub.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-01-01, 2021-11-01.
 */
export class NamespacesEventhubsAuthorizationRule extends AzureResource<'eventhub.azure.com/NamespacesEventhubsAuthorizationRule'> {
  constructor(scope: Construct, id: string, props: NamespacesEventhubsAuthorizationRuleProps) {
    super(scope, id, { ...props, kind: 'eventhub.azure.com/NamespacesEventhubsAuthorizationRule' });
  }
}

/** Properties of `NamespacesEventhubsConsumerGroup`. */
export interface NamespacesEventhubsConsumerGroupProps extends KindProps<'eventhub.azure.com/NamespacesEventhubsConsumerGroup'> {}

/**
 * Microsoft.EventHub/namespaces/eventhubs/consumergroups, in a NamespacesEventhub.
 * Versions of Azure's API: 2024-01-01, 2021-11-01.
 */
export class NamespacesEventhubsConsumerGroup extends AzureResource<'eventhub.azure.com/NamespacesEventhubsConsumerGroup'> {
  constructor(scope: Construct, id: string, props: NamespacesEventhubsConsumerGroupProps) {
    super(scope, id, { ...props, kind: 'eventhub.azure.com/NamespacesEventhubsConsumerGroup' });
  }
}
