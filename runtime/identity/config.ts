import { hostname } from 'node:os';
import type { ScopeRule } from '../azure/arm/scopes.ts';
import { identityScopes, identityScopesSetting } from '../azure/identity/identity-policy.ts';
import { imdsEndpointSetting } from '../azure/identity/imds.ts';
import { klogFlags } from '../base/klog-flags.ts';
import { multiTenantSetting } from '../base/multi-tenant.ts';
import type { LogLevel } from '../base/observability/log.ts';
import {
  bool,
  duration,
  type Environment,
  httpUrl,
  list,
  logLevel,
  readSettings,
  type Setting,
  settingRows,
  whole,
} from '../base/settings.ts';

export const identitySettings = {
  kubeconfig: {
    flag: 'kubeconfig',
    env: 'KUBECONFIG',
    default: '',
    meaning: "kubeconfig file; the pod's own service account when there is none",
  },
  cloudconfig: {
    flag: 'cloudconfig',
    env: 'CLOUD_CONFIG',
    default: '',
    meaning:
      "the cloud provider's configuration (azure.json or YAML), which the controller reads again when it changes; the environment when empty",
  },
  forceNamespaced: {
    flag: 'forceNamespaced',
    env: 'FORCENAMESPACED',
    default: 'false',
    meaning: 'bindings and identities apply to pods of their own namespace only',
    boolean: true,
  },
  multiTenant: multiTenantSetting,
  identityScopes: identityScopesSetting,
  attachEarly: {
    flag: 'attach-before-window',
    env: 'ATTACH_BEFORE_WINDOW',
    default: '10m',
    meaning:
      'time before an availability window opens at which the controller attaches the identity; off: windows attach and detach nothing',
  },
  immutableUserMsis: {
    flag: 'immutable-user-msis',
    env: 'IMMUTABLE_USER_MSIS',
    default: '',
    meaning:
      'client ids, separated by commas, of identities that the controller never detaches; the cluster identity is always one',
  },
  createDeleteBatch: {
    flag: 'createDeleteBatch',
    env: 'CREATE_DELETE_BATCH',
    default: '20',
    meaning: 'AzureAssignedIdentities that the controller writes at a time',
  },
  reconcileInterval: {
    flag: 'identity-assignment-reconcile-interval',
    env: 'IDENTITY_ASSIGNMENT_RECONCILE_INTERVAL',
    default: '3m',
    meaning: 'time between two reads of a machine in sync; a read attaches detached identities again',
  },
  leaderElection: {
    flag: 'leader-election',
    env: 'ENABLE_LEADER_ELECTION',
    default: 'true',
    meaning: 'whether replicas elect a leader by a Lease',
    boolean: true,
  },
  leaseInstance: {
    flag: 'leader-election-instance',
    env: 'LEADER_ELECTION_INSTANCE',
    default: '',
    meaning: "first part of this replica's name as holder of the Lease; the host name when empty",
  },
  leaseNamespace: {
    flag: 'leader-election-namespace',
    env: 'POD_NAMESPACE',
    default: '',
    meaning: "namespace of the Lease; MIC_POD_NAMESPACE or the connection's namespace when empty",
  },
  leaseName: {
    flag: 'leader-election-name',
    env: 'LEADER_ELECTION_NAME',
    default: 'azimuth-identity',
    meaning: 'name of the Lease',
  },
  leaseDuration: {
    flag: 'leader-election-duration',
    env: 'LEADER_ELECTION_DURATION',
    default: '15s',
    meaning: 'how long other replicas wait after the last renewal that they saw',
  },
  healthPort: {
    flag: 'health-port',
    aliases: ['http-probe-port'],
    env: 'HEALTH_PORT',
    default: '8080',
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
  },
  healthAddress: {
    flag: 'health-address',
    env: 'HEALTH_ADDRESS',
    default: '',
    meaning: 'address to listen on; all when empty',
  },
  userAgent: {
    flag: 'custom-user-agent',
    env: 'AZURE_USER_AGENT_SUFFIX',
    default: '',
    meaning: 'added to the User-Agent of requests to Azure',
  },
  pollInterval: {
    flag: 'poll-interval',
    env: 'AZURE_POLL_INTERVAL',
    default: '5s',
    meaning: 'longest time between two polls of an operation where Azure names none; the first comes after 20 ms',
  },
  imdsEndpoint: imdsEndpointSetting,
  logLevel: { flag: 'log-level', env: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn, error or silent' },
} as const satisfies Record<string, Setting>;

/** Flags of MIC that have no meaning here; they are accepted, so that its manifests start, and named in the log. */
export const ignoredFlags: Readonly<Record<string, string>> = {
  clientQps: 'the program has no limit of its own: the API server has one',
  syncRetryDuration: 'the controller retries each failure after its own delay',
  'update-user-msi-max-retry': 'the controller retries a refused identity separately, without end',
  'update-user-msi-retry-interval': 'the wait grows from 15 s to 10 min',
  'prometheus-port': 'the health port serves metrics',
  'config-map-name': 'there is nothing to upgrade',
  'type-upgrade-status-key': 'there is nothing to upgrade',
  'enable-type-upgrade': 'there is nothing to upgrade',
  enableScaleFeatures: 'it never had a meaning for MIC',
  enableProfile: 'use node --inspect',
  'log-format': 'lines are always JSON',
  ...klogFlags.meanings,
};

const ignoredBooleans = new Set(['enable-type-upgrade', 'enableScaleFeatures', 'enableProfile', ...klogFlags.booleans]);

export interface IdentityConfig {
  readonly kubeconfig: string | undefined;
  readonly cloudconfig: string;
  /** True under the multi-tenant profile. */
  readonly forceNamespaced: boolean;
  readonly multiTenant: boolean;
  /** Of `--identity-scopes`; undefined where it is not set. */
  readonly scopes: readonly ScopeRule[] | undefined;
  /** Milliseconds; undefined: windows attach and detach nothing. */
  readonly attachEarlyMs: number | undefined;
  readonly immutableClientIds: readonly string[];
  readonly writes: number;
  readonly verifyMs: number;
  readonly leaderElection: boolean;
  readonly leaseIdentity: string;
  readonly leaseNamespace: string | undefined;
  readonly leaseName: string;
  readonly leaseDurationMs: number;
  readonly healthPort: number;
  readonly healthAddress: string | undefined;
  readonly userAgentSuffix: string | undefined;
  readonly pollIntervalMs: number;
  readonly imdsEndpoint: string;
  readonly logLevel: LogLevel;
  /** Those of `ignoredFlags` that were given. */
  readonly ignored: readonly string[];
}

/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming flag and variable. */
export function identityConfig(argv: readonly string[], env: Environment): IdentityConfig | { readonly help: string } {
  const flags = { meanings: ignoredFlags, booleans: ignoredBooleans };
  const { help, text, flag, ignored } = readSettings('identity', identitySettings, argv, env, flags);
  if (help) return { help: identityHelp() };
  const s = identitySettings;
  const multiTenant = bool(s.multiTenant, text);
  // AAD Pod Identity obeys the variable even where the flag contradicts it.
  const isForced = bool(s.forceNamespaced, text) || /^(true|1|t)$/i.test(env[s.forceNamespaced.env]?.trim() ?? '');
  return {
    // The variable may list several files, which is the loader's business.
    kubeconfig: flag(s.kubeconfig) || undefined,
    cloudconfig: text(s.cloudconfig),
    forceNamespaced: isForced || multiTenant,
    multiTenant,
    scopes: identityScopes(text),
    attachEarlyMs: text(s.attachEarly).toLowerCase() === 'off' ? undefined : duration(s.attachEarly, text),
    immutableClientIds: list(s.immutableUserMsis, text).map((id) => id.toLowerCase()),
    writes: whole(s.createDeleteBatch, text, 1),
    verifyMs: duration(s.reconcileInterval, text),
    leaderElection: bool(s.leaderElection, text),
    leaseIdentity: text(s.leaseInstance) || hostname(),
    leaseNamespace: text(s.leaseNamespace) || env['MIC_POD_NAMESPACE']?.trim() || undefined,
    leaseName: text(s.leaseName),
    leaseDurationMs: duration(s.leaseDuration, text),
    healthPort: whole(s.healthPort, text, 0),
    healthAddress: text(s.healthAddress) || undefined,
    userAgentSuffix: text(s.userAgent) || undefined,
    pollIntervalMs: duration(s.pollInterval, text),
    imdsEndpoint: httpUrl(s.imdsEndpoint, text),
    logLevel: logLevel(s.logLevel, text),
    ignored,
  };
}

export function identityHelp(): string {
  return [
    'Usage: azimuth identity [flags]',
    '',
    'Gives pods the Azure identities that bindings say.',
    '',
    'Flags, each with its environment variable:',
    ...settingRows(identitySettings),
    '',
    `Accepted from AAD Pod Identity without a meaning: ${Object.keys(ignoredFlags).join(', ')}.`,
  ].join('\n');
}
