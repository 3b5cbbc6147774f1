import { AzimuthError, expected } from '../../base/errors.ts';
import { subscriptionIdOf, tenantIdOf } from '../arm/resource-ids.ts';
import { cloudFromEnvironment, type Environment } from '../clouds.ts';
import type { Authorizer, CloudEnvironment } from '../types.ts';
import { clientCertificateAuthorizer } from './client-certificate-authorizer.ts';
import { clientSecretAuthorizer } from './client-secret-authorizer.ts';
import type { EntraContext } from './entra-client.ts';
import { assertionFromFile, federatedAuthorizer } from './federated-authorizer.ts';
import { identityFileAuthorizer } from './identity-file.ts';
import type { Imds } from './imds.ts';
import { managedIdentityAuthorizer } from './managed-identity-authorizer.ts';
import { boundToTenants } from './tenant-bounds.ts';

/** Where the projected service account token lies in the reference system's deployments. */
export const DEFAULT_TOKEN_FILE = '/var/run/secrets/tokens/azure-identity';

/** What every authorizer needs, and the settings of credentials in Secrets. */
export interface CredentialContext extends EntraContext {
  readonly imds: Imds;
  /** Settings of credentials in Secrets; those that a call names win. */
  readonly inSecrets?: Omit<SecretCredentialOptions, 'source'>;
}

/** An authorizer and what the same settings say about its place. */
export interface Credential {
  readonly authorizer: Authorizer;
  readonly cloud: CloudEnvironment;
  readonly subscriptionId: string | undefined;
  readonly tenantId: string | undefined;
  readonly clientId: string | undefined;
  /**
   * It proves itself with what the program's own pod has, a service account token, a file or the metadata endpoint: who
   * knows its client id can use it.
   */
  readonly ambient?: boolean;
  /** Tenants besides the own one for which the credential may ask tokens; `*` = any. */
  readonly additionalTenants: readonly string[];
}

/**
 * The credential of a program. The first of these that is set decides; all but the last need AZURE_TENANT_ID and
 * AZURE_CLIENT_ID:
 *
 * 1. AZURE_USE_MI=true: managed identity, whatever else is set
 * 2. AZURE_CLIENT_SECRET
 * 3. AZURE_CLIENT_CERTIFICATE (PEM, or PKCS#12 in base64) or AZURE_CLIENT_CERTIFICATE_PATH, with
 *    AZURE_CLIENT_CERTIFICATE_PASSWORD
 * 4. AZURE_FEDERATED_TOKEN_FILE, or USE_WORKLOAD_IDENTITY_AUTH=true with the default file
 * 5. managed identity of AZURE_CLIENT_ID, or of the machine where that is unset
 *
 * The cloud of `context` is used as it is (cloudFromEnvironment makes it). Throws AZ_CONFIG_INVALID.
 */
export function authorizerFromEnvironment(env: Environment, context: CredentialContext): Credential {
  const value = (name: string) => env[name]?.trim() || undefined;
  const given = (name: string, read: (text: string, what: string) => string) => {
    const text = value(name);
    return text === undefined ? undefined : read(text, name);
  };
  const clientId = value('AZURE_CLIENT_ID');
  const tenantId = given('AZURE_TENANT_ID', tenantIdOf);
  const principal = (because: string) => ({
    tenantId: tenantId ?? missing('AZURE_TENANT_ID', because),
    clientId: clientId ?? missing('AZURE_CLIENT_ID', because),
  });
  const password = env['AZURE_CLIENT_CERTIFICATE_PASSWORD'] || undefined;
  const additionalTenants = list(value('AZURE_ADDITIONAL_TENANTS'));
  /** Undefined: a managed identity, which has tokens of its own tenant alone. */
  const choose = (): Authorizer | undefined => {
    if (isTrue(value('AZURE_USE_MI'))) return undefined;
    const clientSecret = value('AZURE_CLIENT_SECRET');
    if (clientSecret) {
      return clientSecretAuthorizer({ ...principal('AZURE_CLIENT_SECRET is'), clientSecret }, context);
    }
    const certificate = value('AZURE_CLIENT_CERTIFICATE');
    if (certificate) {
      return clientCertificateAuthorizer(
        { ...principal('AZURE_CLIENT_CERTIFICATE is'), certificate, password, own: true },
        context,
      );
    }
    const path = value('AZURE_CLIENT_CERTIFICATE_PATH');
    if (path) {
      const owner = principal('AZURE_CLIENT_CERTIFICATE_PATH is');
      return clientCertificateAuthorizer({ ...owner, certificate: { path }, password, own: true }, context);
    }
    const federated = isTrue(value('USE_WORKLOAD_IDENTITY_AUTH')) ? DEFAULT_TOKEN_FILE : undefined;
    const tokenFile = value('AZURE_FEDERATED_TOKEN_FILE') ?? federated;
    if (tokenFile) {
      const owner = principal('workload identity is');
      return federatedAuthorizer({ ...owner, assertion: assertionFromFile(tokenFile) }, context);
    }
    return undefined;
  };
  const chosen = choose();
  const authorizer =
    chosen === undefined
      ? managedIdentityAuthorizer({ clientId }, context.imds)
      : boundToTenants(authFailures(chosen), { tenantId: tenantId ?? '', additionalTenants });
  return {
    authorizer,
    cloud: context.cloud,
    subscriptionId: given('AZURE_SUBSCRIPTION_ID', subscriptionIdOf),
    tenantId,
    clientId,
    additionalTenants,
  };
}

