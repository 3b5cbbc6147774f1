// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface AuthorizationProviderSpec {
  /**
   * Name in Azure. 1 to 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * 1 to 300 characters.
   * @default Azure's own value
   */
  displayName?: string;
  /** @default Azure's own value */
  identityProvider?: string;
  /** @default Azure's own value */
  oauth2?: {
    grantTypes?: {
      /**
       * All values of a Secret of this namespace.
       * @default Azure's own value
       */
      authorizationCode?: SecretMapReference;
      /**
       * All values of a Secret of this namespace.
       * @default Azure's own value
       */
      clientCredentials?: SecretMapReference;
    };
    redirectUrl?: string;
  };
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AuthorizationProvider {
  spec: AuthorizationProviderSpec;
  status?: ArmStatus;
}
