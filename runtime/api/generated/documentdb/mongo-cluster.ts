// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface MongoClusterSpec {
  /**
   * Name in Azure. 3 to 40 characters. Pattern: `^[a-z0-9]+(-[a-z0-9]+)*`.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    administrator?: {
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      password?: SecretKeyReference;
      userName?: string;
    };
    /** @default Azure's own value */
    compute?: {
      tier?: string;
    };
    /** @default Azure's own value */
    createMode?: 'Default' | 'GeoReplica' | 'PointInTimeRestore' | 'Replica';
    /** @default Azure's own value */
    highAvailability?: {
      targetMode?: 'Disabled' | 'SameZone' | 'ZoneRedundantPreferred';
    };
    /** @default Azure's own value */
    previewFeatures?: ('GeoReplicas')[];
    /** @default Azure's own value */
    publicNetworkAccess?: 'Disabled' | 'Enabled';
    /** @default Azure's own value */
    replicaParameters?: {
      sourceLocation: string;
      /** By construct or ARM id: MongoCluster. */
      sourceResourceReference: ArmReference<'documentdb.azure.com/MongoCluster'>;
    };
    /** @default Azure's own value */
    restoreParameters?: {
      pointInTimeUTC?: string;
      /**
       * By construct or ARM id: MongoCluster.
       * @default Azure's own value
       */
      sourceResourceReference?: ArmReference<'documentdb.azure.com/MongoCluster'>;
    };
    /** @default Azure's own value */
    serverVersion?: string;
    /** @default Azure's own value */
    sharding?: {
      shardCount?: number;
    };
    /** @default Azure's own value */
    storage?: {
      sizeGb?: number;
    };
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MongoCluster {
  spec: MongoClusterSpec;
  status?: ArmStatus;
}
