// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ApiPolicySpec {
  /** @default Azure's own value */
  format?: 'rawxml' | 'rawxml-link' | 'xml' | 'xml-link';
  value: string;
  /** The Api that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Api'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ApiPolicy {
  spec: ApiPolicySpec;
  status?: ArmStatus;
}
