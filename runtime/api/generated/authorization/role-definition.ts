// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference } from '../../common-schemas.ts';

export interface RoleDefinitionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  assignableScopesReferences?: ArmReference[];
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  permissions?: ({
    actions?: string[];
    dataActions?: string[];
    notActions?: string[];
    notDataActions?: string[];
  })[];
  /** @default Azure's own value */
  roleName?: string;
  /** @default Azure's own value */
  type?: string;
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

export interface RoleDefinition {
  spec: RoleDefinitionSpec;
  status?: ArmStatus;
}
