import {
  listManagedClusterUserCredentialsOutput,
  ManagedCluster,
} from '@pulumi/azure-native/containerservice/index.js';
import * as pulumi from '@pulumi/pulumi';

/** Properties of `Cluster`. */
export interface ClusterArgs {
  readonly resourceGroupName: string;
  readonly subscriptionId: string;
  readonly location: string;
  /**
   * The version of Kubernetes, such as 1.34.
   *
   * @default the default of AKS in that region
   */
  readonly kubernetesVersion?: string | undefined;
  /**
   * Number of nodes of the pool for programs.
   *
   * @default 3
   */
  readonly nodes?: number | undefined;
  /**
   * Size of the nodes' machines.
   *
   * @default 'Standard_D2s_v5'
   */
  readonly nodeSize?: string | undefined;
}

/** A cluster of AKS whose service accounts can sign in to Entra, and whose network policies hold. */
export class Cluster extends pulumi.ComponentResource {
  /** The service account issuer, such as https://westeurope.oic.prod-aks.azure.com/.../. */
  readonly oidcIssuerUrl: pulumi.Output<string>;
  /** ARM id of the group of the nodes' machines. */
  readonly nodeResourceGroupId: pulumi.Output<string>;
  /** Client id of the nodes' own identity, which nobody may detach from the machines. */
  readonly kubeletClientId: pulumi.Output<string>;
  /** A kubeconfig of the cluster's users; a secret. */
  readonly kubeconfig: pulumi.Output<string>;

  constructor(name: string, args: ClusterArgs, options?: pulumi.ComponentResourceOptions) {
    super('azimuth:index:Cluster', name, {}, options);
    const { resourceGroupName, location, kubernetesVersion, nodes = 3, nodeSize = 'Standard_D2s_v5' } = args;
    const nodeResourceGroup = `${resourceGroupName}-${name}-nodes`;
    const cluster = new ManagedCluster(
      name,
      {
        resourceGroupName,
        resourceName: name,
        location,
        dnsPrefix: name,
        nodeResourceGroup,
        ...(kubernetesVersion !== undefined && { kubernetesVersion }),
        identity: { type: 'SystemAssigned' },
        enableRBAC: true,
        oidcIssuerProfile: { enabled: true },
        securityProfile: { workloadIdentity: { enabled: true } },
        networkProfile: {
          networkPlugin: 'azure',
          networkPluginMode: 'overlay',
          networkPolicy: 'cilium',
          networkDataplane: 'cilium',
        },
        agentPoolProfiles: [
          {
            name: 'system',
            mode: 'System',
            count: nodes,
            vmSize: nodeSize,
            osType: 'Linux',
            type: 'VirtualMachineScaleSets',
          },
        ],
      },
      { parent: this },
    );
    this.oidcIssuerUrl = cluster.oidcIssuerProfile.apply((profile) => profile?.issuerURL ?? '');
    this.nodeResourceGroupId = cluster.nodeResourceGroup.apply(
      (group) => `/subscriptions/${args.subscriptionId}/resourceGroups/${group ?? nodeResourceGroup}`,
    );
    this.kubeletClientId = cluster.identityProfile.apply((profile) => profile?.['kubeletidentity']?.clientId ?? '');
    const { kubeconfigs } = listManagedClusterUserCredentialsOutput(
      { resourceGroupName, resourceName: cluster.name },
      { parent: this },
    );
    this.kubeconfig = pulumi.secret(
      kubeconfigs.apply(([first]) => Buffer.from(first?.value ?? '', 'base64').toString('utf8')),
    );
    const { oidcIssuerUrl, nodeResourceGroupId, kubeletClientId, kubeconfig } = this;
    this.registerOutputs({ oidcIssuerUrl, nodeResourceGroupId, kubeletClientId, kubeconfig });
  }
}
