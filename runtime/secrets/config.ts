import { managedSecretsFeature } from '../api/machines/features.ts';
import { type ScopeRule, tryParseScopeRules } from '../azure/arm/scopes.ts';
import { identityScopesSetting } from '../azure/identity/identity-policy.ts';
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
  secondsFrom,
  wholeFrom,
} from '../base/program.ts';
import { absolutePath, list, named, type Text } from '../base/settings.ts';
import { featureSetting } from '../compute/features/feature-setting.ts';

function namespaceName(setting: Flag, text: Text): string {
  const value = text(setting);
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw expected(named(setting), 'the name of a namespace', value);
}

const flags = {
  tenantId: {
    flag: 'tenant',
    env: 'AZIMUTH_SECRETS_TENANT',
    envAliases: ['AZURE_TENANT_ID'],
    default: '',
    meaning: 'Microsoft Entra tenant whose tokens are accepted',
  },
  audiences: {
    flag: 'audience',
    env: 'AZIMUTH_SECRETS_AUDIENCE',
    default: '',
    meaning: 'accepted audiences of tokens, separated by commas, compared exactly: the App ID URI, the client id',
    parse: list,
  },
  issuers: {
    flag: 'issuer',
    env: 'AZIMUTH_SECRETS_ISSUER',
    default: '',
    meaning:
      'accepted issuers of tokens, separated by commas; those of the tenant for versions 1 and 2 of tokens when empty',
    parse: list,
  },
  location: {
    flag: 'location',
    env: 'AZIMUTH_SECRETS_LOCATION',
    default: '',
    meaning: 'region of this replica, such as westeurope: it reads the vault of that region; the home vault when empty',
    parse: (setting, text) => {
      const value = text(setting).replaceAll(' ', '').toLowerCase();
      if (value === '') return undefined;
      if (/^[a-z][a-z0-9]{1,62}$/.test(value)) return value;
      throw expected(named(setting), 'a region such as westeurope', value);
    },
  },
  port: {
    flag: 'port',
    env: 'AZIMUTH_SECRETS_PORT',
    default: '8443',
    meaning: 'HTTPS port; 0 picks a free one',
    parse: wholeFrom(0, 65_535),
  },
  address: {
    flag: 'address',
    env: 'AZIMUTH_SECRETS_ADDRESS',
    default: '',
    meaning: 'address of the HTTPS port; all when empty',
    parse: optional,
  },
  tlsCertFile: {
    flag: 'tls-cert-file',
    env: 'AZIMUTH_SECRETS_TLS_CERT_FILE',
    default: '/etc/azimuth/tls/tls.crt',
    meaning: 'certificate chain in PEM; read again when it changes',
    parse: absolutePath,
  },
  tlsKeyFile: {
    flag: 'tls-key-file',
    env: 'AZIMUTH_SECRETS_TLS_KEY_FILE',
    default: '/etc/azimuth/tls/tls.key',
    meaning: 'private key in PEM; read again when it changes',
    parse: absolutePath,
  },
  tlsManagedSecret: {
    flag: 'tls-managed-secret',
    env: 'AZIMUTH_SECRETS_TLS_MANAGED_SECRET',
    default: '',
    meaning: 'ManagedSecret of kind Certificate in place of the two files, as namespace/name',
    parse: (setting, text) => {
      const value = text(setting);
      if (value === '') return undefined;
      const [, namespace, name] = /^([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][a-z0-9.-]{0,252})$/.exec(value) ?? [];
      if (namespace !== undefined && name !== undefined) return { namespace, name };
      throw expected(named(setting), 'a ManagedSecret as namespace/name, such as azimuth-system/tls', value);
    },
  },
  credentialScopes: {
    flag: 'credential-scopes',
    env: 'AZIMUTH_SECRETS_SCOPES',
    default: '',
    meaning:
      'ARM ids that the objects of a namespace may name, as `namespace=/subscriptions/…;*=/…`; without rules any, none ' +
      'with multi-tenant',
  },
  identityScopes: {
    ...identityScopesSetting,
    meaning:
      'identities that pods of a namespace may have, as namespace=/arm/id;*=/arm/id, as the identity controller has it: ' +
      'they prove no machine for the secrets of other namespaces',
  },
  identityNamespace: {
    flag: 'identity-namespace',
    env: 'AZIMUTH_SECRETS_IDENTITY_NAMESPACE',
    envAliases: ['POD_NAMESPACE'],
    default: 'azimuth-system',
    meaning: 'namespace of the identity controller, which records there the identities that it attaches for pods',
    parse: namespaceName,
  },
  multiTenant: multiTenantSetting,
  targetNamespaces: {
    flag: 'target-namespaces',
    env: 'AZIMUTH_SECRETS_NAMESPACES',
    default: '',
    meaning: 'namespaces to watch, separated by commas; all when empty',
    parse: list,
  },
  managedSecretsFeature: {
    flag: 'managed-secrets-feature',
    env: 'AZIMUTH_MANAGED_SECRETS_FEATURE',
    default: managedSecretsFeature,
    meaning: 'feature that a subscription must be registered for before its secrets are served; as the operator has it',
    parse: featureSetting,
  },
  attestationRoot: {
    flag: 'attestation-root',
    env: 'AZIMUTH_SECRETS_ATTESTATION_ROOT',
    default: '',
    meaning: 'file with the roots of attested documents in PEM; the public roots when empty',
    parse: (setting, text) => (text(setting) === '' ? undefined : absolutePath(setting, text)),
  },
  refreshMs: {
    flag: 'refresh-interval',
    env: 'AZIMUTH_SECRETS_REFRESH_INTERVAL',
    default: '60',
    meaning: 'seconds between two reads of a secret from its vaults',
    parse: secondsFrom(5, 86_400),
  },
  callerPerSecond: {
    flag: 'caller-requests',
    env: 'AZIMUTH_SECRETS_CALLER_REQUESTS',
    default: '200',
    meaning: 'requests a second of one identity, after a burst of ten seconds; instances of a scale set share one',
    parse: wholeFrom(1, 100_000),
  },
  namespacePerSecond: {
    flag: 'namespace-requests',
    env: 'AZIMUTH_SECRETS_NAMESPACE_REQUESTS',
    default: '1000',
    meaning: 'requests a second for the secrets of one namespace, after a burst of ten seconds',
    parse: wholeFrom(1, 100_000),
  },
  kubeconfig: kubeconfigFlag,
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8086',
    meaning: 'port of /healthz, /readyz and /metrics; 0 picks a free one',
    parse: wholeFrom(0, 65_535),
  },
  healthAddress: healthAddressFlag,
  logLevel: logLevelFlag,
} as const satisfies Record<string, Flag>;

