import { type ScopeRule, tryParseScopeRules } from '../../azure/arm/scopes.ts';
import { expected } from '../../base/errors.ts';
import { multiTenantSetting } from '../../base/multi-tenant.ts';
import type { LogLevel } from '../../base/observability/log.ts';
import {
  absolutePath,
  bool,
  type Environment,
  list,
  logLevel,
  named,
  readSettings,
  type Setting,
  settingRows,
  whole,
} from '../../base/settings.ts';

export const agentSettings = {
  node: {
    flag: 'node',
    env: 'NODENAME',
    default: '',
    meaning: 'name of the node this agent runs on; the program also reads NODE_NAME',
  },
  kubeconfig: {
    flag: 'kubeconfig',
    env: 'KUBECONFIG',
    default: '',
    meaning: "kubeconfig file; the pod's own service account when there is none",
  },
  multiTenant: multiTenantSetting,
  socket: {
    flag: 'socket',
    env: 'AGENT_SOCKET',
    default: '/run/azimuth/volumes/agent.sock',
    meaning: 'socket for the driver; its directory, which becomes 0700, also has the records of volumes',
  },
  install: {
    flag: 'install',
    env: 'KV_INSTALL',
    default: 'true',
    boolean: true,
    meaning: "install the driver azure/kv in kubelet's plugin directory, and keep it there",
  },
  targetDir: {
    flag: 'target-dir',
    env: 'TARGET_DIR',
    default: '',
    meaning: "kubelet's plugin directory; detected on the host when empty",
  },
  hostRoot: { flag: 'host-root', env: 'HOST_ROOT', default: '/', meaning: "mount point of the host's /" },
  source: {
    flag: 'source',
    env: 'KV_SOURCE',
    default: 'dist/kv',
    meaning: 'the driver, with its digest <file>.sha256 beside it',
  },
  settings: {
    flag: 'settings',
    env: 'KV_SETTINGS',
    default: '',
    meaning: "file with the node's settings of volumes, for the driver and the agent; the defaults when empty",
  },
  interval: {
    flag: 'interval',
    env: 'KV_INTERVAL',
    default: '300',
    meaning: 'seconds between two checks of the installed driver',
  },
  remove: {
    flag: 'remove',
    env: 'KV_REMOVE',
    default: 'false',
    boolean: true,
    meaning: 'remove the driver, then wait for a signal to stop',
  },
  nmiPort: {
    flag: 'nmi-port',
    env: 'NMI_PORT',
    default: '2579',
    meaning: 'accepted and not used: the agent uses nmi-socket',
  },
  nmiSocket: {
    flag: 'nmi-socket',
    env: 'NMI_SOCKET',
    default: '/var/run/azimuth/nmi/nmi.sock',
    meaning: 'Unix socket of the node daemon (azimuth nmi); root must own the socket and its directory',
  },
  identityScopes: {
    flag: 'identity-scopes',
    env: 'AZIMUTH_IDENTITY_SCOPES',
    default: '',
    meaning:
      'identities of the machine that volumes may use, as `namespace=/ARM id;*=/…`; without rules all identities in the ' +
      "node's settings (machineIdentities), none with multi-tenant",
  },
  refreshInterval: {
    flag: 'refresh-interval',
    env: 'REFRESH_INTERVAL',
    default: '120',
    meaning: 'seconds between two reads of a vault for volumes with refresh: "true"',
  },
  restartNamespaces: {
    flag: 'restart-namespaces',
    env: 'RESTART_NAMESPACES',
    default: '',
    meaning: 'namespaces, separated by commas, whose workloads the agent may restart when their vault objects change',
  },
  renewableSecrets: {
    flag: 'renewable-secrets',
    env: 'RENEWABLE_SECRETS',
    default: '',
    meaning:
      'Secrets of service principals, as namespace/name separated by commas, that the agent reads again when Microsoft Entra ID refuses the content from kubelet',
  },
  csiSocket: {
    flag: 'csi-socket',
    env: 'CSI_SOCKET',
    default: '',
    meaning:
      'socket of the CSI provider, such as /var/run/secrets-store-csi-providers/azure.sock; no provider when empty',
  },
  csiSeparateFiles: {
    flag: 'csi-separate-files',
    env: 'CSI_SEPARATE_FILES',
    default: 'false',
    boolean: true,
    meaning: 'add files .crt and .key beside each certificate with its key in CSI volumes',
  },
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8087',
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
  },
  healthAddress: {
    flag: 'health-address',
    env: 'HEALTH_ADDRESS',
    default: '',
    meaning: 'address to listen on; all when empty',
  },
  logLevel: { flag: 'log-level', env: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn, error or silent' },
} as const satisfies Record<string, Setting>;

