// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';

export interface ResourceGroupSpec {
  /**
   * Name in Azure. 1 to 90 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  managedBy?: string;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ResourceGroup {
  spec: ResourceGroupSpec;
  status?: ArmStatus;
}
