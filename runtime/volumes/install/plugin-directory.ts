import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readBoundedTextSync } from '../../base/bounded-file.ts';

/** kubelet's plugin directory by distribution; the last one is kubelet's default. */
export const pluginDirectories = {
  AKS: '/etc/kubernetes/volumeplugins',
  GKE: '/home/kubernetes/flexvolume',
  OpenShift: '/etc/kubernetes/kubelet-plugins/volume/exec',
  RKE: '/var/lib/kubelet/volumeplugins',
  kubeadm: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec',
} as const;

const kubeletConfigs = ['/var/lib/kubelet/config.yaml', '/etc/kubernetes/kubelet/kubelet-config.json'];

/**
 * The plugin directory of this machine's kubelet, as a path of the host: from kubelet's configuration file, else the
 * first known directory that exists, else kubelet's default. `hostRoot`: mount point of the host's `/`.
 */
export function pluginDirectoryOf(hostRoot: string): string {
  for (const file of kubeletConfigs) {
    const configured = volumePluginDir(join(hostRoot, file));
    if (configured !== undefined) return configured;
  }
  const knownDirectories = Object.values(pluginDirectories);
  return knownDirectories.find((directory) => existsSync(join(hostRoot, directory))) ?? pluginDirectories.kubeadm;
}

function volumePluginDir(file: string): string | undefined {
  try {
    const { volumePluginDir: configured } = (parse(readBoundedTextSync(file)) ?? {}) as {
      readonly volumePluginDir?: unknown;
    };
    return typeof configured === 'string' && configured.startsWith('/') ? configured : undefined;
  } catch {
    // No kubelet of this node uses this file.
    return undefined;
  }
}