/** Options of a credential that a Secret of a namespace holds. */
export interface SecretCredentialOptions {
  /** `namespace/name`, for messages. */
  readonly source: string;
  /** Whether the Secret may choose a cloud of its own (ALLOW_MULTI_ENV_MANAGEMENT). @default false */
  readonly allowMultiEnvironment?: boolean;
  /** The service account token of the program's pod. @default DEFAULT_TOKEN_FILE */
  readonly tokenFile?: string;
  /** Where files may lie that Secrets name (AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS). @default none */
  readonly identityFileDirectories?: readonly string[];
}

/** Keys of a Secret with a credential, in ASO v2's format. */
const secretKeys = [
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  'AUTH_MODE',
  'AZURE_ADDITIONAL_TENANTS',
  'AZURE_AUTHORITY_HOST',
  'AZURE_RESOURCE_MANAGER_ENDPOINT',
  'AZURE_RESOURCE_MANAGER_AUDIENCE',
];

/**
 * The credential in a Kubernetes Secret in ASO v2's format. `data` is the Secret's own `data`, values in base64.
 * AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID are required; then the first of AZURE_CLIENT_SECRET,
 * AZURE_CLIENT_CERTIFICATE (+ _PASSWORD), AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS (path of a file), AUTH_MODE =
 * podidentity; otherwise workload identity. Throws AZ_CONFIG_INVALID naming the Secret and the key.
 */
export function authorizerFromSecret(
  data: Readonly<Record<string, string>>,
  context: CredentialContext,
  given: SecretCredentialOptions,
): Credential {
  const options = { ...context.inSecrets, ...given };
  const { source } = options;
  const bytes = (key: string) => (data[key] === undefined ? undefined : Buffer.from(data[key], 'base64'));
  const value = (key: string) => bytes(key)?.toString('utf8').trim() || undefined;
  const required = (key: string): string => {
    const found = value(key);
    if (found) return found;
    const reason = data[key] === undefined ? `has no ${key}` : `has an empty ${key}`;
    throw new AzimuthError('AZ_CONFIG_INVALID', `The Secret ${source} ${reason}; ${keysIn(data)}`);
  };
  const subscriptionId = subscriptionIdOf(
    required('AZURE_SUBSCRIPTION_ID'),
    `AZURE_SUBSCRIPTION_ID of the Secret ${source}`,
  );
  const tenantId = tenantIdOf(required('AZURE_TENANT_ID'), `AZURE_TENANT_ID of the Secret ${source}`);
  const clientId = required('AZURE_CLIENT_ID');
  const cloud = cloudOfSecret(value, context.cloud, options);
  const own: CredentialContext = { ...context, cloud };

  const choose = (): Authorizer => {
    const clientSecret = value('AZURE_CLIENT_SECRET');
    if (clientSecret) return clientSecretAuthorizer({ tenantId, clientId, clientSecret }, own);
    const certificate = bytes('AZURE_CLIENT_CERTIFICATE');
    if (certificate && certificate.length > 0) {
      const password = bytes('AZURE_CLIENT_CERTIFICATE_PASSWORD')?.toString('utf8') || undefined;
      const from = `AZURE_CLIENT_CERTIFICATE of the Secret ${source}`;
      return clientCertificateAuthorizer({ tenantId, clientId, certificate, password, source: from }, own);
    }
    const file = value('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS');
    const directories = options.identityFileDirectories ?? [];
    if (file) return identityFileAuthorizer({ path: file, tenantId, clientId, directories }, own);
    const mode = value('AUTH_MODE');
    if (mode === 'podidentity') return managedIdentityAuthorizer({ clientId }, context.imds);
    if (mode !== undefined && mode !== 'workloadidentity') {
      throw expected(`AUTH_MODE of the Secret ${source}`, 'podidentity or workloadidentity', mode);
    }
    const unknown = Object.keys(data).filter((key) => !secretKeys.includes(key));
    if (mode === undefined && unknown.length > 0) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `The Secret ${source} holds no credential that is known: expected AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE, ` +
          `or AUTH_MODE with podidentity or workloadidentity; ${keysIn(data)}`,
      );
    }
    const assertion = assertionFromFile(options.tokenFile ?? DEFAULT_TOKEN_FILE);
    return federatedAuthorizer({ tenantId, clientId, assertion }, own);
  };
  const additionalTenants = list(value('AZURE_ADDITIONAL_TENANTS'));
  const authorizer = boundToTenants(authFailures(choose()), { tenantId, additionalTenants });
  const ambient = !value('AZURE_CLIENT_SECRET') && !bytes('AZURE_CLIENT_CERTIFICATE')?.length;
  return { authorizer, cloud, subscriptionId, tenantId, clientId, ambient, additionalTenants };
}

