import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Where kubelet looks for drivers, by distribution; the last is kubelet's own default. */
export const pluginDirectories = {
  AKS: '/etc/kubernetes/volumeplugins',
  GKE: '/home/kubernetes/flexvolume',
  OpenShift: '/etc/kubernetes/kubelet-plugins/volume/exec',
  RKE: '/var/lib/kubelet/volumeplugins',
  kubeadm: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec',
} as const;

const kubeletConfigs = ['/var/lib/kubelet/config.yaml', '/etc/kubernetes/kubelet/kubelet-config.json'];

/**
 * The plugin directory of the kubelet on this machine, as the host sees it: what kubelet's configuration file says, else
 * the first of the known directories that is there, else kubelet's default. `hostRoot` is where the host's `/` is mounted.
 */
export function pluginDirectoryOf(hostRoot: string): string {
  for (const file of kubeletConfigs) {
    const told = volumePluginDir(join(hostRoot, file));
    if (told !== undefined) return told;
  }
  const known = Object.values(pluginDirectories);
  return known.find((directory) => existsSync(join(hostRoot, directory))) ?? pluginDirectories.kubeadm;
}

function volumePluginDir(file: string): string | undefined {
  try {
    const { volumePluginDir: told } = (parse(readFileSync(file, 'utf8')) ?? {}) as {
      readonly volumePluginDir?: unknown;
    };
    return typeof told === 'string' && told.startsWith('/') ? told : undefined;
  } catch {
    // No kubelet is set up that way here.
    return undefined;
  }
}
