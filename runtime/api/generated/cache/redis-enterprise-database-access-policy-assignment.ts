// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisEnterpriseDatabaseAccessPolicyAssignmentSpec {
  /**
   * Name in Azure. Pattern: `^[A-Za-z0-9]{1,60}$`.
   * @default metadata.name
   */
  azureName?: string;
  /** Pattern: `^([a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]|[a-zA-Z0-9])$`. */
  accessPolicyName: string;
  /** The identity that gets the access policy. */
  user: {
    /**
     * Object id of the identity in Microsoft Entra ID.
     * @default Azure's own value
     */
    objectId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `objectId`.
     * @default Azure's own value
     */
    objectIdFromConfig?: ConfigMapKeyReference;
  };
  /** The RedisEnterpriseDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'cache.azure.com/RedisEnterpriseDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisEnterpriseDatabaseAccessPolicyAssignment {
  spec: RedisEnterpriseDatabaseAccessPolicyAssignmentSpec;
  status?: ArmStatus;
}
