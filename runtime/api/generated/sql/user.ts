// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface UserSpec {
  /**
   * Name in Azure. 1 to 128 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** The user, who signs in with a password. */
  localUser: {
    /** A value of a Secret of this namespace: an export of another resource, or name and key. */
    password: SecretKeyReference;
    /** A value of a Secret of this namespace: an export of another resource, or name and key. */
    serverAdminPassword: SecretKeyReference;
    /** 1 to 128 characters. */
    serverAdminUsername: string;
  };
  /**
   * At most 1000 items.
   * @default Azure's own value
   */
  roles?: string[];
  /** The ServersDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/ServersDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface User {
  spec: UserSpec;
  status?: ArmStatus;
}
