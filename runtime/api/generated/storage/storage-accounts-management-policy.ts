// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsManagementPolicySpec {
  policy: {
    rules: ({
      definition: {
        actions: {
          baseBlob?: {
            delete?: {
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterCreationGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastAccessTimeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterModificationGreaterThan?: number;
            };
            enableAutoTierToHotFromCool?: boolean;
            tierToArchive?: {
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterCreationGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastAccessTimeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterModificationGreaterThan?: number;
            };
            tierToCold?: {
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterCreationGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastAccessTimeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterModificationGreaterThan?: number;
            };
            tierToCool?: {
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterCreationGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastAccessTimeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterModificationGreaterThan?: number;
            };
            tierToHot?: {
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterCreationGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastAccessTimeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterModificationGreaterThan?: number;
            };
          };
          snapshot?: {
            delete?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToArchive?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCold?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCool?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToHot?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
          };
          version?: {
            delete?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToArchive?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCold?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToCool?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
            tierToHot?: {
              /** At least 0. */
              daysAfterCreationGreaterThan: number;
              /**
               * At least 0.
               * @default Azure's own value
               */
              daysAfterLastTierChangeGreaterThan?: number;
            };
          };
        };
        filters?: {
          /** @default sent as null */
          blobIndexMatch?: ({
            /** 1 to 128 characters. */
            name: string;
            op: string;
            /** 0 to 256 characters. */
            value: string;
          })[];
          blobTypes: string[];
          /** @default sent as null */
          prefixMatch?: string[];
        };
      };
      enabled?: boolean;
      name: string;
      /** Always `Lifecycle`. */
      type: 'Lifecycle';
    })[];
  };
  /** The StorageAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsManagementPolicy {
  spec: StorageAccountsManagementPolicySpec;
  status?: ArmStatus;
}
