// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Domain`. */
export interface DomainProps extends KindProps<'eventgrid.azure.com/Domain'> {}

/**
 * Microsoft.EventGrid/domains, in a ResourceGroup.
 * Versions of Azure's API: 2020-06-01.
 */
export class Domain extends AzureResource<'eventgrid.azure.com/Domain'> {
  constructor(scope: Construct, id: string, props: DomainProps) {
    super(scope, id, { ...props, kind: 'eventgrid.azure.com/Domain' });
  }
}

/** Properties of `DomainsTopic`. */
export interface DomainsTopicProps extends KindProps<'eventgrid.azure.com/DomainsTopic'> {}

/**
 * Microsoft.EventGrid/domains/topics, in a Domain.
 * Versions of Azure's API: 2020-06-01.
 */
export class DomainsTopic extends AzureResource<'eventgrid.azure.com/DomainsTopic'> {
  constructor(scope: Construct, id: string, props: DomainsTopicProps) {
    super(scope, id, { ...props, kind: 'eventgrid.azure.com/DomainsTopic' });
  }
}

/** Properties of `EventSubscription`. */
export interface EventSubscriptionProps extends KindProps<'eventgrid.azure.com/EventSubscription'> {}

/**
 * Microsoft.EventGrid/eventSubscriptions, on any Azure resource.
 * Versions of Azure's API: 2020-06-01.
 */
export class EventSubscription extends AzureResource<'eventgrid.azure.com/EventSubscription'> {
  constructor(scope: Construct, id: string, props: EventSubscriptionProps) {
    super(scope, id, { ...props, kind: 'eventgrid.azure.com/EventSubscription' });
  }
}

/** Properties of `Topic`. */
export interface TopicProps extends KindProps<'eventgrid.azure.com/Topic'> {}

/**
 * Microsoft.EventGrid/topics, in a ResourceGroup.
 * `export()` gives `endpoint`, `key1`, `key2`.
 * Versions of Azure's API: 2020-06-01.
 */
export class Topic extends AzureResource<'eventgrid.azure.com/Topic'> {
  constructor(scope: Construct, id: string, props: TopicProps) {
    super(scope, id, { ...props, kind: 'eventgrid.azure.com/Topic' });
  }
}
