import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeConnection } from './connection.ts';
import { bearerToken } from './credentials.ts';
import { fileText } from './text-source.ts';

const defaultDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

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
 * The API server as a pod sees it, without a credential: for programs that use those of their callers. Throws
 * AZ_KUBECONFIG_INVALID outside of a pod or without `ca.crt`.
 */
export function inClusterServer(options: InClusterOptions = {}): Omit<KubeConnection, 'credential'> {
  const { env = process.env, directory = defaultDirectory } = options;
  const server = serverOf(env);
  const ca = fileText(join(directory, 'ca.crt'), 'In-cluster');
  ca.read();
  return {
    source: 'in-cluster',
    server,
    namespace: env['POD_NAMESPACE'] || namespaceOf(join(directory, 'namespace')),
    ca,
  };
}

/**
 * The API server as a pod sees it, as the pod's service account. Token and CA are read again about each minute and
 * after a 401. Throws AZ_KUBECONFIG_INVALID outside of a pod or without the mounted files.
 */
export function inClusterConnection(options: InClusterOptions = {}): KubeConnection {
  const { env = process.env, directory = defaultDirectory } = options;
  serverOf(env);
  const token = fileText(join(directory, 'token'), 'In-cluster');
  token.read();
  return { ...inClusterServer(options), credential: bearerToken(token) };
}

function serverOf(env: NodeJS.ProcessEnv): string {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (host && port) return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  throw new AzimuthError(
    'AZ_KUBECONFIG_INVALID',
    'In-cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; outside of a pod set KUBECONFIG',
  );
}

/** Some mounts leave the namespace out; kubectl then takes `default`. */
function namespaceOf(path: string): string {
  return existsSync(path) ? fileText(path, 'In-cluster').read() : 'default';
}
