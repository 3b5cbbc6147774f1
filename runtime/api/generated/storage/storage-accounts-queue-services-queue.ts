// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsQueueServicesQueueSpec {
  /**
   * Name in Azure. 3 to 63 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default sent as null */
  metadata?: Record<string, string>;
  /** The StorageAccountsQueueService that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccountsQueueService'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsQueueServicesQueue {
  spec: StorageAccountsQueueServicesQueueSpec;
  status?: ArmStatus;
}
