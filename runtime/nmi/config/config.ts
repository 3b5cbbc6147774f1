import { dirname, join } from 'node:path';
import { AzimuthError, expected } from '../../base/errors.ts';
import { klogFlags } from '../../base/flags/klog-flags.ts';
import { type ConfigOf, defineProgram, type Flag, logLevelFlag } from '../../base/program.ts';
import { named } from '../../base/settings.ts';
import { addressFlags } from './address-flags.ts';
import { identityFlags } from './identity-flags.ts';
import { refuseKubenet } from './kubenet.ts';
import { redirectionFlags } from './redirection-flags.ts';
import { requestFlags } from './request-flags.ts';

/** Upstream's flags without an effect here, each with the reason. Accepted, so that upstream's arguments keep working. */
export const retiredFlags: Readonly<Record<string, string>> = {
  MICNamespace: 'only --excepted-accounts and AzurePodIdentityException except pods',
  'prometheus-port': '--metrics-port has the metrics, for readers with a token',
  enableProfile: 'use the profiling flags of Node.js',
  'log-format': 'the log is JSON',
  'custom-user-agent': 'not sent',
  ...klogFlags.meanings,
};

const flags = {
  ...addressFlags,
  ...identityFlags,
  ...requestFlags,
  ...redirectionFlags,
  logLevel: logLevelFlag,
} as const satisfies Record<string, Flag>;

const program = defineProgram({
  name: 'nmi',
  description: ["Serves the metadata endpoint to this node's pods: tokens of the identities they are bound to."],
  flags,
  ignored: { meanings: retiredFlags, booleans: new Set(['enableProfile', ...klogFlags.booleans]) },
  footer: [`Accepted without effect: ${Object.keys(retiredFlags).join(', ')}`],
  complete(values, { ignored }) {
    const { node, cleanup, mode, hostTokenFile } = values;
    if (node === '' && !cleanup) throw expected(named(flags.node), 'the name of the node', node);
    const forceNamespaced = values.forceNamespaced || values.multiTenant;
    if (mode === 'managed' && !forceNamespaced) {
      // Upstream's text, with its spelling mistake.
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        'managed mode not intialized in force namespaced mode: set --forceNamespaced',
      );
    }
    if (!cleanup && !values.allowKubenet) refuseKubenet(values.kubeletConfig);
    const hostSocket = values.hostSocket || join(dirname(hostTokenFile), 'nmi.sock');
    return {
      ...values,
      /** True under the multi-tenant profile. */
      forceNamespaced,
      /** Undefined: none. */
      hostSocket: hostSocket === 'off' ? undefined : hostSocket,
      /** Flags without an effect that the command line has. */
      retired: ignored,
    };
  },
});

/** The flags of `azimuth nmi`; times in milliseconds once parsed. */
export const settings = program.flags;
/** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID naming flag and variable. */
export const nmiConfig = program.read;
/** The help text of `azimuth nmi`. */
export const nmiHelp = program.help;
/** The configuration of `azimuth nmi`. */
export type NmiConfig = ConfigOf<typeof nmiConfig>;
