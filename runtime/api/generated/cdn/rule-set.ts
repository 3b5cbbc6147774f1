// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface RuleSetSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** The Profile that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/Profile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RuleSet {
  spec: RuleSetSpec;
  status?: ArmStatus;
}
