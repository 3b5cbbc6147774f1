import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identityScopesSetting } from '../azure/identity/identity-policy.ts';
import { imdsEndpointSetting } from '../azure/identity/imds.ts';
import { AzimuthError, expected } from '../base/errors.ts';
import { klogFlags } from '../base/klog-flags.ts';
import { multiTenantSetting } from '../base/multi-tenant.ts';
import {
  type ConfigOf,
  defineProgram,
  type Flag,
  healthAddressFlag,
  kubeconfigFlag,
  logLevelFlag,
  secondsFrom,
  wholeFrom,
} from '../base/program.ts';
import { address, addresses, bool, list, named, oneOf, type Setting, type Text, whole } from '../base/settings.ts';
import { type AllowedPath, parseAllowedPath } from './http/allowed-paths.ts';

/** Flags of upstream that are accepted, so that its arguments keep working, and mean nothing here. */
export const retiredFlags: Readonly<Record<string, string>> = {
  MICNamespace: 'only AzurePodIdentityException excepts pods',
  'prometheus-port': 'metrics are on the health port',
  enableProfile: 'use the profiling flags of Node.js',
  'log-format': 'the log is JSON',
  'custom-user-agent': 'not sent',
  ...klogFlags.meanings,
};

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

function allowedPaths(setting: Setting, text: Text): AllowedPath[] {
  return text(setting)
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => parseAllowedPath(entry, named(setting)));
}

