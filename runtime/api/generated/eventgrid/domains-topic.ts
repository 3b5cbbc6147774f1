// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface DomainsTopicSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** The Domain that it is in, by construct or ARM id. */
  owner: KnownOwner<'eventgrid.azure.com/Domain'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DomainsTopic {
  spec: DomainsTopicSpec;
  status?: ArmStatus;
}
