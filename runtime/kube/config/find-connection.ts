import { existsSync } from 'node:fs';
import type { KubeConnection } from './connection.ts';
import { inClusterConnection, isInCluster } from './in-cluster.ts';
import { type KubeconfigSearch, kubeconfigPaths } from './kubeconfig-search.ts';

/**
 * Finds the API server as kubectl does: by the kubeconfig that loadKubeConnection takes, and in a pod where no such file exists
 * as the pod's own service account. The reader of kubeconfigs then stays out of memory, and YAML with it.
 */
export async function findKubeConnection(search: KubeconfigSearch): Promise<KubeConnection> {
  const { kubeconfig, env = process.env } = search;
  if (!kubeconfig && isInCluster(env) && !kubeconfigPaths(search).some((path) => existsSync(path))) {
    return inClusterConnection({ env });
  }
  const { loadKubeConnection } = await import('./kubeconfig.ts');
  return loadKubeConnection(search);
}
