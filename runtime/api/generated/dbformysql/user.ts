// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface UserSpec {
  /**
   * Name in Azure. At least 1 characters.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * A user of Microsoft Entra ID; the other form is localUser.
   * @default Azure's own value
   */
  aadUser?: {
    /**
     * 1 to 32 characters.
     * @default Azure's own value
     */
    alias?: string;
    /** At least 1 characters. */
    serverAdminUsername: string;
  };
  /**
   * Privileges of the user in each database, by the name of the database.
   * @default Azure's own value
   */
  databasePrivileges?: Record<string, string[]>;
  /**
   * 1 to 255 characters.
   * @default Azure's own value
   */
  hostname?: string;
  /**
   * A user with a password; the other form is aadUser.
   * @default Azure's own value
   */
  localUser?: {
    /** A value of a Secret of this namespace: an export of another resource, or name and key. */
    password: SecretKeyReference;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    serverAdminPassword?: SecretKeyReference;
    /** At least 1 characters. */
    serverAdminUsername: string;
  };
  /**
   * At most 100 items.
   * @default Azure's own value
   */
  privileges?: string[];
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbformysql.azure.com/FlexibleServer'>;
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
