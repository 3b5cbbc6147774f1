// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface AuthorizationProvidersAuthorizationsAccessPolicySpec {
  /**
   * Name in Azure. 1 to 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  appIds?: string[];
  /** @default Azure's own value */
  objectId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `objectId`.
   * @default Azure's own value
   */
  objectIdFromConfig?: ConfigMapKeyReference;
  /** @default Azure's own value */
  tenantId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `tenantId`.
   * @default Azure's own value
   */
  tenantIdFromConfig?: ConfigMapKeyReference;
  /** The AuthorizationProvidersAuthorization that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/AuthorizationProvidersAuthorization'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AuthorizationProvidersAuthorizationsAccessPolicy {
  spec: AuthorizationProvidersAuthorizationsAccessPolicySpec;
  status?: ArmStatus;
}
