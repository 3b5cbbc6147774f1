// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Workspace`. */
export interface WorkspaceProps extends KindProps<'synapse.azure.com/Workspace'> {}

/**
 * Microsoft.Synapse/workspaces, in a ResourceGroup.
 * Versions of Azure's API: 2021-06-01.
 */
export class Workspace extends AzureResource<'synapse.azure.com/Workspace'> {
  constructor(scope: Construct, id: string, props: WorkspaceProps) {
    super(scope, id, { ...props, kind: 'synapse.azure.com/Workspace' });
  }
}

/** Properties of `WorkspacesBigDataPool`. */
export interface WorkspacesBigDataPoolProps extends KindProps<'synapse.azure.com/WorkspacesBigDataPool'> {}

/**
 * Microsoft.Synapse/workspaces/bigDataPools, in a Workspace.
 * Versions of Azure's API: 2021-06-01.
 */
export class WorkspacesBigDataPool extends AzureResource<'synapse.azure.com/WorkspacesBigDataPool'> {
  constructor(scope: Construct, id: string, props: WorkspacesBigDataPoolProps) {
    super(scope, id, { ...props, kind: 'synapse.azure.com/WorkspacesBigDataPool' });
  }
}
