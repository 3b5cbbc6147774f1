// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisAccessPolicyAssignmentSpec {
  /**
   * Name in Azure. 3 to 63 characters. Pattern: `^([a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]|[a-zA-Z0-9])$`.
   * @default metadata.name
   */
  azureName?: string;
  /** Pattern: `^([a-zA-Z0-9][a-zA-Z0-9- ]*[a-zA-Z0-9]|[a-zA-Z0-9])$`. */
  accessPolicyName: string;
  /** @default Azure's own value */
  objectId?: string;
  /** @default Azure's own value */
  objectIdAlias?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `objectIdAlias`.
   * @default Azure's own value
   */
  objectIdAliasFromConfig?: ConfigMapKeyReference;
  /**
   * A value of a ConfigMap of this namespace, in place of `objectId`.
   * @default Azure's own value
   */
  objectIdFromConfig?: ConfigMapKeyReference;
  /** The Redis that it is in, by construct or ARM id. */
  owner: KnownOwner<'cache.azure.com/Redis'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisAccessPolicyAssignment {
  spec: RedisAccessPolicyAssignmentSpec;
  status?: ArmStatus;
}
