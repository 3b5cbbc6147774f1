// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface TrustedAccessRoleBindingSpec {
  /**
   * Name in Azure. 1 to 24 characters. Pattern: `^([A-Za-z0-9-])+$`.
   * @default metadata.name
   */
  azureName?: string;
  roles: string[];
  /** By construct or ARM id: any resource. */
  sourceResourceReference: ArmReference;
  /** The ManagedCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerservice.azure.com/ManagedCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface TrustedAccessRoleBinding {
  spec: TrustedAccessRoleBindingSpec;
  status?: ArmStatus;
}
