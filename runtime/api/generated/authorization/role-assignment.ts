// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, WellKnownReference } from '../../common-schemas.ts';

export interface RoleAssignmentSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  condition?: string;
  /** @default Azure's own value */
  conditionVersion?: string;
  /**
   * By construct or ARM id: UserAssignedIdentity.
   * @default Azure's own value
   */
  delegatedManagedIdentityResourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  principalId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `principalId`.
   * @default Azure's own value
   */
  principalIdFromConfig?: ConfigMapKeyReference;
  /** @default Azure's own value */
  principalType?: 'Device' | 'ForeignGroup' | 'Group' | 'ServicePrincipal' | 'User';
  /** By construct or ARM id: RoleDefinition. */
  roleDefinitionReference: WellKnownReference<'authorization.azure.com/RoleDefinition'>;
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never> & {
    namingConvention?: 'random' | 'stable';
  };
}

export interface RoleAssignment {
  spec: RoleAssignmentSpec;
  status?: ArmStatus;
}
