import { expected } from '../../base/errors.ts';
import type { Flag } from '../../base/program.ts';
import { list } from '../../base/settings.ts';
import { trimEndOf } from '../../base/text/text.ts';
import { authorityHosts, clouds } from '../clouds.ts';
import type { CloudEnvironment } from '../types.ts';

/** The setting of the identity controller and of the node daemon, which must have the same hosts. */
export const authorityHostsSetting = {
  flag: 'authority-hosts',
  env: 'AUTHORITY_HOSTS',
  default: '',
  meaning: "hosts that an AzureIdentity's adEndpoint may name besides those of Azure's clouds, separated by commas",
  parse: (setting, text) => list(setting, text).map((host) => host.toLowerCase()),
} as const satisfies Flag;

/** Authorities that AzureIdentities may name besides those of Azure's clouds. */
export interface FurtherAuthorities {
  /** The program's own cloud. @default the public cloud */
  readonly cloud?: Pick<CloudEnvironment, 'authorityHost'>;
  /** Hosts, with a port other than 443. @default none */
  readonly authorityHosts?: readonly string[] | undefined;
}

/**
 * The authority of an AzureIdentity's `adEndpoint`. Client secrets and service account tokens go to it, and the author
 * of the AzureIdentity chooses it: so it must be one of Azure's, or one of --authority-hosts. Throws AZ_CONFIG_INVALID.
 */
export function identityAuthority(
  endpoint: string | undefined,
  { cloud = clouds.AzurePublicCloud, authorityHosts: further = [] }: FurtherAuthorities,
): string {
  if (!endpoint) return cloud.authorityHost;
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw expected('adEndpoint of the AzureIdentity', 'an https URL', url?.username ? 'a URL with a user' : endpoint);
  }
  const cloudHost = URL.parse(cloud.authorityHost)?.host;
  if (url.host !== cloudHost && !authorityHosts.has(url.host) && !further.includes(url.host)) {
    throw expected('adEndpoint of the AzureIdentity', 'an authority of Azure, or one of --authority-hosts', url.host);
  }
  return trimEndOf(`${url.origin}${url.pathname}`, '/');
}
