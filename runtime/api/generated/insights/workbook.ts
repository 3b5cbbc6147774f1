// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface WorkbookSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  category: string;
  /** @default Azure's own value */
  description?: string;
  displayName: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /**
   * Always `shared`.
   * @default Azure's own value
   */
  kind?: 'shared';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  properties_tags?: string[];
  serializedData: string;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  sourceReference?: ArmReference;
  /**
   * By construct or ARM id: StorageAccount.
   * @default Azure's own value
   */
  storageUriReference?: ArmReference<'storage.azure.com/StorageAccount'>;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  version?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Workbook {
  spec: WorkbookSpec;
  status?: ArmStatus;
}
