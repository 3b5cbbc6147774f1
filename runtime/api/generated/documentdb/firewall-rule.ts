// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FirewallRuleSpec {
  /**
   * Name in Azure. 1 to 80 characters. Pattern: `^[a-zA-Z0-9][-_.a-zA-Z0-9]*`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** Pattern: `^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$`. */
    endIpAddress: string;
    /** Pattern: `^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$`. */
    startIpAddress: string;
  };
  /** The MongoCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/MongoCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FirewallRule {
  spec: FirewallRuleSpec;
  status?: ArmStatus;
}
