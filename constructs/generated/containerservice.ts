// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Fleet`. */
export interface FleetProps extends KindProps<'containerservice.azure.com/Fleet'> {}

/**
 * Microsoft.ContainerService/fleets, in a ResourceGroup.
 * `export()` gives `userCredentials`.
 * Versions of Azure's API: 2025-03-01.
 */
export class Fleet extends AzureResource<'containerservice.azure.com/Fleet'> {
  constructor(scope: Construct, id: string, props: FleetProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/Fleet' });
  }
}

/** Properties of `FleetsAutoUpgradeProfile`. */
export interface FleetsAutoUpgradeProfileProps extends KindProps<'containerservice.azure.com/FleetsAutoUpgradeProfile'> {}

/**
 * Microsoft.ContainerService/fleets/autoUpgradeProfiles, in a Fleet.
 * Versions of Azure's API: 2025-03-01.
 */
export class FleetsAutoUpgradeProfile extends AzureResource<'containerservice.azure.com/FleetsAutoUpgradeProfile'> {
  constructor(scope: Construct, id: string, props: FleetsAutoUpgradeProfileProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/FleetsAutoUpgradeProfile' });
  }
}

/** Properties of `FleetsMember`. */
export interface FleetsMemberProps extends KindProps<'containerservice.azure.com/FleetsMember'> {}

/**
 * Microsoft.ContainerService/fleets/members, in a Fleet.
 * Versions of Azure's API: 2025-03-01.
 */
export class FleetsMember extends AzureResource<'containerservice.azure.com/FleetsMember'> {
  constructor(scope: Construct, id: string, props: FleetsMemberProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/FleetsMember' });
  }
}

/** Properties of `FleetsUpdateRun`. */
export interface FleetsUpdateRunProps extends KindProps<'containerservice.azure.com/FleetsUpdateRun'> {}

/**
 * Microsoft.ContainerService/fleets/updateRuns, in a Fleet.
 * Versions of Azure's API: 2025-03-01.
 */
export class FleetsUpdateRun extends AzureResource<'containerservice.azure.com/FleetsUpdateRun'> {
  constructor(scope: Construct, id: string, props: FleetsUpdateRunProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/FleetsUpdateRun' });
  }
}

/** Properties of `FleetsUpdateStrategy`. */
export interface FleetsUpdateStrategyProps extends KindProps<'containerservice.azure.com/FleetsUpdateStrategy'> {}

/**
 * Microsoft.ContainerService/fleets/updateStrategies, in a Fleet.
 * Versions of Azure's API: 2025-03-01.
 */
export class FleetsUpdateStrategy extends AzureResource<'containerservice.azure.com/FleetsUpdateStrategy'> {
  constructor(scope: Construct, id: string, props: FleetsUpdateStrategyProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/FleetsUpdateStrategy' });
  }
}

/** Properties of `MaintenanceConfiguration`. */
export interface MaintenanceConfigurationProps extends KindProps<'containerservice.azure.com/MaintenanceConfiguration'> {}

/**
 * Microsoft.ContainerService/managedClusters/maintenanceConfigurations, in a ManagedCluster.
 * Versions of Azure's API: 2025-08-01, 2025-10-02-preview, 2024-09-01.
 */
export class MaintenanceConfiguration extends AzureResource<'containerservice.azure.com/MaintenanceConfiguration'> {
  constructor(scope: Construct, id: string, props: MaintenanceConfigurationProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/MaintenanceConfiguration' });
  }
}

/** Properties of `ManagedCluster`. */
export interface ManagedClusterProps extends KindProps<'containerservice.azure.com/ManagedCluster'> {}

/**
 * Microsoft.ContainerService/managedClusters, in a ResourceGroup.
 * `export()` gives `adminCredentials`, `oidcIssuerProfile`, `principalId`, `userCredentials`.
 * Versions of Azure's API: 2025-08-01, 2025-10-02-preview, 2024-09-01.
 */
export class ManagedCluster extends AzureResource<'containerservice.azure.com/ManagedCluster'> {
  constructor(scope: Construct, id: string, props: ManagedClusterProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/ManagedCluster' });
  }
}

/** Properties of `ManagedClustersAgentPool`. */
export interface ManagedClustersAgentPoolProps extends KindProps<'containerservice.azure.com/ManagedClustersAgentPool'> {}

/**
 * Microsoft.ContainerService/managedClusters/agentPools, in a ManagedCluster.
 * Versions of Azure's API: 2025-08-01, 2025-10-02-preview, 2024-09-01.
 */
export class ManagedClustersAgentPool extends AzureResource<'containerservice.azure.com/ManagedClustersAgentPool'> {
  constructor(scope: Construct, id: string, props: ManagedClustersAgentPoolProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/ManagedClustersAgentPool' });
  }
}

/** Properties of `TrustedAccessRoleBinding`. */
export interface TrustedAccessRoleBindingProps extends KindProps<'containerservice.azure.com/TrustedAccessRoleBinding'> {}

/**
 * Microsoft.ContainerService/managedClusters/trustedAccessRoleBindings, in a ManagedCluster.
 * Versions of Azure's API: 2025-08-01, 2025-10-02-preview, 2024-09-01.
 */
export class TrustedAccessRoleBinding extends AzureResource<'containerservice.azure.com/TrustedAccessRoleBinding'> {
  constructor(scope: Construct, id: string, props: TrustedAccessRoleBindingProps) {
    super(scope, id, { ...props, kind: 'containerservice.azure.com/TrustedAccessRoleBinding' });
  }
}
