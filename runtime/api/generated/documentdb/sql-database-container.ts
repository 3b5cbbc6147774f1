// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SqlDatabaseContainerSpec {
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
    clientEncryptionPolicy?: {
      includedPaths: ({
        clientEncryptionKeyId: string;
        encryptionAlgorithm: string;
        encryptionType: string;
        path: string;
      })[];
      /** 1 to 2. */
      policyFormatVersion: number;
    };
    computedProperties?: ({
      name?: string;
      query?: string;
    })[];
    conflictResolutionPolicy?: {
      conflictResolutionPath?: string;
      conflictResolutionProcedure?: string;
      mode?: 'Custom' | 'LastWriterWins';
    };
    createMode?: 'Default' | 'Restore';
    defaultTtl?: number;
    id: string;
    indexingPolicy?: {
      automatic?: boolean;
      compositeIndexes?: (({
        order?: 'ascending' | 'descending';
        path?: string;
      })[])[];
      excludedPaths?: ({
        path?: string;
      })[];
      includedPaths?: ({
        indexes?: ({
          dataType?: 'LineString' | 'MultiPolygon' | 'Number' | 'Point' | 'Polygon' | 'String';
          kind?: 'Hash' | 'Range' | 'Spatial';
          precision?: number;
        })[];
        path?: string;
      })[];
      indexingMode?: 'consistent' | 'lazy' | 'none';
      spatialIndexes?: ({
        path?: string;
        types?: ('LineString' | 'MultiPolygon' | 'Point' | 'Polygon')[];
      })[];
    };
    partitionKey?: {
      kind?: 'Hash' | 'MultiHash' | 'Range';
      paths?: string[];
      /**
       * 1 to 2.
       * @default Azure's own value
       */
      version?: number;
    };
    restoreParameters?: {
      restoreSource?: string;
      restoreTimestampInUtc?: string;
      restoreWithTtlDisabled?: boolean;
    };
    uniqueKeyPolicy?: {
      uniqueKeys?: ({
        paths?: string[];
      })[];
    };
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The SqlDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/SqlDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SqlDatabaseContainer {
  spec: SqlDatabaseContainerSpec;
  status?: ArmStatus;
}
