// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Workspace`. */
export interface WorkspaceProps extends KindProps<'operationalinsights.azure.com/Workspace'> {}

/**
 * Microsoft.OperationalInsights/workspaces, in a ResourceGroup.
 * `export()` gives `primarySharedKey`, `secondarySharedKey`.
 * Versions of Azure's API: 2025-07-01, 2021-06-01.
 */
export class Workspace extends AzureResource<'operationalinsights.azure.com/Workspace'> {
  constructor(scope: Construct, id: string, props: WorkspaceProps) {
    super(scope, id, { ...props, kind: 'operationalinsights.azure.com/Workspace' });
  }
}
