// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface RedisAccessPolicySpec {
  /**
   * Name in Azure. 3 to 63 characters. Pattern: `^([a-zA-Z0-9][a-zA-Z0-9- ]*[a-zA-Z0-9]|[a-zA-Z0-9])$`.
   * @default metadata.name
   */
  azureName?: string;
  permissions: string;
  /** The Redis that it is in, by construct or ARM id. */
  owner: KnownOwner<'cache.azure.com/Redis'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisAccessPolicy {
  spec: RedisAccessPolicySpec;
  status?: ArmStatus;
}
