import { AzimuthError } from '../../base/errors.ts';
import { normalizePassword, normalizeText } from '../../base/text/normalize.ts';
import { subscriptionIdOf, tenantIdOf } from '../arm/resource-ids.ts';
import type { Environment } from '../clouds.ts';
import type { Authorizer } from '../types.ts';
import { clientCertificateAuthorizer } from './authorizers/client-certificate.ts';
import { clientSecretAuthorizer } from './authorizers/client-secret.ts';
import { assertionFromFile, federatedAuthorizer } from './authorizers/federated.ts';
import { managedIdentityAuthorizer } from './authorizers/managed-identity.ts';
import { authFailures, type Credential, type CredentialDeps, DEFAULT_TOKEN_FILE, listOf } from './credential.ts';
import { boundToTenants } from './tenant-bounds.ts';

/**
 * The credential of a program. The first of these variables decides; all but the last need AZURE_TENANT_ID and
 * AZURE_CLIENT_ID:
 *
 * 1. AZURE_USE_MI=true: managed identity, whatever else is set
 * 2. AZURE_CLIENT_SECRET
 * 3. AZURE_CLIENT_CERTIFICATE (PEM, or PKCS#12 in base64) or AZURE_CLIENT_CERTIFICATE_PATH, with
 *    AZURE_CLIENT_CERTIFICATE_PASSWORD
 * 4. AZURE_FEDERATED_TOKEN_FILE, or USE_WORKLOAD_IDENTITY_AUTH=true with the default file
 * 5. managed identity of AZURE_CLIENT_ID, or of the machine where that is unset
 *
 * The cloud is that of `context` (see `cloudFromEnvironment`). Throws AZ_CONFIG_INVALID.
 */
export function authorizerFromEnvironment(env: Environment, deps: CredentialDeps): Credential {
  const value = (name: string) => normalizeText(env[name] ?? '') || undefined;
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
  const password = normalizePassword(env['AZURE_CLIENT_CERTIFICATE_PASSWORD'] ?? '') || undefined;
  const additionalTenants = listOf(value('AZURE_ADDITIONAL_TENANTS'));
  /** Undefined: a managed identity, which gets tokens of its own tenant only. */
  const chooseAuthorizer = (): Authorizer | undefined => {
    if (isTrue(value('AZURE_USE_MI'))) return undefined;
    const clientSecret = value('AZURE_CLIENT_SECRET');
    if (clientSecret) {
      return clientSecretAuthorizer({ ...principal('AZURE_CLIENT_SECRET is'), clientSecret }, deps);
    }
    const certificate = value('AZURE_CLIENT_CERTIFICATE');
    if (certificate) {
      return clientCertificateAuthorizer(
        { ...principal('AZURE_CLIENT_CERTIFICATE is'), certificate, password, isProgramOwned: true },
        deps,
      );
    }
    const path = value('AZURE_CLIENT_CERTIFICATE_PATH');
    if (path) {
      const owner = principal('AZURE_CLIENT_CERTIFICATE_PATH is');
      return clientCertificateAuthorizer({ ...owner, certificate: { path }, password, isProgramOwned: true }, deps);
    }
    const federated = isTrue(value('USE_WORKLOAD_IDENTITY_AUTH')) ? DEFAULT_TOKEN_FILE : undefined;
    const tokenFile = value('AZURE_FEDERATED_TOKEN_FILE') ?? federated;
    if (tokenFile) {
      const owner = principal('workload identity is');
      return federatedAuthorizer({ ...owner, assertion: assertionFromFile(tokenFile) }, deps);
    }
    return undefined;
  };
  const chosen = chooseAuthorizer();
  const authorizer =
    chosen === undefined
      ? managedIdentityAuthorizer({ clientId }, deps.imds)
      : boundToTenants(authFailures(chosen), { tenantId: tenantId ?? '', additionalTenants });
  return {
    authorizer,
    cloud: deps.cloud,
    subscriptionId: given('AZURE_SUBSCRIPTION_ID', subscriptionIdOf),
    tenantId,
    clientId,
    additionalTenants,
  };
}

function missing(what: string, because: string): never {
  throw new AzimuthError('AZ_CONFIG_INVALID', `Expected \`${what}\` to be set, because ${because} set; it is missing`);
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}
