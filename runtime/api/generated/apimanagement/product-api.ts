// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ProductApiSpec {
  /**
   * Name in Azure. 1 to 256 characters. Pattern: `^[^*#&+:<>?]+$`.
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

export interface ProductApi {
  spec: ProductApiSpec;
  status?: ArmStatus;
}
