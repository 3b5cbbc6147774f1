// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ProductGroupSpec {
  /**
   * Name in Azure. 1 to 256 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** The Product that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Product'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ProductGroup {
  spec: ProductGroupSpec;
  status?: ArmStatus;
}