export interface AgentConfig {
  readonly node: string;
  readonly kubeconfig: string | undefined;
  readonly multiTenant: boolean;
  readonly socket: string;
  readonly install: boolean;
  /** Undefined: to be found out. */
  readonly targetDirectory: string | undefined;
  readonly hostRoot: string;
  readonly source: string;
  /** Undefined: the defaults. */
  readonly settingsFile: string | undefined;
  readonly intervalMs: number;
  readonly remove: boolean;
  readonly nmiSocket: string;
  /** Undefined: no rules. */
  readonly identityScopes: readonly ScopeRule[] | undefined;
  readonly refreshIntervalMs: number;
  readonly restartNamespaces: readonly string[];
  /** As `namespace/name`. */
  readonly renewableSecrets: readonly string[];
  /** Undefined: no CSI provider. */
  readonly csiSocket: string | undefined;
  readonly csiSeparateFiles: boolean;
  readonly healthPort: number;
  readonly healthAddress: string | undefined;
  readonly logLevel: LogLevel;
}

/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming flag and variable. */
export function agentConfig(argv: readonly string[], env: Environment): AgentConfig | { readonly help: string } {
  const { help, text, flag } = readSettings('volumes', agentSettings, argv, env);
  if (help) return { help: agentHelp() };
  const settings = agentSettings;
  const remove = bool(settings.remove, text);
  const multiTenant = bool(settings.multiTenant, text);
  whole(settings.nmiPort, text, 1, 65_535);
  const node = text(settings.node) || env['NODE_NAME']?.trim() || '';
  if (node === '' && !remove) throw expected(named(settings.node), 'the name of the node', node);
  return {
    node,
    // The variable may list several files, which is the loader's business.
    kubeconfig: flag(settings.kubeconfig) || undefined,
    socket: absolutePath(settings.socket, text),
    install: bool(settings.install, text),
    targetDirectory: text(settings.targetDir) || undefined,
    hostRoot: absolutePath(settings.hostRoot, text),
    source: text(settings.source),
    settingsFile: text(settings.settings) || undefined,
    intervalMs: whole(settings.interval, text, 1, 86_400) * 1000,
    remove,
    nmiSocket: absolutePath(settings.nmiSocket, text),
    multiTenant,
    identityScopes: scopesOf(text(settings.identityScopes), multiTenant),
    refreshIntervalMs: whole(settings.refreshInterval, text, 10, 86_400) * 1000,
    restartNamespaces: list(settings.restartNamespaces, text),
    renewableSecrets: list(settings.renewableSecrets, text),
    csiSocket: text(settings.csiSocket) === '' ? undefined : absolutePath(settings.csiSocket, text),
    csiSeparateFiles: bool(settings.csiSeparateFiles, text),
    healthPort: whole(settings.healthPort, text, 0, 65_535),
    healthAddress: text(settings.healthAddress) || undefined,
    logLevel: logLevel(settings.logLevel, text),
  };
}

function scopesOf(text: string, multiTenant: boolean): readonly ScopeRule[] | undefined {
  if (text === '' && !multiTenant) return undefined;
  const rules = tryParseScopeRules(text);
  if (rules) return rules;
  throw expected(named(agentSettings.identityScopes), 'rules of the form `namespace=/subscriptions/…;*=/…`', text);
}

export function agentHelp(): string {
  return [
    'Usage: azimuth volumes [flags]',
    '',
    'Puts the driver azure/kv on its node, authenticates the pods that mount vault objects, reads them, and keeps those',
    'volumes up to date that ask for it. With --csi-socket it is a provider of the Secrets Store CSI driver too.',
    '',
    'Flags, each with its environment variable:',
    ...settingRows(agentSettings),
  ].join('\n');
}
