// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ProductSpec {
  /**
   * Name in Azure. 1 to 256 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  approvalRequired?: boolean;
  /**
   * 0 to 1000 characters.
   * @default Azure's own value
   */
  description?: string;
  /** 1 to 300 characters. */
  displayName: string;
  /** @default Azure's own value */
  state?: 'notPublished' | 'published';
  /** @default Azure's own value */
  subscriptionRequired?: boolean;
  /** @default Azure's own value */
  subscriptionsLimit?: number;
  /** @default Azure's own value */
  terms?: string;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Product {
  spec: ProductSpec;
  status?: ArmStatus;
}
