// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';
import { grants } from '../resources/built-in-roles.ts';
import { type Grantee, grantRole, type RoleGrant } from '../resources/grant.ts';

/** Properties of `Namespace`. */
export interface NamespaceProps extends KindProps<'servicebus.azure.com/Namespace'> {}

/**
 * Microsoft.ServiceBus/namespaces, in a ResourceGroup.
 * `export()` gives `endpoint`, `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-01-01, 2022-10-01-preview, 2021-11-01, 2021-01-01-preview.
 */
export class Namespace extends AzureResource<'servicebus.azure.com/Namespace'> {
  constructor(scope: Construct, id: string, props: NamespaceProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/Namespace' });
  }

  /** Lets an identity receive messages: the role Azure Service Bus Data Receiver on this resource. */
  grantReceive(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['servicebus.azure.com/Namespace'].grantReceive);
  }

  /** Lets an identity send messages: the role Azure Service Bus Data Sender on this resource. */
  grantSend(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['servicebus.azure.com/Namespace'].grantSend);
  }
}

/** Properties of `NamespacesAuthorizationRule`. */
export interface NamespacesAuthorizationRuleProps extends KindProps<'servicebus.azure.com/NamespacesAuthorizationRule'> {}

/**
 * Microsoft.ServiceBus/namespaces/AuthorizationRules, in a Namespace.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-01-01, 2022-10-01-preview, 2021-11-01, 2021-01-01-preview.
 */
export class NamespacesAuthorizationRule extends AzureResource<'servicebus.azure.com/NamespacesAuthorizationRule'> {
  constructor(scope: Construct, id: string, props: NamespacesAuthorizationRuleProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/NamespacesAuthorizationRule' });
  }
}

/** Properties of `NamespacesQueue`. */
export interface NamespacesQueueProps extends KindProps<'servicebus.azure.com/NamespacesQueue'> {}

/**
 * Microsoft.ServiceBus/namespaces/queues, in a Namespace.
 * Versions of Azure's API: 2024-01-01, 2022-10-01-preview, 2021-11-01, 2021-01-01-preview.
 */
export class NamespacesQueue extends AzureResource<'servicebus.azure.com/NamespacesQueue'> {
  constructor(scope: Construct, id: string, props: NamespacesQueueProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/NamespacesQueue' });
  }
}

/** Properties of `NamespacesTopic`. */
export interface NamespacesTopicProps extends KindProps<'servicebus.azure.com/NamespacesTopic'> {}

/**
 * Microsoft.ServiceBus/namespaces/topics, in a Namespace.
 * Versions of Azure's API: 2024-01-01, 2022-10-01-preview, 2021-11-01, 2021-01-01-preview.
 */
export class NamespacesTopic extends AzureResource<'servicebus.azure.com/NamespacesTopic'> {
  constructor(scope: Construct, id: string, props: NamespacesTopicProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/NamespacesTopic' });
  }
}

/** Properties of `NamespacesTopicsSubscription`. */
export interface NamespacesTopicsSubscriptionProps extends KindProps<'servicebus.azure.com/NamespacesTopicsSubscription'> {}

/**
 * Microsoft.ServiceBus/namespaces/topics/subscriptions, in a NamespacesTopic.
 * Versions of Azure's API: 2024-01-01, 2022-10-01-preview, 2021-11-01, 2021-01-01-preview.
 */
export class NamespacesTopicsSubscription extends AzureResource<'servicebus.azure.com/NamespacesTopicsSubscription'> {
  constructor(scope: Construct, id: string, props: NamespacesTopicsSubscriptionProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/NamespacesTopicsSubscription' });
  }
}

/** Properties of `NamespacesTopicsSubscriptionsRule`. */
export interface NamespacesTopicsSubscriptionsRuleProps extends KindProps<'servicebus.azure.com/NamespacesTopicsSubscriptionsRule'> {}

/**
 * Microsoft.ServiceBus/namespaces/topics/subscriptions/rules, in a NamespacesTopicsSubscription.
 * Versions of Azure's API: 2024-01-01, 2022-10-01-preview, 2021-11-01, 2021-01-01-preview.
 */
export class NamespacesTopicsSubscriptionsRule extends AzureResource<'servicebus.azure.com/NamespacesTopicsSubscriptionsRule'> {
  constructor(scope: Construct, id: string, props: NamespacesTopicsSubscriptionsRuleProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/NamespacesTopicsSubscriptionsRule' });
  }
}

/** Properties of `TopicAuthorizationRule`. */
export interface TopicAuthorizationRuleProps extends KindProps<'servicebus.azure.com/TopicAuthorizationRule'> {}

/**
 * Microsoft.ServiceBus/namespaces/topics/authorizationRules, in a NamespacesTopic.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-01-01.
 */
export class TopicAuthorizationRule extends AzureResource<'servicebus.azure.com/TopicAuthorizationRule'> {
  constructor(scope: Construct, id: string, props: TopicAuthorizationRuleProps) {
    super(scope, id, { ...props, kind: 'servicebus.azure.com/TopicAuthorizationRule' });
  }
}
