// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `SharedPrivateLink`. */
export interface SharedPrivateLinkProps extends KindProps<'databasewatcher.azure.com/SharedPrivateLink'> {}

/**
 * Microsoft.DatabaseWatcher/watchers/sharedPrivateLinkResources, in a Watcher.
 * Versions of Azure's API: 2024-10-01-preview.
 */
export class SharedPrivateLink extends AzureResource<'databasewatcher.azure.com/SharedPrivateLink'> {
  constructor(scope: Construct, id: string, props: SharedPrivateLinkProps) {
    super(scope, id, { ...props, kind: 'databasewatcher.azure.com/SharedPrivateLink' });
  }
}

/** Properties of `Target`. */
export interface TargetProps extends KindProps<'databasewatcher.azure.com/Target'> {}

/**
 * Microsoft.DatabaseWatcher/watchers/targets, in a Watcher.
 * Versions of Azure's API: 2024-10-01-preview.
 */
export class Target extends AzureResource<'databasewatcher.azure.com/Target'> {
  constructor(scope: Construct, id: string, props: TargetProps) {
    super(scope, id, { ...props, kind: 'databasewatcher.azure.com/Target' });
  }
}

/** Properties of `Watcher`. */
export interface WatcherProps extends KindProps<'databasewatcher.azure.com/Watcher'> {}

/**
 * Microsoft.DatabaseWatcher/watchers, in a ResourceGroup.
 * Versions of Azure's API: 2024-10-01-preview.
 */
export class Watcher extends AzureResource<'databasewatcher.azure.com/Watcher'> {
  constructor(scope: Construct, id: string, props: WatcherProps) {
    super(scope, id, { ...props, kind: 'databasewatcher.azure.com/Watcher' });
  }
}
