import { shortestRefresh } from '../../../runtime/api/volumes/vault-objects.ts';
import { maxUnavailableProblems } from '../../private/node-daemon.ts';
import { programProblems } from '../../private/program-pod.ts';
import { scopeProblems } from '../../private/scope-list.ts';
import type { KeyVaultVolumesProps } from '../key-vault-volumes-props.ts';

const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The problems of the properties, which synthesis reports all at once; empty for valid properties. */
export function agentProblems(props: KeyVaultVolumesProps): string[] {
  return [
    ...programProblems(props),
    ...maxUnavailableProblems(props.maxUnavailable ?? '10%'),
    ...nodeProblems(props),
    ...namespaceProblems(props),
    ...driverProblems(props),
    ...cloudProblems(props),
    ...scopeProblems('identityScopes', props.identityScopes),
    ...settingsProblems(props),
  ];
}

/** Directories, times and ports of the node. */
function nodeProblems({ csi, pluginDirectory, kubeletDirectory, refreshInterval, nmiPort }: KeyVaultVolumesProps) {
  const found: string[] = [];
  const { directory } = csi ?? {};
  for (const [name, value] of Object.entries({ pluginDirectory, kubeletDirectory, 'csi.directory': directory })) {
    if (value !== undefined && !/^(\/[^/\0]+)+$/.test(value)) {
      found.push(`Expected \`${name}\` to be an absolute path, got \`${value}\``);
    }
  }
  const seconds = refreshInterval?.toSeconds({ integral: false }) ?? shortestRefresh;
  if (!Number.isInteger(seconds) || seconds < shortestRefresh) {
    found.push(`Expected \`refreshInterval\` to be whole seconds, ${shortestRefresh} at least, got \`${seconds} s\``);
  }
  if (nmiPort !== undefined && !(Number.isInteger(nmiPort) && nmiPort >= 1 && nmiPort <= 65_535)) {
    found.push(`Expected \`nmiPort\` to be a port, got \`${nmiPort}\``);
  }
  return found;
}

/** Names of namespaces and of Secrets in them. */
function namespaceProblems({ renewableSecrets: renewable = [], restartNamespaces = [] }: KeyVaultVolumesProps) {
  const found: string[] = [];
  for (const { namespace, names } of renewable) {
    if (!namespacePattern.test(namespace) || renewable.filter((other) => other.namespace === namespace).length > 1) {
      found.push(`Expected \`renewableSecrets\` to name each namespace once, got \`${namespace}\``);
    }
    for (const name of names.length > 0 ? names : ['']) {
      if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) {
        found.push(`Expected \`renewableSecrets\` to have names of Secrets of ${namespace}, got \`${name}\``);
      }
    }
  }
  for (const namespace of restartNamespaces) {
    if (!namespacePattern.test(namespace)) {
      found.push(`Expected \`restartNamespaces\` to be names of namespaces, got \`${namespace}\``);
    }
  }
  return found;
}

/** The two drivers, one of which serves volumes at least. */
function driverProblems({ csi, flex, remove }: KeyVaultVolumesProps) {
  const found: string[] = [];
  const { provider = 'azure' } = csi ?? {};
  if (!/^[a-zA-Z0-9_-]{1,30}$/.test(provider)) {
    found.push(`Expected \`csi.provider\` to be 1 to 30 letters, digits, - and _, got \`${provider}\``);
  }
  if (flex === false && csi === undefined) {
    found.push('Expected `csi` to be set where `flex` is false: the agent would serve no volume');
  }
  if (flex === false && remove) {
    found.push('Expected `remove` to be without `flex: false`: it takes the driver away itself');
  }
  return found;
}

/** The endpoints of the cloud. */
function cloudProblems({ cloud, settings }: KeyVaultVolumesProps) {
  const found: string[] = [];
  if (cloud && settings && 'cloud' in settings) {
    found.push('Expected `settings` to be without `cloud`, which has a prop of its own');
  }
  const { activeDirectoryEndpoint, keyVaultEndpoint, resourceManagerEndpoint, keyVaultDNSSuffix } = cloud ?? {};
  for (const [name, value] of Object.entries({ activeDirectoryEndpoint, keyVaultEndpoint, resourceManagerEndpoint })) {
    const url = value === undefined ? undefined : URL.parse(value);
    if (value !== undefined && (url?.protocol !== 'https:' || url.username !== '' || url.search !== '')) {
      found.push(
        `Expected \`cloud.${name}\` to be an https URL without user and query, got \`${url?.username ? 'one with a user' : value}\``,
      );
    }
  }
  if (
    keyVaultDNSSuffix !== undefined &&
    !/^\.?[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:\d{1,5})?$/.test(keyVaultDNSSuffix)
  ) {
    found.push(`Expected \`cloud.keyVaultDNSSuffix\` to be the end of a host name, got \`${keyVaultDNSSuffix}\``);
  }
  return found;
}

/** Settings that the agent sets itself, or that others rule out. */
function settingsProblems({ multiTenant, settings }: KeyVaultVolumesProps) {
  const found: string[] = [];
  if (multiTenant && settings?.['machineIdentities'] === 'any') {
    found.push('Expected `settings.machineIdentities` to list client ids with `multiTenant`, got `any`');
  }
  if (settings && 'agentSocket' in settings) {
    found.push('Expected `settings` to be without `agentSocket`, which the agent sets');
  }
  return found;
}
