import { shortestRefresh } from '../../../runtime/api/volumes/vault-objects.ts';
import { maxUnavailableProblems } from '../../private/node-daemon.ts';
import { programProblems } from '../../private/program-pod.ts';
import { scopeProblems } from '../../private/scope-list.ts';
import type { KeyVaultVolumesProps } from '../key-vault-volumes-props.ts';

const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The problems of the properties, which synthesis reports all at once; empty for valid properties. */
export function agentProblems(props: KeyVaultVolumesProps): string[] {
  const { maxUnavailable = '10%', pluginDirectory, kubeletDirectory, refreshInterval, nmiPort } = props;
  const found = [...programProblems(props), ...maxUnavailableProblems(maxUnavailable)];
  const { directory, provider = 'azure' } = props.csi ?? {};
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
  const renewable = props.renewableSecrets ?? [];
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
  for (const namespace of props.restartNamespaces ?? []) {
    if (!namespacePattern.test(namespace)) {
      found.push(`Expected \`restartNamespaces\` to be names of namespaces, got \`${namespace}\``);
    }
  }
  if (!/^[a-zA-Z0-9_-]{1,30}$/.test(provider)) {
    found.push(`Expected \`csi.provider\` to be 1 to 30 letters, digits, - and _, got \`${provider}\``);
  }
  if (props.flex === false && props.csi === undefined) {
    found.push('Expected `csi` to be set where `flex` is false: the agent would serve no volume');
  }
  if (props.flex === false && props.remove) {
    found.push('Expected `remove` to be without `flex: false`: it takes the driver away itself');
  }
  if (props.cloud && props.settings && 'cloud' in props.settings) {
    found.push('Expected `settings` to be without `cloud`, which has a prop of its own');
  }
  const { activeDirectoryEndpoint, keyVaultEndpoint, resourceManagerEndpoint, keyVaultDNSSuffix } = props.cloud ?? {};
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
  found.push(...scopeProblems('identityScopes', props.identityScopes));
  if (props.multiTenant && props.settings?.['machineIdentities'] === 'any') {
    found.push('Expected `settings.machineIdentities` to list client ids with `multiTenant`, got `any`');
  }
  if (props.settings && 'agentSocket' in props.settings) {
    found.push('Expected `settings` to be without `agentSocket`, which the agent sets');
  }
  return found;
}
