import { everyKind, selectKinds } from '../api/kind-pattern.ts';
import { operatorKinds } from '../api/kinds.ts';
import { managedSecretsFeature } from '../api/machines/features.ts';
import { lackingTrustKinds } from '../api/workload-identity.ts';
import { reconcilePolicies } from '../arm-kinds/policy.ts';
import { imdsEndpointSetting } from '../azure/identity/imds.ts';
import { expected } from '../base/errors.ts';
import { multiTenantSetting } from '../base/flags/multi-tenant.ts';
import {
  type ConfigOf,
  defineProgram,
  type Flag,
  healthAddressFlag,
  kubeconfigFlag,
  logLevelFlag,
  optional,
  wholeFrom,
} from '../base/program.ts';
import { absolutePath, bool, duration, list, named, oneOf } from '../base/settings.ts';
import { featureSetting } from '../compute/features/feature-setting.ts';
import { kindPattern, registryRules, scopeRules, targetRules, vault } from './config-values.ts';
import { credentialVariables } from './credential-variables.ts';
import { checkLease, leaseFlags } from './lease-flags.ts';
import { adoptPolicies } from './objects/adoption.ts';

const flags = {
  kubeconfig: kubeconfigFlag,
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8081',
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
    parse: wholeFrom(0),
  },
  healthAddress: healthAddressFlag,
  namespace: {
    flag: 'namespace',
    env: 'POD_NAMESPACE',
    default: '',
    meaning: "the operator's own namespace, which has its Lease; the connection's namespace when empty",
    parse: optional,
  },
  targetNamespaces: {
    flag: 'target-namespaces',
    env: 'AZURE_TARGET_NAMESPACES',
    default: '',
    meaning: 'namespaces to watch, separated by commas; all when empty',
    parse: list,
  },
  kinds: {
    flag: 'kinds',
    env: 'AZIMUTH_KINDS',
    default: '',
    meaning:
      "kinds to reconcile, as globs over group/Kind separated by semicolons; when empty those whose definitions in the cluster are Azimuth's",
    parse: kindPattern,
  },
  syncPeriodMs: {
    flag: 'sync-period',
    env: 'AZURE_SYNC_PERIOD',
    default: '1h',
    meaning: 'time between two resyncs of a resource in sync, such as 30m, less up to a quarter; or never',
    parse: (setting, text) => (text(setting) === 'never' ? undefined : duration(setting, text)),
  },
  maxConcurrentReconciles: {
    flag: 'max-concurrent-reconciles',
    env: 'MAX_CONCURRENT_RECONCILES',
    default: '4',
    meaning:
      'objects of one kind and namespace that the operator reconciles at a time; of one kind at most twice as many',
    parse: wholeFrom(1),
  },
  defaultPolicy: {
    flag: 'default-reconcile-policy',
    env: 'DEFAULT_RECONCILE_POLICY',
    default: 'manage',
    meaning: `policy of objects that name none: ${reconcilePolicies.join(', ')}`,
    parse: (setting, text) => oneOf(setting, text, reconcilePolicies),
  },
  defaultAdopt: {
    flag: 'default-adopt',
    env: 'DEFAULT_ADOPT',
    default: 'always',
    meaning: `adoption policy of objects that name none: ${adoptPolicies.join(', ')}`,
    parse: (setting, text) => oneOf(setting, text, adoptPolicies),
  },
  keyVault: {
    flag: 'operator-key-vault',
    env: 'AZURE_OPERATOR_KEYVAULT',
    default: '',
    meaning: 'name or URL of the vault of objects that name none; kinds of ASO v1 then write their secrets there',
    parse: vault,
  },
  rotationOverlapMs: {
    flag: 'rotation-overlap',
    env: 'AZIMUTH_ROTATION_OVERLAP',
    default: '1h',
    meaning: 'time for consumers to read a new key before the operator renews the other key',
    parse: duration,
  },
  deletionHintMs: {
    flag: 'deletion-hint-after',
    env: 'AZIMUTH_DELETION_HINT_AFTER',
    default: '15m',
    meaning: 'how long a deletion may last before the Ready condition names the command that releases the object',
    parse: duration,
  },
  settleMs: {
    flag: 'settle-after-write',
    env: 'AZIMUTH_SETTLE_AFTER_WRITE',
    default: '30s',
    meaning: 'how long after a write a read of Azure may show the state before it, and leads to no other write',
    parse: duration,
  },
  instancesReadMs: {
    flag: 'instances-read-period',
    env: 'AZIMUTH_INSTANCES_READ_PERIOD',
    default: '30s',
    meaning: 'shortest time between two reads of the instances of one scale set during a roll',
    parse: duration,
  },
  credentialScopes: {
    flag: 'operator-credential-scopes',
    env: 'AZURE_OPERATOR_CREDENTIAL_SCOPES',
    default: '',
    meaning:
      "scopes of objects that use the operator's own credential, as namespace=ARM id or *=ARM id, separated by semicolons",
    parse: scopeRules,
  },
  allowAccessGrants: {
    flag: 'allow-access-grants',
    env: 'AZIMUTH_ALLOW_ACCESS_GRANTS',
    default: 'false',
    boolean: true,
    meaning:
      "without scopes: whether types that grant access, such as RoleAssignment, may have any owner with the operator's own credential; not together with --multi-tenant",
    parse: bool,
  },
  multiTenant: multiTenantSetting,
  machineSecrets: {
    flag: 'machine-secrets',
    env: 'AZIMUTH_MACHINE_SECRETS',
    default: 'false',
    boolean: true,
    meaning: 'whether to reconcile ManagedSecrets, FeatureRegistrations, and machines that name ManagedSecrets',
    parse: bool,
  },
  deployments: {
    flag: 'deployments',
    env: 'AZIMUTH_DEPLOYMENTS',
    default: 'false',
    boolean: true,
    meaning: 'whether to reconcile ComputeDeployments, which make and delete objects of the other kinds',
    parse: bool,
  },
  gateTargets: {
    flag: 'gate-targets',
    env: 'AZIMUTH_GATE_TARGETS',
    default: '',
    meaning:
      'origins that the checks of deployments may ask, such as https://prometheus.monitoring:9090 or https://*.example.org, separated by commas',
    parse: targetRules,
  },
  templateRegistries: {
    flag: 'template-registries',
    env: 'AZIMUTH_TEMPLATE_REGISTRIES',
    default: '',
    meaning:
      'registries from which deployments may take linked templates, separated by commas, such as *.example.org or registry.example.org:5000; `registry=host+host` adds hosts to which the registry may send the operator for tokens and files',
    parse: registryRules,
  },
  gateJobs: {
    flag: 'gate-jobs',
    env: 'AZIMUTH_GATE_JOBS',
    default: 'false',
    boolean: true,
    meaning: 'whether the checks of deployments may be Jobs',
    parse: bool,
  },
  checkServiceAccounts: {
    flag: 'check-service-accounts',
    env: 'AZIMUTH_CHECK_SERVICE_ACCOUNTS',
    default: 'false',
    boolean: true,
    meaning: 'whether to report service accounts that no federated credential of their UserAssignedIdentity trusts',
    parse: bool,
  },
  managedSecretsFeature: {
    flag: 'managed-secrets-feature',
    env: 'AZIMUTH_MANAGED_SECRETS_FEATURE',
    default: managedSecretsFeature,
    meaning:
      'feature that a subscription must be registered for before ManagedSecrets are used in it, as namespace/name',
    parse: featureSetting,
  },
  allowMultiEnvironment: {
    flag: 'allow-multi-env-management',
    env: 'ALLOW_MULTI_ENV_MANAGEMENT',
    default: 'false',
    boolean: true,
    meaning: 'whether credentials in Secrets may name a cloud of their own',
    parse: bool,
  },
  identityFileDirectories: {
    flag: 'identity-file-directories',
    env: 'AZURE_IDENTITY_FILE_DIRECTORIES',
    default: '',
    meaning:
      'directories, separated by commas, of the files that Secrets may name in AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
    parse: (setting, text) => list(setting, text).map((each) => absolutePath(setting, () => each)),
  },
  pollIntervalMs: {
    flag: 'poll-interval',
    env: 'AZURE_POLL_INTERVAL',
    default: '15s',
    meaning: 'time between two polls of an operation where Azure names none',
    parse: duration,
  },
  ...leaseFlags,
  userAgentSuffix: {
    flag: 'user-agent-suffix',
    env: 'AZURE_USER_AGENT_SUFFIX',
    default: '',
    meaning: 'added to the User-Agent of requests to Azure',
    parse: optional,
  },
  imdsEndpoint: imdsEndpointSetting,
  otlpEndpoint: {
    flag: 'otlp-endpoint',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    meaning: 'collector for spans (OTLP over HTTP in JSON), such as http://collector:4318; no spans when empty',
    parse: optional,
  },
  logLevel: logLevelFlag,
} as const satisfies Record<string, Flag>;

