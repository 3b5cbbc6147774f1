// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface GroupSpec {
  /**
   * Name in Azure. 1 to 256 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  description?: string;
  /** 1 to 300 characters. */
  displayName: string;
  /** @default Azure's own value */
  externalId?: string;
  /** @default Azure's own value */
  type?: 'custom' | 'external' | 'system';
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Group {
  spec: GroupSpec;
  status?: ArmStatus;
}
