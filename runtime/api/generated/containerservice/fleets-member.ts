// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface FleetsMemberSpec {
  /**
   * Name in Azure. 1 to 50 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  /** By construct or ARM id: ManagedCluster. */
  clusterResourceReference: ArmReference<'containerservice.azure.com/ManagedCluster'>;
  /**
   * 1 to 50 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`.
   * @default Azure's own value
   */
  group?: string;
  /** The Fleet that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerservice.azure.com/Fleet'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FleetsMember {
  spec: FleetsMemberSpec;
  status?: ArmStatus;
}
