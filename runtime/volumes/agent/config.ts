import { type ScopeRule, tryParseScopeRules } from '../../azure/arm/scopes.ts';
import { expected } from '../../base/errors.ts';
import { multiTenantSetting } from '../../base/flags/multi-tenant.ts';
import {
  type ConfigOf,
  defineProgram,
  type Flag,
  healthAddressFlag,
  kubeconfigFlag,
  logLevelFlag,
  metricsPortFlag,
  optional,
  secondsFrom,
  wholeFrom,
} from '../../base/program.ts';
import { absolutePath, bool, list, named } from '../../base/settings.ts';
import { installerFlags } from '../install/installer-flags.ts';

function scopesOf(text: string, multiTenant: boolean): readonly ScopeRule[] | undefined {
  if (text === '' && !multiTenant) return undefined;
  const rules = tryParseScopeRules(text);
  if (rules) return rules;
  throw expected(named(flags.identityScopes), 'rules of the form `namespace=/subscriptions/…;*=/…`', text);
}

const flags = {
  node: {
    flag: 'node',
    env: 'NODENAME',
    default: '',
    meaning: 'name of the node this agent runs on; the program also reads NODE_NAME',
    parse: (setting, text, { env }) => text(setting) || env['NODE_NAME']?.trim() || '',
  },
  kubeconfig: kubeconfigFlag,
  multiTenant: multiTenantSetting,
  socket: {
    flag: 'socket',
    env: 'AGENT_SOCKET',
    default: '/run/azimuth/volumes/agent.sock',
    meaning: 'socket for the driver; its directory, which becomes 0700, also has the records of volumes',
    parse: absolutePath,
  },
  install: {
    flag: 'install',
    env: 'KV_INSTALL',
    default: 'true',
    boolean: true,
    meaning: "install the driver azure/kv in kubelet's plugin directory, and keep it there",
    parse: bool,
  },
  ...installerFlags,
  settingsFile: {
    flag: 'settings',
    env: 'KV_SETTINGS',
    default: '',
    meaning: "file with the node's settings of volumes, for the driver and the agent; the defaults when empty",
    parse: optional,
  },
  intervalMs: {
    flag: 'interval',
    env: 'KV_INTERVAL',
    default: '300',
    meaning: 'seconds between two checks of the installed driver',
    parse: secondsFrom(1, 86_400),
  },
  remove: {
    flag: 'remove',
    env: 'KV_REMOVE',
    default: 'false',
    boolean: true,
    meaning: 'remove the driver, then wait for a signal to stop',
    parse: bool,
  },
  nmiPort: {
    flag: 'nmi-port',
    env: 'NMI_PORT',
    default: '2579',
    meaning: 'accepted and not used: the agent uses nmi-socket',
    parse: wholeFrom(1, 65_535),
  },
  nmiSocket: {
    flag: 'nmi-socket',
    env: 'NMI_SOCKET',
    default: '/var/run/azimuth/nmi/nmi.sock',
    meaning: 'Unix socket of the node daemon (azimuth nmi); root must own the socket and its directory',
    parse: absolutePath,
  },
  identityScopes: {
    flag: 'identity-scopes',
    env: 'AZIMUTH_IDENTITY_SCOPES',
    default: '',
    meaning:
      'identities of the machine that volumes may use, as `namespace=/ARM id;*=/…`; without rules all identities in the ' +
      "node's settings (machineIdentities), none with multi-tenant",
  },
  refreshIntervalMs: {
    flag: 'refresh-interval',
    env: 'REFRESH_INTERVAL',
    default: '120',
    meaning: 'seconds between two reads of a vault for volumes with refresh: "true"',
    parse: secondsFrom(10, 86_400),
  },
  restartNamespaces: {
    flag: 'restart-namespaces',
    env: 'RESTART_NAMESPACES',
    default: '',
    meaning: 'namespaces, separated by commas, whose workloads the agent may restart when their vault objects change',
    parse: list,
  },
  renewableSecrets: {
    flag: 'renewable-secrets',
    env: 'RENEWABLE_SECRETS',
    default: '',
    meaning:
      'Secrets of service principals, as namespace/name separated by commas, that the agent reads again when Microsoft Entra ID refuses the content from kubelet',
    parse: list,
  },
  csiSocket: {
    flag: 'csi-socket',
    env: 'CSI_SOCKET',
    default: '',
    meaning:
      'socket of the CSI provider, such as /var/run/secrets-store-csi-providers/azure.sock; no provider when empty',
    parse: (setting, text) => (text(setting) === '' ? undefined : absolutePath(setting, text)),
  },
  csiSeparateFiles: {
    flag: 'csi-separate-files',
    env: 'CSI_SEPARATE_FILES',
    default: 'false',
    boolean: true,
    meaning: 'add files .crt and .key beside each certificate with its key in CSI volumes',
    parse: bool,
  },
  csiNodeVolumeBytes: {
    flag: 'csi-node-volume-bytes',
    env: 'CSI_NODE_VOLUME_BYTES',
    default: '104857600',
    meaning:
      'memory in bytes of the Secrets Store CSI driver that the CSI volumes of the node may take together, each counted ' +
      "twice for its rotation; a namespace may have as much as stays free for others. The default is a half of the driver's limit",
    parse: wholeFrom(1024 * 1024),
  },
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8087',
    meaning: 'port of /healthz and /readyz; 0 picks a free one',
    parse: wholeFrom(0, 65_535),
  },
  metricsPort: metricsPortFlag(8447),
  healthAddress: healthAddressFlag,
  logLevel: logLevelFlag,
} as const satisfies Record<string, Flag>;

const program = defineProgram({
  name: 'volumes',
  description: [
    'Puts the driver azure/kv on its node, authenticates the pods that mount vault objects, reads them, and keeps those',
    'volumes up to date that ask for it. With --csi-socket it is a provider of the Secrets Store CSI driver too.',
  ],
  flags,
  complete({ nmiPort: _, ...values }) {
    const { node, remove, identityScopes, multiTenant } = values;
    if (node === '' && !remove) throw expected(named(flags.node), 'the name of the node', node);
    return {
      ...values,
      /** Undefined: no rules. */
      identityScopes: scopesOf(identityScopes, multiTenant),
    };
  },
});

/** The flags of `azimuth volumes`; times in milliseconds once parsed. */
export const agentSettings = program.flags;
/** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID naming flag and variable. */
export const agentConfig = program.read;
/** The help text of `azimuth volumes`. */
export const agentHelp = program.help;
/** The configuration of `azimuth volumes`. */
export type AgentConfig = ConfigOf<typeof agentConfig>;
