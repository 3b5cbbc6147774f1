import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ScopeRule } from '../azure/arm/scopes.ts';
import { identityScopes, identityScopesSetting } from '../azure/identity/identity-policy.ts';
import { imdsEndpointSetting } from '../azure/identity/imds.ts';
import { AzimuthError, expected } from '../base/errors.ts';
import { klogFlags } from '../base/klog-flags.ts';
import { multiTenantSetting } from '../base/multi-tenant.ts';
import type { LogLevel } from '../base/observability/log.ts';
import {
  address,
  addresses,
  bool,
  type Environment,
  httpUrl,
  logLevel,
  named,
  oneOf,
  readSettings,
  type Setting,
  settingRows,
  whole as wholeOf,
} from '../base/settings.ts';
import { type AllowedPath, parseAllowedPath } from './http/allowed-paths.ts';

export const settings = {
  node: {
    flag: 'node',
    env: 'NODENAME',
    default: '',
    meaning: 'name of the node this daemon runs on; the program also reads NODE_NAME',
  },
  kubeconfig: {
    flag: 'kubeconfig',
    env: 'KUBECONFIG',
    default: '',
    meaning: "kubeconfig file; the pod's own service account when there is none",
  },
  listenAddress: {
    flag: 'nmi-listen-address',
    env: 'NMI_LISTEN_ADDRESS',
    default: '127.0.0.1',
    meaning: 'address for callers on the node; pods use the redirection',
  },
  port: { flag: 'nmi-port', env: 'NMI_PORT', default: '2579', meaning: 'port of the metadata endpoint' },
  metadataIp: {
    flag: 'metadata-ip',
    env: 'METADATA_IP',
    default: '169.254.169.254',
    meaning: 'addresses of the metadata endpoint for pods, separated by commas; the daemon redirects IPv6 ones too',
  },
  metadataPort: {
    flag: 'metadata-port',
    env: 'METADATA_PORT',
    default: '80',
    meaning: 'port of the metadata endpoint for pods',
  },
  redirectIp: {
    flag: 'redirect-ip',
    env: 'REDIRECT_IP',
    default: '169.254.169.253,fd61:7a69:6d75:7468::fd',
    meaning: 'addresses on the loopback interface for redirected connections, one for each family',
  },
  hostIp: {
    flag: 'host-ip',
    env: 'HOST_IP',
    default: '',
    meaning: 'addresses of the node, separated by commas; a caller with one of them is never a pod',
  },
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8085',
    aliases: ['http-probe-port'],
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
  },
  healthAddress: {
    flag: 'health-address',
    env: 'HEALTH_ADDRESS',
    default: '',
    meaning: 'address to listen on; all when empty',
  },
  mode: {
    flag: 'operation-mode',
    env: 'OPERATION_MODE',
    default: 'standard',
    meaning: 'standard: assigned identities decide; managed: bindings of the own namespace decide',
  },
  forceNamespaced: {
    flag: 'forceNamespaced',
    env: 'FORCENAMESPACED',
    default: 'false',
    boolean: true,
    meaning: 'pod, binding and identity must share a namespace; needed in managed mode',
  },
  multiTenant: multiTenantSetting,
  identityScopes: identityScopesSetting,
  scaleFeatures: {
    flag: 'enableScaleFeatures',
    env: 'ENABLE_SCALE_FEATURES',
    default: 'true',
    boolean: true,
    meaning: "watch this node's assigned identities only, by their nodename label",
  },
  blockInstanceMetadata: {
    flag: 'block-instance-metadata',
    env: 'BLOCK_INSTANCE_METADATA',
    default: 'false',
    boolean: true,
    meaning: 'refuse /metadata/instance',
  },
  metadataPaths: {
    flag: 'metadata-paths',
    env: 'METADATA_PATHS',
    default: '',
    meaning:
      'further requests of pods that the daemon forwards to the metadata endpoint, such as `POST /metadata/scheduledevents`, ' +
      'separated by commas; `/*` at the end stands for the paths below',
  },
  metadataHeaderRequired: {
    flag: 'metadata-header-required',
    env: 'METADATA_HEADER_REQUIRED',
    default: 'true',
    boolean: true,
    meaning: 'refuse requests without the header Metadata: true',
  },
  attemptsForCreated: {
    flag: 'retry-attempts-for-created',
    env: 'RETRY_ATTEMPTS_FOR_CREATED',
    default: '16',
    meaning: 'times the interval below: how long a request waits until an assignment begins',
  },
  attemptsForAssigned: {
    flag: 'retry-attempts-for-assigned',
    env: 'RETRY_ATTEMPTS_FOR_ASSIGNED',
    default: '4',
    meaning: 'times the interval: how much longer it waits for an assignment that has begun',
  },
  retryInterval: {
    flag: 'find-identity-retry-interval',
    env: 'FIND_IDENTITY_RETRY_INTERVAL',
    default: '5',
    meaning: 'seconds; only bounds the wait, which the watch ends at once',
  },
  setRetryAfter: {
    flag: 'set-retry-after-header',
    env: 'SET_RETRY_AFTER_HEADER',
    default: 'false',
    boolean: true,
    meaning: 'answer 503 with Retry-After in place of 404 where no assignment exists after the wait',
  },
  imdsEndpoint: imdsEndpointSetting,
  authorityHosts: {
    flag: 'authority-hosts',
    env: 'AUTHORITY_HOSTS',
    default: '',
    meaning: "hosts that an AzureIdentity's adEndpoint may name besides those of Azure's clouds, separated by commas",
  },
  tokenCache: {
    flag: 'token-cache',
    env: 'TOKEN_CACHE',
    default: '300',
    meaning: 'seconds for which the daemon reuses a token; off or 0 requests a new one each time',
  },
  secretRefresh: {
    flag: 'secret-refresh',
    env: 'SECRET_REFRESH',
    default: '10',
    meaning: 'seconds after which the daemon reads a Secret in use again',
  },
  hostSocket: {
    flag: 'host-socket',
    env: 'HOST_SOCKET',
    default: '',
    meaning:
      'Unix socket, for root only, that serves /host/token/ to callers on the node; nmi.sock beside the host token file ' +
      'when empty, none when off',
  },
  hostTokenTcp: {
    flag: 'host-token-tcp',
    env: 'HOST_TOKEN_TCP',
    default: 'false',
    boolean: true,
    meaning: 'serve /host/token/ by TCP on the loopback too, to callers that answer a challenge with the host token',
  },
  hostTokenFile: {
    flag: 'host-token-file',
    env: 'HOST_TOKEN_FILE',
    default: '/var/run/azimuth/nmi/host-token',
    meaning: 'file whose content callers by TCP must know; the daemon makes it if missing with --host-token-tcp',
  },
  allowHostCallers: {
    flag: 'allow-unauthenticated-host-callers',
    env: 'ALLOW_UNAUTHENTICATED_HOST_CALLERS',
    default: 'false',
    boolean: true,
    meaning: 'serve /host/token/ by TCP to everything on the host network, for callers without the challenge',
  },
  iptables: {
    flag: 'iptables',
    env: 'IPTABLES',
    default: 'auto',
    meaning: 'auto, nft, legacy; off redirects nothing',
  },
  iptablesInterval: {
    flag: 'ipt-update-interval-sec',
    env: 'IPT_UPDATE_INTERVAL_SEC',
    default: '60',
    meaning: 'seconds between two checks of the rules',
  },
  conntrack: {
    flag: 'enable-conntrack-deletion',
    env: 'ENABLE_CONNTRACK_DELETION',
    default: 'true',
    boolean: true,
    meaning: "end pods' connections to the metadata endpoint that are older than the rules",
  },
  allowKubenet: {
    flag: 'allow-network-plugin-kubenet',
    env: 'ALLOW_NETWORK_PLUGIN_KUBENET',
    default: 'false',
    boolean: true,
    meaning: 'start although pods share one bridge, where a pod can use the address of another',
  },
  kubeletConfig: {
    flag: 'kubelet-config',
    env: 'KUBELET_CONFIG',
    default: '/etc/default/kubelet',
    meaning: 'file that shows whether the node uses kubenet; optional',
  },
  cleanup: {
    flag: 'cleanup',
    env: 'NMI_CLEANUP',
    default: 'false',
    boolean: true,
    meaning: 'remove every rule, chain and address of this daemon from the node, then end',
  },
  logLevel: { flag: 'log-level', env: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn, error or silent' },
} as const satisfies Record<string, Setting>;

