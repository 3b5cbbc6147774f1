// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `ConfigurationStore`. */
export interface ConfigurationStoreProps extends KindProps<'appconfiguration.azure.com/ConfigurationStore'> {}

/**
 * Microsoft.AppConfiguration/configurationStores, in a ResourceGroup.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `primaryKeyID`, `primaryReadOnlyConnectionString`, `primaryReadOnlyKey`, `primaryReadOnlyKeyID`, `secondaryConnectionString`, `secondaryKey`, `secondaryKeyID`, `secondaryReadOnlyConnectionString`, `secondaryReadOnlyKey`, `secondaryReadOnlyKeyID`.
 * Versions of Azure's API: 2024-06-01, 2022-05-01.
 */
export class ConfigurationStore extends AzureResource<'appconfiguration.azure.com/ConfigurationStore'> {
  constructor(scope: Construct, id: string, props: ConfigurationStoreProps) {
    super(scope, id, { ...props, kind: 'appconfiguration.azure.com/ConfigurationStore' });
  }
}

/** Properties of `KeyValue`. */
export interface KeyValueProps extends KindProps<'appconfiguration.azure.com/KeyValue'> {}

/**
 * Microsoft.AppConfiguration/configurationStores/keyValues, in a ConfigurationStore.
 * Versions of Azure's API: 2024-06-01.
 */
export class KeyValue extends AzureResource<'appconfiguration.azure.com/KeyValue'> {
  constructor(scope: Construct, id: string, props: KeyValueProps) {
    super(scope, id, { ...props, kind: 'appconfiguration.azure.com/KeyValue' });
  }
}

/** Properties of `Replica`. */
export interface ReplicaProps extends KindProps<'appconfiguration.azure.com/Replica'> {}

/**
 * Microsoft.AppConfiguration/configurationStores/replicas, in a ConfigurationStore.
 * Versions of Azure's API: 2024-06-01.
 */
export class Replica extends AzureResource<'appconfiguration.azure.com/Replica'> {
  constructor(scope: Construct, id: string, props: ReplicaProps) {
    super(scope, id, { ...props, kind: 'appconfiguration.azure.com/Replica' });
  }
}

/** Properties of `Snapshot`. */
export interface SnapshotProps extends KindProps<'appconfiguration.azure.com/Snapshot'> {}

/**
 * Microsoft.AppConfiguration/configurationStores/snapshots, in a ConfigurationStore.
 * Versions of Azure's API: 2024-06-01.
 */
export class Snapshot extends AzureResource<'appconfiguration.azure.com/Snapshot'> {
  constructor(scope: Construct, id: string, props: SnapshotProps) {
    super(scope, id, { ...props, kind: 'appconfiguration.azure.com/Snapshot' });
  }
}
