import { AzimuthError } from '../../base/errors.ts';
import { normalizePassword, normalizeText } from '../../base/text/normalize.ts';
import { subscriptionIdOf, tenantIdOf } from '../arm/resource-ids.ts';
import { cloudFromEnvironment } from '../clouds.ts';
import type { Authorizer, CloudEnvironment } from '../types.ts';
import { clientCertificateAuthorizer } from './authorizers/client-certificate.ts';
import { clientSecretAuthorizer } from './authorizers/client-secret.ts';
import { assertionFromFile, federatedAuthorizer } from './authorizers/federated.ts';
import { identityFileAuthorizer } from './authorizers/identity-file.ts';
import { managedIdentityAuthorizer } from './authorizers/managed-identity.ts';
import {
  authFailures,
  type Credential,
  type CredentialDeps,
  DEFAULT_TOKEN_FILE,
  listOf,
  type SecretCredentialOptions,
} from './credential.ts';
import { clientIdOf } from './identity-fields.ts';
import { boundToTenants } from './tenant-bounds.ts';

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
  deps: CredentialDeps,
  given: SecretCredentialOptions,
): Credential {
  const options = { ...deps.inSecrets, ...given };
  const { source } = options;
  const bytes = (key: string) => (data[key] === undefined ? undefined : Buffer.from(data[key], 'base64'));
  const value = (key: string) => normalizeText(bytes(key)?.toString('utf8') ?? '') || undefined;
  const required = (key: string): string => {
    const text = value(key);
    if (text) return text;
    const reason = data[key] === undefined ? `has no ${key}` : `has an empty ${key}`;
    throw new AzimuthError('AZ_CONFIG_INVALID', `The Secret ${source} ${reason}; ${keysIn(data)}`);
  };
  const checked = (key: string, check: (text: string) => string) => {
    const text = required(key);
    return withoutValue(source, key, () => check(text));
  };
  const subscriptionId = checked('AZURE_SUBSCRIPTION_ID', subscriptionIdOf);
  const tenantId = checked('AZURE_TENANT_ID', tenantIdOf);
  const clientId = checked('AZURE_CLIENT_ID', clientIdOf);
  const cloud = cloudOfSecret(value, deps.cloud, options);
  const cloudContext: CredentialDeps = { ...deps, cloud };

  const chooseAuthorizer = (): Authorizer => {
    const clientSecret = value('AZURE_CLIENT_SECRET');
    if (clientSecret) return clientSecretAuthorizer({ tenantId, clientId, clientSecret }, cloudContext);
    const certificate = bytes('AZURE_CLIENT_CERTIFICATE');
    if (certificate && certificate.length > 0) {
      const password =
        normalizePassword(bytes('AZURE_CLIENT_CERTIFICATE_PASSWORD')?.toString('utf8') ?? '') || undefined;
      const from = `AZURE_CLIENT_CERTIFICATE of the Secret ${source}`;
      return clientCertificateAuthorizer({ tenantId, clientId, certificate, password, source: from }, cloudContext);
    }
    const file = value('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS');
    const directories = options.identityFileDirectories ?? [];
    if (file) return identityFileAuthorizer({ path: file, tenantId, clientId, directories }, cloudContext);
    const mode = value('AUTH_MODE');
    if (mode === 'podidentity') return managedIdentityAuthorizer({ clientId }, deps.imds);
    if (mode !== undefined && mode !== 'workloadidentity') {
      const message = `Expected AUTH_MODE of the Secret ${source} to be podidentity or workloadidentity`;
      throw new AzimuthError('AZ_CONFIG_INVALID', message);
    }
    if (mode === undefined) checkKeys(data, source);
    const assertion = assertionFromFile(options.tokenFile ?? DEFAULT_TOKEN_FILE);
    return federatedAuthorizer({ tenantId, clientId, assertion }, cloudContext);
  };
  const additionalTenants = listOf(value('AZURE_ADDITIONAL_TENANTS'));
  const bound = boundToTenants(authFailures(chooseAuthorizer()), { tenantId, additionalTenants });
  const authorizer = cloud === deps.cloud ? bound : { ...bound, cloud };
  const ambient = !value('AZURE_CLIENT_SECRET') && !bytes('AZURE_CLIENT_CERTIFICATE')?.length;
  return { authorizer, cloud, subscriptionId, tenantId, clientId, ambient, additionalTenants };
}

/** A Secret with other keys is meant to hold a credential of another kind. */
function checkKeys(data: Readonly<Record<string, string>>, source: string): void {
  if (Object.keys(data).every((key) => secretKeys.includes(key))) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `The Secret ${source} holds no credential that is known: expected AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE, ` +
      `or AUTH_MODE with podidentity or workloadidentity; ${keysIn(data)}`,
  );
}

/**
 * What `read` makes of the value of a key. The error of a wrong value never repeats it, as somebody may have put the
 * secret under the wrong key, and a condition has more readers than a Secret.
 */
function withoutValue<T>(source: string, key: string, read: () => T): T {
  try {
    return read();
  } catch {
    const form = forms[key] ?? 'an https URL without user, query or fragment';
    throw new AzimuthError('AZ_CONFIG_INVALID', `Expected ${key} of the Secret ${source} to be ${form}`);
  }
}

/** What the values of keys have to be, for messages. */
const forms: Readonly<Record<string, string>> = {
  AZURE_SUBSCRIPTION_ID: 'the id of a subscription: letters, digits and dashes',
  AZURE_TENANT_ID: 'the id or a domain of a tenant: letters, digits, dots and dashes',
  AZURE_CLIENT_ID: 'the id of an application: at most 128 letters, digits and dashes',
};

function cloudOfSecret(
  value: (key: string) => string | undefined,
  fallback: CloudEnvironment,
  { source, allowMultiEnvironment, onlyAzureClouds }: SecretCredentialOptions,
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
  const endpoints = Object.fromEntries(names.map((name) => [name, value(name)]));
  const cloud = withoutValue(source, names.join(' and '), () => cloudFromEnvironment(endpoints));
  if (cloud.name !== 'custom') return cloud;
  if (onlyAzureClouds) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The Secret ${source} names an authority or a Resource Manager that is none of Azure's own clouds, which the ` +
        'operator refuses under --multi-tenant',
    );
  }
  if (!value('AZURE_CLIENT_SECRET') && !value('AZURE_CLIENT_CERTIFICATE')) {
    // The author of the Secret would get a token that signs in as the program itself.
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The Secret ${source} names an authority that is none of Azure's own: expected AZURE_CLIENT_SECRET or ` +
        'AZURE_CLIENT_CERTIFICATE beside it',
    );
  }
  // The three endpoints of the Secret do not name the vaults of that cloud.
  const { keyVaultDnsSuffix, keyVaultAudience } = fallback;
  return { ...cloud, keyVaultDnsSuffix, keyVaultAudience };
}

/** The names of a Secret's keys, shortened, for messages to readers of the Secret. */
function keysIn(data: Readonly<Record<string, string>>): string {
  const keys = Object.keys(data);
  const shown = keys.slice(0, 20).map((key) => key.slice(0, 64));
  return `it has the keys ${[...shown, ...(keys.length > shown.length ? ['...'] : [])].join(', ') || '(none)'}`;
}
