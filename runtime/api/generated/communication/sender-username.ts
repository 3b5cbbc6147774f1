// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SenderUsernameSpec {
  /**
   * Name in Azure. 1 to 253 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  displayName?: string;
  username: string;
  /** The Domain that it is in, by construct or ARM id. */
  owner: KnownOwner<'communication.azure.com/Domain'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SenderUsername {
  spec: SenderUsernameSpec;
  status?: ArmStatus;
}