/** Flags of upstream that are accepted, so that its arguments keep working, and mean nothing here. */
export const retiredFlags: Readonly<Record<string, string>> = {
  MICNamespace: 'only AzurePodIdentityException excepts pods',
  'prometheus-port': 'metrics are on the health port',
  enableProfile: 'use the profiling flags of Node.js',
  'log-format': 'the log is JSON',
  'custom-user-agent': 'not sent',
  ...klogFlags.meanings,
};

export interface NmiConfig {
  readonly node: string;
  readonly kubeconfig: string | undefined;
  readonly listenAddress: string;
  readonly port: number;
  readonly metadataIps: readonly string[];
  readonly metadataPort: number;
  readonly redirectIps: readonly string[];
  readonly hostIps: readonly string[];
  readonly healthPort: number;
  readonly healthAddress: string | undefined;
  readonly mode: 'standard' | 'managed';
  /** True under the multi-tenant profile. */
  readonly forceNamespaced: boolean;
  readonly multiTenant: boolean;
  /** Of `--identity-scopes`; undefined where it is not set. */
  readonly scopes: readonly ScopeRule[] | undefined;
  readonly scaleFeatures: boolean;
  readonly blockInstanceMetadata: boolean;
  readonly metadataPaths: readonly AllowedPath[];
  readonly metadataHeaderRequired: boolean;
  readonly attemptsForCreated: number;
  readonly attemptsForAssigned: number;
  readonly retryIntervalSeconds: number;
  readonly setRetryAfter: boolean;
  readonly imdsEndpoint: string;
  readonly authorityHosts: readonly string[];
  /** 0: no cache. */
  readonly tokenCacheMs: number;
  readonly secretRefreshMs: number;
  /** Undefined: none. */
  readonly hostSocket: string | undefined;
  readonly hostTokenTcp: boolean;
  readonly hostTokenFile: string;
  readonly allowHostCallers: boolean;
  readonly iptables: 'auto' | 'nft' | 'legacy' | 'off';
  readonly iptablesIntervalMs: number;
  readonly conntrack: boolean;
  readonly cleanup: boolean;
  readonly logLevel: LogLevel;
  /** Flags given that mean nothing here. */
  readonly retired: readonly string[];
}

