// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface PolicySpec {
  /** @default Azure's own value */
  format?: 'rawxml' | 'rawxml-link' | 'xml' | 'xml-link';
  value: string;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Policy {
  spec: PolicySpec;
  status?: ArmStatus;
}
