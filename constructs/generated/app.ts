// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `AuthConfig`. */
export interface AuthConfigProps extends KindProps<'app.azure.com/AuthConfig'> {}

/**
 * Microsoft.App/containerApps/authConfigs, in a ContainerApp.
 * Versions of Azure's API: 2025-01-01, 2024-03-01.
 */
export class AuthConfig extends AzureResource<'app.azure.com/AuthConfig'> {
  constructor(scope: Construct, id: string, props: AuthConfigProps) {
    super(scope, id, { ...props, kind: 'app.azure.com/AuthConfig' });
  }
}

/** Properties of `ContainerApp`. */
export interface ContainerAppProps extends KindProps<'app.azure.com/ContainerApp'> {}

/**
 * Microsoft.App/containerApps, in a ResourceGroup.
 * `export()` gives `eventStreamEndpoint`, `fqdn`.
 * Versions of Azure's API: 2025-01-01, 2024-03-01.
 */
export class ContainerApp extends AzureResource<'app.azure.com/ContainerApp'> {
  constructor(scope: Construct, id: string, props: ContainerAppProps) {
    super(scope, id, { ...props, kind: 'app.azure.com/ContainerApp' });
  }
}

/** Properties of `Job`. */
export interface JobProps extends KindProps<'app.azure.com/Job'> {}

/**
 * Microsoft.App/jobs, in a ResourceGroup.
 * Versions of Azure's API: 2025-01-01, 2024-03-01.
 */
export class Job extends AzureResource<'app.azure.com/Job'> {
  constructor(scope: Construct, id: string, props: JobProps) {
    super(scope, id, { ...props, kind: 'app.azure.com/Job' });
  }
}

/** Properties of `ManagedEnvironment`. */
export interface ManagedEnvironmentProps extends KindProps<'app.azure.com/ManagedEnvironment'> {}

/**
 * Microsoft.App/managedEnvironments, in a ResourceGroup.
 * Versions of Azure's API: 2025-01-01, 2024-03-01.
 */
export class ManagedEnvironment extends AzureResource<'app.azure.com/ManagedEnvironment'> {
  constructor(scope: Construct, id: string, props: ManagedEnvironmentProps) {
    super(scope, id, { ...props, kind: 'app.azure.com/ManagedEnvironment' });
  }
}
