// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ApiVersionSetSpec {
  /**
   * Name in Azure. 1 to 80 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  description?: string;
  /** 1 to 100 characters. */
  displayName: string;
  /**
   * 1 to 100 characters.
   * @default Azure's own value
   */
  versionHeaderName?: string;
  /**
   * 1 to 100 characters.
   * @default Azure's own value
   */
  versionQueryName?: string;
  versioningScheme: 'Header' | 'Query' | 'Segment';
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ApiVersionSet {
  spec: ApiVersionSetSpec;
  status?: ArmStatus;
}