/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming flag and variable. */
export function nmiConfig(argv: readonly string[], env: Environment): NmiConfig | { readonly help: string } {
  const retiredOnes = { meanings: retiredFlags, booleans: new Set(['enableProfile', ...klogFlags.booleans]) };
  const { help, text, flag: given, ignored: retired } = readSettings('nmi', settings, argv, env, retiredOnes);
  if (help) return { help: nmiHelp() };
  const flag = (setting: Setting) => bool(setting, text);
  const whole = (setting: Setting, least: number, most?: number) => wholeOf(setting, text, least, most);
  const cleanup = flag(settings.cleanup);
  const node = text(settings.node) || env['NODE_NAME']?.trim() || '';
  if (node === '' && !cleanup) throw expected(named(settings.node), 'the name of the node', node);
  // Case did not matter upstream.
  const mode = oneOf(settings.mode, (setting) => text(setting).toLowerCase(), ['standard', 'managed'] as const);
  const multiTenant = flag(settings.multiTenant);
  const forceNamespaced = flag(settings.forceNamespaced) || multiTenant;
  if (mode === 'managed' && !forceNamespaced) {
    // Upstream's words, typing error included.
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      'managed mode not intialized in force namespaced mode: set --forceNamespaced',
    );
  }
  if (!cleanup && !flag(settings.allowKubenet)) refuseKubenet(text(settings.kubeletConfig));
  const cache = text(settings.tokenCache);
  const hostSocket = text(settings.hostSocket) || join(dirname(text(settings.hostTokenFile)), 'nmi.sock');
  return {
    node,
    // The variable may list several files, which is the loader's business.
    kubeconfig: given(settings.kubeconfig) || undefined,
    listenAddress: address(settings.listenAddress, text),
    port: whole(settings.port, 0, 65_535),
    metadataIps: addresses(settings.metadataIp, text),
    metadataPort: whole(settings.metadataPort, 1, 65_535),
    redirectIps: addresses(settings.redirectIp, text),
    hostIps: addresses(settings.hostIp, text),
    healthPort: whole(settings.healthPort, 0, 65_535),
    healthAddress: text(settings.healthAddress) || undefined,
    mode,
    forceNamespaced,
    multiTenant,
    scopes: identityScopes(text),
    scaleFeatures: flag(settings.scaleFeatures),
    blockInstanceMetadata: flag(settings.blockInstanceMetadata),
    metadataPaths: text(settings.metadataPaths)
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => parseAllowedPath(entry, named(settings.metadataPaths))),
    metadataHeaderRequired: flag(settings.metadataHeaderRequired),
    attemptsForCreated: whole(settings.attemptsForCreated, 0, 1000),
    attemptsForAssigned: whole(settings.attemptsForAssigned, 0, 1000),
    retryIntervalSeconds: whole(settings.retryInterval, 0, 600),
    setRetryAfter: flag(settings.setRetryAfter),
    imdsEndpoint: httpUrl(settings.imdsEndpoint, text),
    authorityHosts: text(settings.authorityHosts)
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    tokenCacheMs: cache === 'off' ? 0 : whole(settings.tokenCache, 0, 3600) * 1000,
    secretRefreshMs: whole(settings.secretRefresh, 0, 3600) * 1000,
    hostSocket: hostSocket === 'off' ? undefined : hostSocket,
    hostTokenTcp: flag(settings.hostTokenTcp),
    hostTokenFile: text(settings.hostTokenFile),
    allowHostCallers: flag(settings.allowHostCallers),
    iptables: oneOf(settings.iptables, text, ['auto', 'nft', 'legacy', 'off'] as const),
    iptablesIntervalMs: whole(settings.iptablesInterval, 1, 86_400) * 1000,
    conntrack: flag(settings.conntrack),
    cleanup,
    logLevel: logLevel(settings.logLevel, text),
    retired,
  };
}

/** `--network-plugin=kubenet` in kubelet's arguments: all pods hang on one bridge, where addresses can be stolen. */
export function isKubenet(kubeletArguments: string): boolean {
  return kubeletArguments.includes('--network-plugin=kubenet');
}

function refuseKubenet(path: string): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return;
  }
  if (!isKubenet(text)) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `${path} says that pods share one bridge (kubenet), where a pod with NET_RAW can take on the address of another; ` +
      'drop NET_RAW from pods and set --allow-network-plugin-kubenet to start nevertheless',
  );
}

export function nmiHelp(): string {
  return [
    'Usage: azimuth nmi [flags]',
    '',
    "Serves the metadata endpoint to this node's pods: tokens of the identities they are bound to.",
    '',
    'Flags, each with its environment variable:',
    ...settingRows(settings),
    '',
    `Accepted without effect: ${Object.keys(retiredFlags).join(', ')}`,
  ].join('\n');
}
