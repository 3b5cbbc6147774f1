// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ReplicaSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** The ConfigurationStore that it is in, by construct or ARM id. */
  owner: KnownOwner<'appconfiguration.azure.com/ConfigurationStore'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Replica {
  spec: ReplicaSpec;
  status?: ArmStatus;
}
