// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersFirewallRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Pattern: `^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$`. */
  endIpAddress: string;
  /** Pattern: `^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$`. */
  startIpAddress: string;
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbformysql.azure.com/FlexibleServer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersFirewallRule {
  spec: FlexibleServersFirewallRuleSpec;
  status?: ArmStatus;
}
