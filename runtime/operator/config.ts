import { vaultPattern } from '../api/common-schemas.ts';
import { everyKind, selectKinds } from '../api/kind-pattern.ts';
import { operatorKinds } from '../api/kinds.ts';
import { isReconcilePolicy, type ReconcilePolicy, reconcilePolicies } from '../arm-kinds/policy.ts';
import { type ScopeRule, tryParseScopeRules } from '../azure/arm/scopes.ts';
import { imdsEndpointSetting } from '../azure/identity/imds.ts';
import { expected } from '../base/errors.ts';
import { multiTenantSetting } from '../base/multi-tenant.ts';
import type { LogLevel } from '../base/observability/log.ts';
import {
  absolutePath,
  bool,
  duration,
  type Environment,
  httpUrl,
  list,
  logLevel,
  named,
  readSettings,
  type Setting,
  settingRows,
  type Text,
  whole,
} from '../base/settings.ts';
import { type AdoptPolicy, adoptPolicies, isAdoptPolicy } from './lifecycle/adoption.ts';

export const settings = {
  kubeconfig: {
    flag: 'kubeconfig',
    env: 'KUBECONFIG',
    default: '',
    meaning: "kubeconfig file; the pod's own service account when there is none",
  },
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8081',
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
  },
  healthAddress: {
    flag: 'health-address',
    env: 'HEALTH_ADDRESS',
    default: '',
    meaning: 'address to listen on; all when empty',
  },
  namespace: {
    flag: 'namespace',
    env: 'POD_NAMESPACE',
    default: '',
    meaning: "the operator's own namespace, which has its Lease; the connection's namespace when empty",
  },
  targetNamespaces: {
    flag: 'target-namespaces',
    env: 'AZURE_TARGET_NAMESPACES',
    default: '',
    meaning: 'namespaces to watch, separated by commas; all when empty',
  },
  kinds: {
    flag: 'kinds',
    env: 'AZIMUTH_KINDS',
    default: everyKind,
    meaning: 'kinds to reconcile, as globs over group/Kind separated by semicolons; the operator watches no others',
  },
  syncPeriod: {
    flag: 'sync-period',
    env: 'AZURE_SYNC_PERIOD',
    default: '1h',
    meaning: 'time between two resyncs of a resource in sync, such as 30m, less up to a quarter; or never',
  },
  maxConcurrentReconciles: {
    flag: 'max-concurrent-reconciles',
    env: 'MAX_CONCURRENT_RECONCILES',
    default: '4',
    meaning: 'objects of one kind that the operator reconciles at a time',
  },
  defaultReconcilePolicy: {
    flag: 'default-reconcile-policy',
    env: 'DEFAULT_RECONCILE_POLICY',
    default: 'manage',
    meaning: `policy of objects that name none: ${reconcilePolicies.join(', ')}`,
  },
  defaultAdopt: {
    flag: 'default-adopt',
    env: 'DEFAULT_ADOPT',
    default: 'always',
    meaning: `adoption policy of objects that name none: ${adoptPolicies.join(', ')}`,
  },
  keyVault: {
    flag: 'operator-key-vault',
    env: 'AZURE_OPERATOR_KEYVAULT',
    default: '',
    meaning: 'name or URL of the vault of objects that name none; kinds of ASO v1 then write their secrets there',
  },
  rotationOverlap: {
    flag: 'rotation-overlap',
    env: 'AZIMUTH_ROTATION_OVERLAP',
    default: '1h',
    meaning: 'time for consumers to read a new key before the operator renews the other key',
  },
  deletionHint: {
    flag: 'deletion-hint-after',
    env: 'AZIMUTH_DELETION_HINT_AFTER',
    default: '15m',
    meaning:
      'how long Azure may refuse a deletion before the Ready condition names the command that releases the object',
  },
  credentialScopes: {
    flag: 'operator-credential-scopes',
    env: 'AZURE_OPERATOR_CREDENTIAL_SCOPES',
    default: '',
    meaning:
      "scopes of objects that use the operator's own credential, as namespace=ARM id or *=ARM id, separated by semicolons",
  },
  multiTenant: multiTenantSetting,
  allowMultiEnvironment: {
    flag: 'allow-multi-env-management',
    env: 'ALLOW_MULTI_ENV_MANAGEMENT',
    default: 'false',
    boolean: true,
    meaning: 'whether credentials in Secrets may name a cloud of their own',
  },
  identityFileDirectories: {
    flag: 'identity-file-directories',
    env: 'AZURE_IDENTITY_FILE_DIRECTORIES',
    default: '',
    meaning:
      'directories, separated by commas, of the files that Secrets may name in AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  },
  pollInterval: {
    flag: 'poll-interval',
    env: 'AZURE_POLL_INTERVAL',
    default: '15s',
    meaning: 'time between two polls of an operation where Azure names none',
  },
  leaderElection: {
    flag: 'enable-leader-election',
    env: 'ENABLE_LEADER_ELECTION',
    default: 'true',
    meaning: 'whether replicas elect a leader by a Lease',
  },
  leaseDuration: {
    flag: 'lease-duration',
    env: 'LEASE_DURATION',
    default: '15s',
    meaning: 'how long other replicas wait after the last renewal that they saw',
  },
  renewDeadline: {
    flag: 'renew-deadline',
    env: 'RENEW_DEADLINE',
    default: '10s',
    meaning: 'how long after its last renewal the leader stops its work',
  },
  retryPeriod: {
    flag: 'retry-period',
    env: 'RETRY_PERIOD',
    default: '2s',
    meaning: 'time between two attempts to get the Lease',
  },
  userAgentSuffix: {
    flag: 'user-agent-suffix',
    env: 'AZURE_USER_AGENT_SUFFIX',
    default: '',
    meaning: 'added to the User-Agent of requests to Azure',
  },
  imdsEndpoint: imdsEndpointSetting,
  otlpEndpoint: {
    flag: 'otlp-endpoint',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    meaning: 'collector for spans (OTLP over HTTP in JSON), such as http://collector:4318; no spans when empty',
  },
  logLevel: { flag: 'log-level', env: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn, error or silent' },
} as const satisfies Record<string, Setting>;

/** Variables without a flag: credentials belong into the environment, never on a command line. */
export const credentialVariables: Readonly<Record<string, string>> = {
  AZURE_SUBSCRIPTION_ID: 'subscription of resources that do not name another',
  AZURE_TENANT_ID: 'tenant of the credential',
  AZURE_CLIENT_ID: 'client id of the credential; alone it names a managed identity',
  AZURE_CLIENT_SECRET: 'client secret',
  AZURE_CLIENT_CERTIFICATE: 'client certificate and key: PEM, or PKCS#12 in base64',
  AZURE_CLIENT_CERTIFICATE_PATH: 'file with the same',
  AZURE_CLIENT_CERTIFICATE_PASSWORD: 'password of the certificate',
  AZURE_FEDERATED_TOKEN_FILE: 'service account token for workload federation',
  USE_WORKLOAD_IDENTITY_AUTH: 'true: workload federation with the default token file',
  AZURE_USE_MI: 'true: managed identity, whatever else is set',
  AZURE_ADDITIONAL_TENANTS: 'further tenants of the credential',
  AZURE_ENVIRONMENT: 'AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud',
  AZURE_AUTHORITY_HOST: "Microsoft Entra ID's address in another cloud",
  AZURE_RESOURCE_MANAGER_ENDPOINT: "Resource Manager's address in another cloud",
  AZURE_RESOURCE_MANAGER_AUDIENCE: "audience of Resource Manager's tokens in another cloud",
  OTEL_EXPORTER_OTLP_HEADERS: 'headers for the collector of spans, such as its key: name=value, separated by commas',
};

export interface OperatorConfig {
  readonly kubeconfig: string | undefined;
  readonly healthPort: number;
  readonly healthAddress: string | undefined;
  readonly namespace: string | undefined;
  readonly targetNamespaces: readonly string[];
  /** A pattern of `selectKinds`. */
  readonly kinds: string;
  /** Undefined: never. */
  readonly syncPeriodMs: number | undefined;
  readonly maxConcurrentReconciles: number;
  readonly defaultPolicy: ReconcilePolicy;
  readonly defaultAdopt: AdoptPolicy;
  /** Name or URL of the vault of objects that name none. */
  readonly keyVault: string | undefined;
  readonly rotationOverlapMs: number;
  readonly deletionHintMs: number;
  readonly credentialScopes: readonly ScopeRule[];
  /** Whether a namespace without a rule reaches nothing with the operator's own credential. */
  readonly multiTenant: boolean;
  readonly allowMultiEnvironment: boolean;
  readonly identityFileDirectories: readonly string[];
  readonly pollIntervalMs: number;
  readonly leaderElection: boolean;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly userAgentSuffix: string | undefined;
  readonly imdsEndpoint: string;
  /** Undefined: no spans. */
  readonly otlpEndpoint: string | undefined;
  readonly logLevel: LogLevel;
}

/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming flag and variable. */
export function operatorConfig(argv: readonly string[], env: Environment): OperatorConfig | { readonly help: string } {
  const { help, text, flag } = readSettings('operator', settings, argv, env);
  if (help) return { help: operatorHelp() };
  const { syncPeriod, leaseDuration, renewDeadline, retryPeriod } = settings;
  const [leaseDurationMs, renewDeadlineMs, retryPeriodMs] = [leaseDuration, renewDeadline, retryPeriod].map((setting) =>
    duration(setting, text),
  ) as [number, number, number];
  if (leaseDurationMs % 1000 !== 0) throw expected(named(leaseDuration), 'whole seconds', text(leaseDuration));
  if (renewDeadlineMs >= leaseDurationMs) {
    throw expected(named(renewDeadline), `less than --lease-duration, ${text(leaseDuration)}`, text(renewDeadline));
  }
  if (retryPeriodMs * 1.2 >= renewDeadlineMs) {
    const bound = `less than --renew-deadline, ${text(renewDeadline)}, by a fifth of itself`;
    throw expected(named(retryPeriod), bound, text(retryPeriod));
  }
  return {
    // The variable may list several files, which is the loader's business.
    kubeconfig: flag(settings.kubeconfig) || undefined,
    healthPort: whole(settings.healthPort, text, 0),
    healthAddress: text(settings.healthAddress) || undefined,
    namespace: text(settings.namespace) || undefined,
    targetNamespaces: list(settings.targetNamespaces, text),
    kinds: kindPattern(settings.kinds, text),
    syncPeriodMs: text(syncPeriod) === 'never' ? undefined : duration(syncPeriod, text),
    maxConcurrentReconciles: whole(settings.maxConcurrentReconciles, text, 1),
    defaultPolicy: policy(settings.defaultReconcilePolicy, text),
    defaultAdopt: adoptPolicy(settings.defaultAdopt, text),
    keyVault: vault(settings.keyVault, text),
    rotationOverlapMs: duration(settings.rotationOverlap, text),
    deletionHintMs: duration(settings.deletionHint, text),
    credentialScopes: scopeRules(settings.credentialScopes, text),
    multiTenant: bool(settings.multiTenant, text),
    allowMultiEnvironment: bool(settings.allowMultiEnvironment, text),
    identityFileDirectories: list(settings.identityFileDirectories, text).map((directory) =>
      absolutePath(settings.identityFileDirectories, () => directory),
    ),
    pollIntervalMs: duration(settings.pollInterval, text),
    leaderElection: text(settings.leaderElection) !== 'false',
    leaseDurationMs,
    renewDeadlineMs,
    retryPeriodMs,
    userAgentSuffix: text(settings.userAgentSuffix) || undefined,
    imdsEndpoint: httpUrl(settings.imdsEndpoint, text),
    otlpEndpoint: text(settings.otlpEndpoint) || undefined,
    logLevel: logLevel(settings.logLevel, text),
  };
}

function policy(setting: Setting, text: Text): ReconcilePolicy {
  const value = text(setting);
  if (isReconcilePolicy(value)) return value;
  throw expected(named(setting), `one of ${reconcilePolicies.join(', ')}`, value);
}

function adoptPolicy(setting: Setting, text: Text): AdoptPolicy {
  const value = text(setting);
  if (isAdoptPolicy(value)) return value;
  throw expected(named(setting), `one of ${adoptPolicies.join(', ')}`, value);
}

function vault(setting: Setting, text: Text): string | undefined {
  const value = text(setting);
  if (value === '') return undefined;
  if (new RegExp(vaultPattern).test(value)) return value;
  throw expected(named(setting), 'the name of a Key Vault or its https URL', value);
}

function scopeRules(setting: Setting, text: Text): ScopeRule[] {
  const rules = tryParseScopeRules(text(setting));
  if (rules) return rules;
  throw expected(named(setting), 'namespace=/subscriptions/... or *=/... separated by semicolons', text(setting));
}

function kindPattern(setting: Setting, text: Text): string {
  selectKinds(text(setting), operatorKinds, named(setting));
  return text(setting);
}

export function operatorHelp(): string {
  const variables = Object.entries(credentialVariables).map(([name, meaning]) => `  ${name.padEnd(34)} ${meaning}`);
  return [
    'Usage: azimuth operator [flags]',
    '',
    'Brings Azure in line with the custom resources of a cluster.',
    '',
    'Flags, each with its environment variable:',
    ...settingRows(settings),
    '',
    'Environment variables of the credential:',
    ...variables,
  ].join('\n');
}
