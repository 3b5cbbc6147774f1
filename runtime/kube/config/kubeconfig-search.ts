import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Where to look for kubeconfig files. */
export interface KubeconfigSearch {
  /** One file, as a flag names it; it must exist, and nothing else is read. */
  readonly kubeconfig?: string;
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv;
}

/** Which kubeconfig, context and cluster to use. */
export interface ConnectionOptions extends KubeconfigSearch {
  /** @default the current context */
  readonly context?: string;
  /** Name of a cluster of the kubeconfig. @default that of the context */
  readonly cluster?: string;
}

/** The files that kubectl would read, whether they exist or not. */
export function kubeconfigPaths({ kubeconfig, env = process.env }: KubeconfigSearch): string[] {
  if (kubeconfig) return [resolve(kubeconfig)];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return [...new Set(listed.map((path) => resolve(path)))];
  return [join(env['HOME'] || homedir(), '.kube', 'config')];
}
