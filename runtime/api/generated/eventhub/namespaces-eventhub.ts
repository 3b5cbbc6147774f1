// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NamespacesEventhubSpec {
  /**
   * Name in Azure. 1 to 256 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  captureDescription?: {
    destination?: {
      archiveNameFormat?: string;
      blobContainer?: string;
      dataLakeAccountName?: string;
      dataLakeFolderPath?: string;
      /**
       * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
       * @default Azure's own value
       */
      dataLakeSubscriptionId?: string;
      identity?: {
        /**
         * Which managed identities it uses: its own, user-assigned ones, or both.
         * @default Azure's own value
         */
        type?: 'SystemAssigned' | 'UserAssigned';
        /**
         * By construct or ARM id: UserAssignedIdentity.
         * @default Azure's own value
         */
        userAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      };
      name?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      storageAccountResourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    };
    enabled?: boolean;
    encoding?: 'Avro' | 'AvroDeflate';
    intervalInSeconds?: number;
    sizeLimitInBytes?: number;
    skipEmptyArchives?: boolean;
  };
  /**
   * At least 1.
   * @default Azure's own value
   */
  messageRetentionInDays?: number;
  /**
   * At least 1.
   * @default Azure's own value
   */
  partitionCount?: number;
  /** @default Azure's own value */
  retentionDescription?: {
    cleanupPolicy?: 'Compact' | 'Delete';
    retentionTimeInHours?: number;
    tombstoneRetentionTimeInHours?: number;
  };
  /** @default Azure's own value */
  userMetadata?: string;
  /** The Namespace that it is in, by construct or ARM id. */
  owner: KnownOwner<'eventhub.azure.com/Namespace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesEventhub {
  spec: NamespacesEventhubSpec;
  status?: ArmStatus;
}
