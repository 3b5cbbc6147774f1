// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsBlobServicesContainerSpec {
  /**
   * Name in Azure. 3 to 63 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  defaultEncryptionScope?: string;
  /** @default Azure's own value */
  denyEncryptionScopeOverride?: boolean;
  /** @default Azure's own value */
  enableNfsV3AllSquash?: boolean;
  /** @default Azure's own value */
  enableNfsV3RootSquash?: boolean;
  /** @default Azure's own value */
  immutableStorageWithVersioning?: {
    enabled?: boolean;
  };
  /** @default sent as null */
  metadata?: Record<string, string>;
  /** @default Azure's own value */
  publicAccess?: 'Blob' | 'Container' | 'None';
  /** The StorageAccountsBlobService that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccountsBlobService'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsBlobServicesContainer {
  spec: StorageAccountsBlobServicesContainerSpec;
  status?: ArmStatus;
}
