// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface PolicyFragmentSpec {
  /**
   * Name in Azure. 1 to 80 characters. Pattern: `(^[\w]+$)|(^[\w][\w\-]+[\w]$)`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * 0 to 1000 characters.
   * @default Azure's own value
   */
  description?: string;
  /** @default Azure's own value */
  format?: 'rawxml' | 'xml';
  value: string;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PolicyFragment {
  spec: PolicyFragmentSpec;
  status?: ArmStatus;
}
