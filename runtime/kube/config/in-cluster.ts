import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeConnection } from './connection.ts';
import { bearerToken } from './credentials.ts';
import { fileText } from './text-source.ts';

/** Where a pod's service account lies. */
export interface InClusterOptions {
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** Where token, ca.crt and namespace lie. @default '/var/run/secrets/kubernetes.io/serviceaccount' */
  readonly directory?: string;
}

/** Whether the process runs in a pod, by the variables that kubelet sets. */
export function isInCluster(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST'] && env['KUBERNETES_SERVICE_PORT']);
}

/**
 * The API server as a pod sees it, as the pod's service account. Token and CA are read again about each minute and
 * after a 401. Throws AZ_KUBECONFIG_INVALID outside of a pod or without the mounted files.
 */
export function inClusterConnection(options: InClusterOptions = {}): KubeConnection {
  const { env = process.env, directory = '/var/run/secrets/kubernetes.io/serviceaccount' } = options;
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) {
    throw new AzimuthError(
      'AZ_KUBECONFIG_INVALID',
      'In-cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; outside of a pod set KUBECONFIG',
    );
  }
  const mounted = (name: string) => fileText(join(directory, name), 'In-cluster');
  const [token, ca] = [mounted('token'), mounted('ca.crt')];
  token.read();
  ca.read();
  return {
    source: 'in-cluster',
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace: env['POD_NAMESPACE'] || namespaceOf(join(directory, 'namespace')),
    ca,
    credential: bearerToken(token),
  };
}

/** Some mounts leave the namespace out; kubectl then takes `default`. */
function namespaceOf(path: string): string {
  return existsSync(path) ? fileText(path, 'In-cluster').read() : 'default';
}
