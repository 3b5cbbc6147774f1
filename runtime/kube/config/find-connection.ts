import { existsSync } from 'node:fs';
import type { KubeConnection } from './connection.ts';
import { inClusterConnection, isInCluster } from './in-cluster.ts';
import { type ConnectionOptions, kubeconfigPaths } from './kubeconfig-search.ts';

/**
 * Finds the API server as kubectl does: by the kubeconfig that loadKubeConnection takes, and in a pod where no such file exists
 * as the pod's own service account. The reader of kubeconfigs then stays out of memory, and YAML with it.
 */
export async function findKubeConnection(search: ConnectionOptions): Promise<KubeConnection> {
  const { kubeconfig, context, cluster, env = process.env } = search;
  if (
    !(kubeconfig || context || cluster) &&
    isInCluster(env) &&
    !kubeconfigPaths(search).some((path) => existsSync(path))
  ) {
    return inClusterConnection({ env });
  }
  const { loadKubeConnection } = await import('./kubeconfig.ts');
  return loadKubeConnection(search);
}
