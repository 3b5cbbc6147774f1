// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface RedisFirewallRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  endIP: string;
  startIP: string;
  /** The Redis that it is in, by construct or ARM id. */
  owner: KnownOwner<'cache.azure.com/Redis'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisFirewallRule {
  spec: RedisFirewallRuleSpec;
  status?: ArmStatus;
}
