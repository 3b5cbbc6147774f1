// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface EmailServiceSpec {
  /**
   * Name in Azure. 1 to 63 characters. Pattern: `^[a-zA-Z0-9-]+$`.
   * @default metadata.name
   */
  azureName?: string;
  dataLocation: string;
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface EmailService {
  spec: EmailServiceSpec;
  status?: ArmStatus;
}
