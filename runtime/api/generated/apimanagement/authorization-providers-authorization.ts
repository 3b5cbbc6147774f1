// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface AuthorizationProvidersAuthorizationSpec {
  /**
   * Name in Azure. 1 to 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Always `OAuth2`.
   * @default Azure's own value
   */
  authorizationType?: 'OAuth2';
  /** @default Azure's own value */
  oauth2grantType?: 'AuthorizationCode' | 'ClientCredentials';
  /**
   * All values of a Secret of this namespace.
   * @default Azure's own value
   */
  parameters?: SecretMapReference;
  /** The AuthorizationProvider that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/AuthorizationProvider'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AuthorizationProvidersAuthorization {
  spec: AuthorizationProvidersAuthorizationSpec;
  status?: ArmStatus;
}