function scopesOf(text: string, multiTenant: boolean): readonly ScopeRule[] | undefined {
  if (text === '' && !multiTenant) return undefined;
  const rules = tryParseScopeRules(text);
  if (rules) return rules;
  throw expected(named(flags.credentialScopes), 'rules of the form `namespace=/subscriptions/…;*=/…`', text);
}

const program = defineProgram({
  name: 'secrets',
  description: [
    'Hands the values of ManagedSecrets to machines that prove who they are with a token of Microsoft Entra ID. It reads',
    'the vaults of its region, keeps values in memory only, and goes on from there while vaults are away.',
  ],
  flags,
  complete(values) {
    const { audiences, credentialScopes, multiTenant } = values;
    if (audiences.length === 0) throw expected(named(flags.audiences), 'the audience of our own application', '');
    const tenantId = values.tenantId.toLowerCase();
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(tenantId))
      throw expected(named(flags.tenantId), 'the id of a tenant, which tokens have in tid', values.tenantId);
    return {
      ...values,
      tenantId,
      /** Undefined: no rules. */
      credentialScopes: scopesOf(credentialScopes, multiTenant),
    };
  },
});

/** The flags of `azimuth secrets`; times in milliseconds once parsed. */
export const secretsSettings = program.flags;
/** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID naming flag and variable. */
export const secretsConfig = program.read;
/** The help text of `azimuth secrets`. */
export const secretsHelp = program.help;
/** The configuration of `azimuth secrets`. */
export type SecretsConfig = ConfigOf<typeof secretsConfig>;
