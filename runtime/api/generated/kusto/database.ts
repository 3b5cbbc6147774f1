// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DatabaseSpec {
  /**
   * Name in Azure. Pattern: `^.*$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The form whose `kind` is `ReadWrite`.
   * @default Azure's own value
   */
  readWriteDatabase?: {
    hotCachePeriod?: string;
    keyVaultProperties?: {
      keyName?: string;
      keyVaultUri?: string;
      keyVersion?: string;
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      userIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    };
    /** Always `ReadWrite`. */
    kind: 'ReadWrite';
    location?: string;
    softDeletePeriod?: string;
  };
  /** The Cluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'kusto.azure.com/Cluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Database {
  spec: DatabaseSpec;
  status?: ArmStatus;
}
