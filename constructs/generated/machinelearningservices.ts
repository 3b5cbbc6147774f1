// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Registry`. */
export interface RegistryProps extends KindProps<'machinelearningservices.azure.com/Registry'> {}

/**
 * Microsoft.MachineLearningServices/registries, in a ResourceGroup.
 * `export()` gives `discoveryUrl`, `mlFlowRegistryUri`.
 * Versions of Azure's API: 2024-04-01.
 */
export class Registry extends AzureResource<'machinelearningservices.azure.com/Registry'> {
  constructor(scope: Construct, id: string, props: RegistryProps) {
    super(scope, id, { ...props, kind: 'machinelearningservices.azure.com/Registry' });
  }
}

/** Properties of `Workspace`. */
export interface WorkspaceProps extends KindProps<'machinelearningservices.azure.com/Workspace'> {}

/**
 * Microsoft.MachineLearningServices/workspaces, in a ResourceGroup.
 * `export()` gives `appInsightsInstrumentationKey`, `containerRegistryPassword`, `containerRegistryPassword2`, `containerRegistryUserName`, `primaryNotebookAccessKey`, `secondaryNotebookAccessKey`, `userStorageKey`.
 * Versions of Azure's API: 2024-04-01, 2021-07-01.
 */
export class Workspace extends AzureResource<'machinelearningservices.azure.com/Workspace'> {
  constructor(scope: Construct, id: string, props: WorkspaceProps) {
    super(scope, id, { ...props, kind: 'machinelearningservices.azure.com/Workspace' });
  }
}

/** Properties of `WorkspacesCompute`. */
export interface WorkspacesComputeProps extends KindProps<'machinelearningservices.azure.com/WorkspacesCompute'> {}

/**
 * Microsoft.MachineLearningServices/workspaces/computes, in a Workspace.
 * Versions of Azure's API: 2024-04-01, 2021-07-01.
 */
export class WorkspacesCompute extends AzureResource<'machinelearningservices.azure.com/WorkspacesCompute'> {
  constructor(scope: Construct, id: string, props: WorkspacesComputeProps) {
    super(scope, id, { ...props, kind: 'machinelearningservices.azure.com/WorkspacesCompute' });
  }
}

/** Properties of `WorkspacesConnection`. */
export interface WorkspacesConnectionProps extends KindProps<'machinelearningservices.azure.com/WorkspacesConnection'> {}

/**
 * Microsoft.MachineLearningServices/workspaces/connections, in a Workspace.
 * Versions of Azure's API: 2024-04-01, 2021-07-01.
 */
export class WorkspacesConnection extends AzureResource<'machinelearningservices.azure.com/WorkspacesConnection'> {
  constructor(scope: Construct, id: string, props: WorkspacesConnectionProps) {
    super(scope, id, { ...props, kind: 'machinelearningservices.azure.com/WorkspacesConnection' });
  }
}
