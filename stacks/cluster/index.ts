/** `pulumi up`: a cluster of AKS, or the outputs of an existing cluster from settings; see Pulumi.yaml. */
import type * as pulumi from '@pulumi/pulumi';
import { azureOptions } from '../components/azure-options.ts';
import { Cluster } from '../components/cluster.ts';
import { Settings } from '../components/settings.ts';

const settings = new Settings();
const existing = settings.text('existingOidcIssuerUrl');

const cluster =
  existing === undefined
    ? new Cluster(
        settings.text('name') ?? 'azimuth',
        {
          subscriptionId: settings.required('subscriptionId'),
          resourceGroupName: settings.required('resourceGroupName'),
          location: settings.required('location'),
          kubernetesVersion: settings.text('kubernetesVersion'),
          nodes: settings.number('nodes'),
          nodeSize: settings.text('nodeSize'),
        },
        azureOptions(settings, settings.required('subscriptionId')),
      )
    : undefined;

/** The service account issuer of the cluster. */
export const oidcIssuerUrl = cluster?.oidcIssuerUrl ?? existing;
/** ARM id of the group of the nodes' machines. */
export const nodeResourceGroupId = cluster?.nodeResourceGroupId ?? settings.text('existingNodeResourceGroupId');
/** Client id of the nodes' own identity. */
export const kubeletClientId = cluster?.kubeletClientId ?? settings.text('existingKubeletClientId');
/** A kubeconfig; a secret. Without one the platform uses that of the environment. */
export const kubeconfig: pulumi.Output<string> | undefined =
  cluster?.kubeconfig ?? settings.secret('existingKubeconfig');
