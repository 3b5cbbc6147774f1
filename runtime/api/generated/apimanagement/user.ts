// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface UserSpec {
  /**
   * Name in Azure. 1 to 80 characters.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Which portal sent the request to create the user: developerPortal (new) or portal (legacy).
   * @default Azure's own value
   */
  appType?: 'developerPortal' | 'portal';
  /**
   * Which mail the user gets: an invitation, or the confirmation of a sign-up.
   * @default Azure's own value
   */
  confirmation?: 'invite' | 'signup';
  /** 1 to 254 characters. */
  email: string;
  /** 1 to 100 characters. */
  firstName: string;
  /** @default Azure's own value */
  identities?: ({
    id?: string;
    provider?: string;
  })[];
  /** 1 to 100 characters. */
  lastName: string;
  /** @default Azure's own value */
  note?: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  password?: SecretKeyReference;
  /** @default Azure's own value */
  state?: 'active' | 'blocked' | 'deleted' | 'pending';
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
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