function cloudOfSecret(
  value: (key: string) => string | undefined,
  fallback: CloudEnvironment,
  { source, allowMultiEnvironment }: SecretCredentialOptions,
): CloudEnvironment {
  const names = ['AZURE_AUTHORITY_HOST', 'AZURE_RESOURCE_MANAGER_ENDPOINT', 'AZURE_RESOURCE_MANAGER_AUDIENCE'];
  const set = names.filter((name) => value(name));
  if (set.length === 0) return fallback;
  if (!allowMultiEnvironment) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The Secret ${source} sets ${set.join(', ')}, which needs ALLOW_MULTI_ENV_MANAGEMENT=true on the operator`,
    );
  }
  if (set.length < names.length) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `Expected the Secret ${source} to set ${names.join(', ')} together or not at all, got only ${set.join(', ')}`,
    );
  }
  const cloud = cloudFromEnvironment(Object.fromEntries(names.map((name) => [name, value(name)])));
  if (cloud.name !== 'custom') return cloud;
  if (!value('AZURE_CLIENT_SECRET') && !value('AZURE_CLIENT_CERTIFICATE')) {
    // The author of the Secret would get a token that signs in as the program itself.
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The Secret ${source} names an authority that is none of Azure's own: expected AZURE_CLIENT_SECRET or ` +
        'AZURE_CLIENT_CERTIFICATE beside it',
    );
  }
  // Three endpoints say nothing of vaults.
  const { keyVaultDnsSuffix, keyVaultAudience } = fallback;
  return { ...cloud, keyVaultDnsSuffix, keyVaultAudience };
}

/** The names of a Secret's keys, shortened, for messages to readers of the Secret. */
function keysIn(data: Readonly<Record<string, string>>): string {
  const keys = Object.keys(data);
  const shown = keys.slice(0, 20).map((key) => key.slice(0, 64));
  return `it has the keys ${[...shown, ...(keys.length > shown.length ? ['...'] : [])].join(', ') || '(none)'}`;
}

/** A certificate that cannot be used is a failure to sign in: the next try may find a file that is whole by then. */
function authFailures(authorizer: Authorizer): Authorizer {
  return {
    get description() {
      return authorizer.description;
    },
    getToken: (request) =>
      authorizer.getToken(request).catch((cause: unknown) => {
        if (!(cause instanceof AzimuthError && cause.code === 'AZ_CONFIG_INVALID')) throw cause;
        throw new AzimuthError('AZ_AUTH_FAILED', cause.message, { cause });
      }),
  };
}

function missing(what: string, because: string): never {
  throw new AzimuthError('AZ_CONFIG_INVALID', `Expected \`${what}\` to be set, because ${because} set; it is missing`);
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}

function list(value: string | undefined): string[] {
  return (value ?? '').split(/[,;]/).flatMap((part) => part.trim() || []);
}
