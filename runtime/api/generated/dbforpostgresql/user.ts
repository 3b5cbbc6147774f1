// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface UserSpec {
  /**
   * Name in Azure. 1 to 63 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** The user, who signs in with a password. */
  localUser: {
    /** A value of a Secret of this namespace: an export of another resource, or name and key. */
    password: SecretKeyReference;
    /** A value of a Secret of this namespace: an export of another resource, or name and key. */
    serverAdminPassword: SecretKeyReference;
    /** 1 to 63 characters. */
    serverAdminUsername: string;
  };
  /**
   * Attributes of the role in PostgreSQL.
   * @default Azure's own value
   */
  roleOptions?: {
    /**
     * Whether the role may create databases.
     * @default Azure's own value
     */
    createDb?: boolean;
    /**
     * Whether the role may create other roles.
     * @default Azure's own value
     */
    createRole?: boolean;
    /**
     * Whether the role may sign in.
     * @default Azure's own value
     */
    login?: boolean;
    /**
     * Whether the role may start replication.
     * @default Azure's own value
     */
    replication?: boolean;
  };
  /**
   * At most 1000 items.
   * @default Azure's own value
   */
  roles?: string[];
  /** The FlexibleServer that it is in, by construct or ARM id. */
  owner: KnownOwner<'dbforpostgresql.azure.com/FlexibleServer'>;
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
