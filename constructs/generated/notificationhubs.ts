// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Namespace`. */
export interface NamespaceProps extends KindProps<'notificationhubs.azure.com/Namespace'> {}

/**
 * Microsoft.NotificationHubs/namespaces, in a ResourceGroup.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`, `serviceBusEndpoint`.
 * Versions of Azure's API: 2023-09-01.
 */
export class Namespace extends AzureResource<'notificationhubs.azure.com/Namespace'> {
  constructor(scope: Construct, id: string, props: NamespaceProps) {
    super(scope, id, { ...props, kind: 'notificationhubs.azure.com/Namespace' });
  }
}

/** Properties of `NamespacesAuthorizationRule`. */
export interface NamespacesAuthorizationRuleProps extends KindProps<'notificationhubs.azure.com/NamespacesAuthorizationRule'> {}

/**
 * Microsoft.NotificationHubs/namespaces/authorizationRules, in a Namespace.
 * Versions of Azure's API: 2023-09-01.
 */
export class NamespacesAuthorizationRule extends AzureResource<'notificationhubs.azure.com/NamespacesAuthorizationRule'> {
  constructor(scope: Construct, id: string, props: NamespacesAuthorizationRuleProps) {
    super(scope, id, { ...props, kind: 'notificationhubs.azure.com/NamespacesAuthorizationRule' });
  }
}

/** Properties of `NotificationHub`. */
export interface NotificationHubProps extends KindProps<'notificationhubs.azure.com/NotificationHub'> {}

/**
 * Microsoft.NotificationHubs/namespaces/notificationHubs, in a Namespace.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2023-09-01.
 */
export class NotificationHub extends AzureResource<'notificationhubs.azure.com/NotificationHub'> {
  constructor(scope: Construct, id: string, props: NotificationHubProps) {
    super(scope, id, { ...props, kind: 'notificationhubs.azure.com/NotificationHub' });
  }
}

/** Properties of `NotificationHubsAuthorizationRule`. */
export interface NotificationHubsAuthorizationRuleProps extends KindProps<'notificationhubs.azure.com/NotificationHubsAuthorizationRule'> {}

/**
 * Microsoft.NotificationHubs/namespaces/notificationHubs/authorizationRules, in a NotificationHub.
 * Versions of Azure's API: 2023-09-01.
 */
export class NotificationHubsAuthorizationRule extends AzureResource<'notificationhubs.azure.com/NotificationHubsAuthorizationRule'> {
  constructor(scope: Construct, id: string, props: NotificationHubsAuthorizationRuleProps) {
    super(scope, id, { ...props, kind: 'notificationhubs.azure.com/NotificationHubsAuthorizationRule' });
  }
}
