// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsFileServicesShareSpec {
  /**
   * Name in Azure. 3 to 63 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  accessTier?: 'Cool' | 'Hot' | 'Premium' | 'TransactionOptimized';
  /** @default Azure's own value */
  enabledProtocols?: 'NFS' | 'SMB';
  /** @default Azure's own value */
  fileSharePaidBursting?: {
    paidBurstingEnabled?: boolean;
    paidBurstingMaxBandwidthMibps?: number;
    paidBurstingMaxIops?: number;
  };
  /** @default sent as null */
  metadata?: Record<string, string>;
  /** @default Azure's own value */
  provisionedBandwidthMibps?: number;
  /** @default Azure's own value */
  provisionedIops?: number;
  /** @default Azure's own value */
  rootSquash?: 'AllSquash' | 'NoRootSquash' | 'RootSquash';
  /** @default Azure's own value */
  shareQuota?: number;
  /** @default sent as null */
  signedIdentifiers?: ({
    accessPolicy?: {
      expiryTime?: string;
      permission?: string;
      startTime?: string;
    };
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /** The StorageAccountsFileService that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccountsFileService'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsFileServicesShare {
  spec: StorageAccountsFileServicesShareSpec;
  status?: ArmStatus;
}
