// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisLinkedServerSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  linkedRedisCacheLocation: string;
  /** By construct or ARM id: Redis. */
  linkedRedisCacheReference: ArmReference<'cache.azure.com/Redis'>;
  serverRole: 'Primary' | 'Secondary';
  /** The Redis that it is in, by construct or ARM id. */
  owner: KnownOwner<'cache.azure.com/Redis'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisLinkedServer {
  spec: RedisLinkedServerSpec;
  status?: ArmStatus;
}
