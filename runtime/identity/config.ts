import { hostname } from 'node:os';
import { identityLeaseName } from '../api/pod-identity/attachment-record.ts';
import { authorityHostsSetting } from '../azure/identity/authorities.ts';
import { identityScopesSetting } from '../azure/identity/identity-policy.ts';
import { imdsEndpointSetting } from '../azure/identity/imds.ts';
import { klogFlags } from '../base/flags/klog-flags.ts';
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
import { bool, duration, list } from '../base/settings.ts';

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

const program = defineProgram({
  name: 'identity',
  description: ['Assigns pods the Azure identities of their bindings.'],
  flags: {
    kubeconfig: kubeconfigFlag,
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
      // As in AAD Pod Identity, the variable wins over a flag that contradicts it.
      parse: (setting, text, { env }) =>
        bool(setting, text) || /^(true|1|t)$/i.test(env['FORCENAMESPACED']?.trim() ?? ''),
    },
    multiTenant: multiTenantSetting,
    scopes: identityScopesSetting,
    authorityHosts: authorityHostsSetting,
    attachEarlyMs: {
      flag: 'attach-before-window',
      env: 'ATTACH_BEFORE_WINDOW',
      default: '10m',
      meaning:
        'time before an availability window opens at which the controller attaches the identity; off: windows attach and detach nothing',
      parse: (setting, text) => (text(setting).toLowerCase() === 'off' ? undefined : duration(setting, text)),
    },
    immutableClientIds: {
      flag: 'immutable-user-msis',
      env: 'IMMUTABLE_USER_MSIS',
      default: '',
      meaning:
        'client ids, separated by commas, of identities that the controller never detaches; the cluster identity is always one',
      parse: (setting, text) => list(setting, text).map((id) => id.toLowerCase()),
    },
    certificateWarningMs: {
      flag: 'certificate-warning',
      env: 'CERTIFICATE_WARNING',
      default: '720h',
      meaning: 'time before its end at which condition, event and log warn of the certificate of an AzureIdentity',
      parse: duration,
    },
    writes: {
      flag: 'createDeleteBatch',
      env: 'CREATE_DELETE_BATCH',
      default: '20',
      meaning:
        'AzureAssignedIdentities of one namespace that the controller writes at a time; at most twice as many in all',
      parse: wholeFrom(1),
    },
    verifyMs: {
      flag: 'identity-assignment-reconcile-interval',
      env: 'IDENTITY_ASSIGNMENT_RECONCILE_INTERVAL',
      default: '3m',
      meaning: 'time between two reads of a machine in sync; a read attaches detached identities again',
      parse: duration,
    },
    leaderElection: {
      flag: 'leader-election',
      env: 'ENABLE_LEADER_ELECTION',
      default: 'true',
      meaning: 'whether replicas elect a leader by a Lease',
      boolean: true,
      parse: bool,
    },
    leaseIdentity: {
      flag: 'leader-election-instance',
      env: 'LEADER_ELECTION_INSTANCE',
      default: '',
      meaning: "first part of this replica's name as holder of the Lease; the host name when empty",
      parse: (setting, text) => text(setting) || hostname(),
    },
    leaseNamespace: {
      flag: 'leader-election-namespace',
      env: 'POD_NAMESPACE',
      default: '',
      meaning: "namespace of the Lease; MIC_POD_NAMESPACE or the connection's namespace when empty",
      parse: (setting, text, { env }) => text(setting) || env['MIC_POD_NAMESPACE']?.trim() || undefined,
    },
    leaseName: {
      flag: 'leader-election-name',
      env: 'LEADER_ELECTION_NAME',
      default: identityLeaseName,
      meaning: 'name of the Lease',
    },
    leaseDurationMs: {
      flag: 'leader-election-duration',
      env: 'LEADER_ELECTION_DURATION',
      default: '15s',
      meaning: 'how long other replicas wait after the last renewal that they saw',
      parse: duration,
    },
    healthPort: {
      flag: 'health-port',
      aliases: ['http-probe-port'],
      env: 'HEALTH_PORT',
      default: '8080',
      meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
      parse: wholeFrom(0),
    },
    healthAddress: healthAddressFlag,
    userAgentSuffix: {
      flag: 'custom-user-agent',
      env: 'AZURE_USER_AGENT_SUFFIX',
      default: '',
      meaning: 'added to the User-Agent of requests to Azure',
      parse: optional,
    },
    pollIntervalMs: {
      flag: 'poll-interval',
      env: 'AZURE_POLL_INTERVAL',
      default: '5s',
      meaning: 'longest time between two polls of an operation where Azure names none; the first comes after 20 ms',
      parse: duration,
    },
    imdsEndpoint: imdsEndpointSetting,
    logLevel: logLevelFlag,
  } as const satisfies Record<string, Flag>,
  ignored: { meanings: ignoredFlags, booleans: ignoredBooleans },
  footer: [`Accepted from AAD Pod Identity without a meaning: ${Object.keys(ignoredFlags).join(', ')}.`],
  complete: (values, { ignored }) => ({
    ...values,
    /** True under the multi-tenant profile. */
    forceNamespaced: values.forceNamespaced || values.multiTenant,
    /** Those of `ignoredFlags` that were given. */
    ignored,
  }),
});

/** The flags of `azimuth identity`; times in milliseconds once parsed. */
export const identitySettings = program.flags;
/** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID naming flag and variable. */
export const identityConfig = program.read;
/** The help text of `azimuth identity`. */
export const identityHelp = program.help;
/** The configuration of `azimuth identity`. */
export type IdentityConfig = ConfigOf<typeof identityConfig>;
