// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `RoleAssignment`. */
export interface RoleAssignmentProps extends KindProps<'authorization.azure.com/RoleAssignment'> {}

/**
 * Microsoft.Authorization/roleAssignments, on any Azure resource.
 * Versions of Azure's API: 2022-04-01, 2020-08-01-preview.
 */
export class RoleAssignment extends AzureResource<'authorization.azure.com/RoleAssignment'> {
  constructor(scope: Construct, id: string, props: RoleAssignmentProps) {
    super(scope, id, { ...props, kind: 'authorization.azure.com/RoleAssignment' });
  }
}

/** Properties of `RoleDefinition`. */
export interface RoleDefinitionProps extends KindProps<'authorization.azure.com/RoleDefinition'> {}

/**
 * Microsoft.Authorization/roleDefinitions, on any Azure resource.
 * Versions of Azure's API: 2022-04-01.
 */
export class RoleDefinition extends AzureResource<'authorization.azure.com/RoleDefinition'> {
  constructor(scope: Construct, id: string, props: RoleDefinitionProps) {
    super(scope, id, { ...props, kind: 'authorization.azure.com/RoleDefinition' });
  }
}