const program = defineProgram({
  name: 'operator',
  description: ['Brings Azure in line with the custom resources of a cluster.'],
  flags,
  footer: [
    'Environment variables of the credential:',
    ...Object.entries(credentialVariables).map(([name, meaning]) => `  ${name.padEnd(34)} ${meaning}`),
  ],
  complete(values, { text }) {
    if (values.allowAccessGrants && values.multiTenant) {
      throw expected(named(flags.allowAccessGrants), `false with --${multiTenantSetting.flag}`, 'true');
    }
    const served = selectKinds(values.kinds || everyKind, operatorKinds);
    const lacking = values.checkServiceAccounts ? lackingTrustKinds(served) : [];
    if (lacking.length > 0) {
      const kinds = `kinds with ${lacking.join(' and ')}, which --check-service-accounts reads`;
      throw expected(named(flags.kinds), kinds, text(flags.kinds));
    }
    checkLease(values, text);
    return values;
  },
});

/** The flags of `azimuth operator`; times in milliseconds once parsed. */
export const settings = program.flags;
/** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID naming flag and variable. */
export const operatorConfig = program.read;
/** The help text of `azimuth operator`. */
export const operatorHelp = program.help;
/** The configuration of `azimuth operator`: the value of each flag. */
export type OperatorConfig = ConfigOf<typeof operatorConfig>;