const flags = {
  node: {
    flag: 'node',
    env: 'NODENAME',
    default: '',
    meaning: 'name of the node this daemon runs on; the program also reads NODE_NAME',
    parse: (setting, text, { env }) => text(setting) || env['NODE_NAME']?.trim() || '',
  },
  kubeconfig: kubeconfigFlag,
  listenAddress: {
    flag: 'nmi-listen-address',
    env: 'NMI_LISTEN_ADDRESS',
    default: '127.0.0.1',
    meaning: 'address for callers on the node; pods use the redirection',
    parse: address,
  },
  port: {
    flag: 'nmi-port',
    env: 'NMI_PORT',
    default: '2579',
    meaning: 'port of the metadata endpoint',
    parse: wholeFrom(0, 65_535),
  },
  metadataIps: {
    flag: 'metadata-ip',
    env: 'METADATA_IP',
    default: '169.254.169.254',
    meaning: 'addresses of the metadata endpoint for pods, separated by commas; the daemon redirects IPv6 ones too',
    parse: addresses,
  },
  metadataPort: {
    flag: 'metadata-port',
    env: 'METADATA_PORT',
    default: '80',
    meaning: 'port of the metadata endpoint for pods',
    parse: wholeFrom(1, 65_535),
  },
  redirectIps: {
    flag: 'redirect-ip',
    env: 'REDIRECT_IP',
    default: '169.254.169.253,fd61:7a69:6d75:7468::fd',
    meaning: 'addresses on the loopback interface for redirected connections, one for each family',
    parse: addresses,
  },
  hostIps: {
    flag: 'host-ip',
    env: 'HOST_IP',
    default: '',
    meaning: 'addresses of the node, separated by commas; a caller with one of them is never a pod',
    parse: addresses,
  },
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8085',
    aliases: ['http-probe-port'],
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
    parse: wholeFrom(0, 65_535),
  },
  healthAddress: healthAddressFlag,
  mode: {
    flag: 'operation-mode',
    env: 'OPERATION_MODE',
    default: 'standard',
    meaning: 'standard: assigned identities decide; managed: bindings of the own namespace decide',
    parse: (setting, text) => oneOf(setting, (each) => text(each).toLowerCase(), ['standard', 'managed']),
  },
  forceNamespaced: {
    flag: 'forceNamespaced',
    env: 'FORCENAMESPACED',
    default: 'false',
    boolean: true,
    meaning: 'pod, binding and identity must share a namespace; needed in managed mode',
    parse: bool,
  },
  multiTenant: multiTenantSetting,
  scopes: identityScopesSetting,
  scaleFeatures: {
    flag: 'enableScaleFeatures',
    env: 'ENABLE_SCALE_FEATURES',
    default: 'true',
    boolean: true,
    meaning: "watch this node's assigned identities only, by their nodename label",
    parse: bool,
  },
  blockInstanceMetadata: {
    flag: 'block-instance-metadata',
    env: 'BLOCK_INSTANCE_METADATA',
    default: 'false',
    boolean: true,
    meaning: 'refuse /metadata/instance',
    parse: bool,
  },
  metadataPaths: {
    flag: 'metadata-paths',
    env: 'METADATA_PATHS',
    default: '',
    meaning:
      'further requests of pods that the daemon forwards to the metadata endpoint, such as `POST /metadata/scheduledevents`, ' +
      'separated by commas; `/*` at the end stands for the paths below',
    parse: allowedPaths,
  },
  metadataHeaderRequired: {
    flag: 'metadata-header-required',
    env: 'METADATA_HEADER_REQUIRED',
    default: 'true',
    boolean: true,
    meaning: 'refuse requests without the header Metadata: true',
    parse: bool,
  },
  attemptsForCreated: {
    flag: 'retry-attempts-for-created',
    env: 'RETRY_ATTEMPTS_FOR_CREATED',
    default: '16',
    meaning: 'times the interval below: how long a request waits until an assignment begins',
    parse: wholeFrom(0, 1000),
  },
  attemptsForAssigned: {
    flag: 'retry-attempts-for-assigned',
    env: 'RETRY_ATTEMPTS_FOR_ASSIGNED',
    default: '4',
    meaning: 'times the interval: how much longer it waits for an assignment that has begun',
    parse: wholeFrom(0, 1000),
  },
  retryIntervalSeconds: {
    flag: 'find-identity-retry-interval',
    env: 'FIND_IDENTITY_RETRY_INTERVAL',
    default: '5',
    meaning: 'seconds; only bounds the wait, which the watch ends at once',
    parse: wholeFrom(0, 600),
  },
  setRetryAfter: {
    flag: 'set-retry-after-header',
    env: 'SET_RETRY_AFTER_HEADER',
    default: 'false',
    boolean: true,
    meaning: 'answer 503 with Retry-After in place of 404 where no assignment exists after the wait',
    parse: bool,
  },
  imdsEndpoint: imdsEndpointSetting,
  authorityHosts: {
    flag: 'authority-hosts',
    env: 'AUTHORITY_HOSTS',
    default: '',
    meaning: "hosts that an AzureIdentity's adEndpoint may name besides those of Azure's clouds, separated by commas",
    parse: (setting, text) => list(setting, text).map((host) => host.toLowerCase()),
  },
  tokenCacheMs: {
    flag: 'token-cache',
    env: 'TOKEN_CACHE',
    default: '300',
    meaning: 'seconds for which the daemon reuses a token; off or 0 requests a new one each time',
    parse: (setting, text) => (text(setting) === 'off' ? 0 : whole(setting, text, 0, 3600) * 1000),
  },
  secretRefreshMs: {
    flag: 'secret-refresh',
    env: 'SECRET_REFRESH',
    default: '10',
    meaning: 'seconds after which the daemon reads a Secret in use again',
    parse: secondsFrom(0, 3600),
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
    parse: bool,
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
    parse: bool,
  },
  iptables: {
    flag: 'iptables',
    env: 'IPTABLES',
    default: 'auto',
    meaning: 'auto, nft, legacy; off redirects nothing',
    parse: (setting, text) => oneOf(setting, text, ['auto', 'nft', 'legacy', 'off']),
  },
  iptablesIntervalMs: {
    flag: 'ipt-update-interval-sec',
    env: 'IPT_UPDATE_INTERVAL_SEC',
    default: '60',
    meaning: 'seconds between two checks of the rules',
    parse: secondsFrom(1, 86_400),
  },
  conntrack: {
    flag: 'enable-conntrack-deletion',
    env: 'ENABLE_CONNTRACK_DELETION',
    default: 'true',
    boolean: true,
    meaning: "end pods' connections to the metadata endpoint that are older than the rules",
    parse: bool,
  },
  allowKubenet: {
    flag: 'allow-network-plugin-kubenet',
    env: 'ALLOW_NETWORK_PLUGIN_KUBENET',
    default: 'false',
    boolean: true,
    meaning: 'start although pods share one bridge, where a pod can use the address of another',
    parse: bool,
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
    parse: bool,
  },
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
      // Upstream's words, typing error included.
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
      /** Flags given that mean nothing here. */
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
