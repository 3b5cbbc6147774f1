// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsBlobServiceSpec {
  /** @default Azure's own value */
  automaticSnapshotPolicyEnabled?: boolean;
  /** @default Azure's own value */
  changeFeed?: {
    enabled?: boolean;
    /**
     * 1 to 146000.
     * @default Azure's own value
     */
    retentionInDays?: number;
  };
  /** @default Azure's own value */
  containerDeleteRetentionPolicy?: {
    allowPermanentDelete?: boolean;
    /**
     * 1 to 365.
     * @default Azure's own value
     */
    days?: number;
    enabled?: boolean;
  };
  /** @default Azure's own value */
  cors?: {
    /** @default sent as null */
    corsRules?: ({
      allowedHeaders: string[];
      allowedMethods: ('CONNECT' | 'DELETE' | 'GET' | 'HEAD' | 'MERGE' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT' | 'TRACE')[];
      allowedOrigins: string[];
      exposedHeaders: string[];
      maxAgeInSeconds: number;
    })[];
  };
  /** @default Azure's own value */
  defaultServiceVersion?: string;
  /** @default Azure's own value */
  deleteRetentionPolicy?: {
    allowPermanentDelete?: boolean;
    /**
     * 1 to 365.
     * @default Azure's own value
     */
    days?: number;
    enabled?: boolean;
  };
  /** @default Azure's own value */
  isVersioningEnabled?: boolean;
  /** @default Azure's own value */
  lastAccessTimeTrackingPolicy?: {
    /** @default sent as null */
    blobType?: string[];
    enable: boolean;
    /**
     * Always `AccessTimeTracking`.
     * @default Azure's own value
     */
    name?: 'AccessTimeTracking';
    trackingGranularityInDays?: number;
  };
  /** @default Azure's own value */
  restorePolicy?: {
    /**
     * 1 to 365.
     * @default Azure's own value
     */
    days?: number;
    enabled: boolean;
  };
  /** The StorageAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsBlobService {
  spec: StorageAccountsBlobServiceSpec;
  status?: ArmStatus;
}
