// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface MongodbDatabaseCollectionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  options?: {
    autoscaleSettings?: {
      maxThroughput?: number;
    };
    throughput?: number;
  };
  resource: {
    analyticalStorageTtl?: number;
    createMode?: 'Default' | 'Restore';
    id: string;
    indexes?: ({
      key?: {
        keys?: string[];
      };
      options?: {
        expireAfterSeconds?: number;
        unique?: boolean;
      };
    })[];
    restoreParameters?: {
      restoreSource?: string;
      restoreTimestampInUtc?: string;
      restoreWithTtlDisabled?: boolean;
    };
    shardKey?: Record<string, string>;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The MongodbDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/MongodbDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MongodbDatabaseCollection {
  spec: MongodbDatabaseCollectionSpec;
  status?: ArmStatus;
}
