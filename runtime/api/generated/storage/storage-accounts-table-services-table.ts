// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsTableServicesTableSpec {
  /**
   * Name in Azure. 3 to 63 characters. Pattern: `^[A-Za-z][A-Za-z0-9]{2,62}$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default sent as null */
  signedIdentifiers?: ({
    accessPolicy?: {
      expiryTime?: string;
      permission: string;
      startTime?: string;
    };
    /** By construct or ARM id: any resource. */
    reference: ArmReference;
  })[];
  /** The StorageAccountsTableService that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccountsTableService'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsTableServicesTable {
  spec: StorageAccountsTableServicesTableSpec;
  status?: ArmStatus;
}
