// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `HcpOpenShiftCluster`. */
export interface HcpOpenShiftClusterProps extends KindProps<'redhatopenshift.azure.com/HcpOpenShiftCluster'> {}

/**
 * Microsoft.RedHatOpenShift/hcpOpenShiftClusters, in a ResourceGroup.
 * `export()` gives `adminCredentials`.
 * Versions of Azure's API: 2026-06-30-preview.
 */
export class HcpOpenShiftCluster extends AzureResource<'redhatopenshift.azure.com/HcpOpenShiftCluster'> {
  constructor(scope: Construct, id: string, props: HcpOpenShiftClusterProps) {
    super(scope, id, { ...props, kind: 'redhatopenshift.azure.com/HcpOpenShiftCluster' });
  }
}

/** Properties of `HcpOpenShiftClustersExternalAuth`. */
export interface HcpOpenShiftClustersExternalAuthProps extends KindProps<'redhatopenshift.azure.com/HcpOpenShiftClustersExternalAuth'> {}

/**
 * Microsoft.RedHatOpenShift/hcpOpenShiftClusters/externalAuths, in a HcpOpenShiftCluster.
 * Versions of Azure's API: 2026-06-30-preview.
 */
export class HcpOpenShiftClustersExternalAuth extends AzureResource<'redhatopenshift.azure.com/HcpOpenShiftClustersExternalAuth'> {
  constructor(scope: Construct, id: string, props: HcpOpenShiftClustersExternalAuthProps) {
    super(scope, id, { ...props, kind: 'redhatopenshift.azure.com/HcpOpenShiftClustersExternalAuth' });
  }
}

/** Properties of `HcpOpenShiftClustersNodePool`. */
export interface HcpOpenShiftClustersNodePoolProps extends KindProps<'redhatopenshift.azure.com/HcpOpenShiftClustersNodePool'> {}

/**
 * Microsoft.RedHatOpenShift/hcpOpenShiftClusters/nodePools, in a HcpOpenShiftCluster.
 * Versions of Azure's API: 2026-06-30-preview.
 */
export class HcpOpenShiftClustersNodePool extends AzureResource<'redhatopenshift.azure.com/HcpOpenShiftClustersNodePool'> {
  constructor(scope: Construct, id: string, props: HcpOpenShiftClustersNodePoolProps) {
    super(scope, id, { ...props, kind: 'redhatopenshift.azure.com/HcpOpenShiftClustersNodePool' });
  }
}

/** Properties of `OpenShiftCluster`. */
export interface OpenShiftClusterProps extends KindProps<'redhatopenshift.azure.com/OpenShiftCluster'> {}

/**
 * Microsoft.RedHatOpenShift/openShiftClusters, in a ResourceGroup.
 * `export()` gives `adminCredentials`, `password`, `username`.
 * Versions of Azure's API: 2023-11-22.
 */
export class OpenShiftCluster extends AzureResource<'redhatopenshift.azure.com/OpenShiftCluster'> {
  constructor(scope: Construct, id: string, props: OpenShiftClusterProps) {
    super(scope, id, { ...props, kind: 'redhatopenshift.azure.com/OpenShiftCluster' });
  }
}
