import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl } from './kubectl.ts';

/** A token of a service account, for an hour. `audiences`: @default those of the API server */
export async function tokenOf(namespace: string, account: string, audiences?: readonly string[]): Promise<string> {
  const spec = { expirationSeconds: 3600, ...(audiences && { audiences }) };
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  return JSON.parse(await kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(review))).status.token;
}

/**
 * Writes a kubeconfig of a service account into a directory. Returns its path. `server` is another address of the API
 * server of KUBECONFIG.
 */
export async function kubeconfigOf(
  account: string,
  directory: string,
  server?: string,
  namespace = 'azimuth-system',
): Promise<string> {
  const token = await tokenOf(namespace, account);
  const admin = await adminConfig();
  const [{ name, cluster }] = admin.clusters;
  const users = [{ name: account, user: { token } }];
  const contexts = [{ name: account, context: { cluster: name, user: account } }];
  const clusters = [{ name, cluster: { ...cluster, ...(server !== undefined && { server }) } }];
  const kubeconfig = join(directory, `${account}.kubeconfig`);
  const content = { ...admin, clusters, users, contexts, 'current-context': account };
  writeFileSync(kubeconfig, JSON.stringify(content), { mode: 0o600 });
  return kubeconfig;
}

/** The current context of KUBECONFIG. */
export async function adminConfig() {
  return JSON.parse(await kubectl(['config', 'view', '--raw', '--minify', '-o', 'json']));
}
