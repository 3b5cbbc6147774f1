import { portalCloudNames } from '../api/clouds/cloud-names.ts';
import { tryPortalOf } from '../azure/clouds.ts';
import { expected } from '../base/errors.ts';
import { clusterFlags } from '../base/flags/cluster-flags.ts';
import { defineProgram, type Flag, switchFlag, wholeFrom } from '../base/program.ts';
import { named } from '../base/settings.ts';

const hostName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?(:[0-9]{1,5})?$/;

const program = defineProgram({
  name: 'ui',
  description: [
    'Serves a page that shows the Azure resources, identities and Key Vault volumes of the cluster, on a loopback address.',
    'It reads only. The page works with the rights of your kubeconfig; with --in-cluster, with the token of each reader.',
  ],
  flags: {
    port: {
      flag: 'port',
      short: 'p',
      value: 'PORT',
      default: '0',
      meaning: 'port on 127.0.0.1; a free one when 0',
      parse: wholeFrom(0, 65_535),
    },
    ...clusterFlags,
    inCluster: switchFlag('in-cluster', 'serve readers who send tokens of their own; no right of the pod is used'),
    hosts: {
      flag: 'host',
      value: 'NAME',
      default: '',
      multiple: true,
      meaning: 'further host name under which browsers reach the page, with its port; may be repeated',
      parse: (setting, _text, { all }) =>
        all(setting).map((name) => {
          if (hostName.test(name.toLowerCase())) return name.toLowerCase();
          throw expected(named(setting), 'a host name, with a port where it is not that of the scheme', name);
        }),
    },
    portal: {
      flag: 'cloud',
      env: 'AZURE_ENVIRONMENT',
      value: 'NAME',
      default: 'AzurePublicCloud',
      meaning: 'cloud whose portal the page links to; AzureStackCloud for no links',
      parse: (setting, text, { flag }) => {
        const portal = tryPortalOf(text(setting));
        if (portal !== undefined) return portal;
        // The variable is that of other programs too, which may have names of their own for clouds.
        if (flag(setting) === undefined) return '';
        throw expected(named(setting), `one of ${portalCloudNames}`, text(setting));
      },
    },
  } as const satisfies Record<string, Flag>,
  footer: ['Exit code: 0 after a signal ended it.'],
  complete: (values) => values,
});

/** Flags of `azimuth ui`. */
export const uiFlags = program.flags;
/** The text of `azimuth ui --help`. */
export const uiHelp = program.help;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const uiConfig = program.read;
