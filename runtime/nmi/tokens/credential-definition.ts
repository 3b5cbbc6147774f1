import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { authorityHosts } from '../../azure/clouds.ts';
import { clientCertificateAuthorizer } from '../../azure/identity/client-certificate-authorizer.ts';
import { clientSecretAuthorizer } from '../../azure/identity/client-secret-authorizer.ts';
import type { AadContext } from '../../azure/identity/entra-client.ts';
import { federatedAuthorizer } from '../../azure/identity/federated-authorizer.ts';
import type { IdentitySecret } from '../../azure/identity/identity-secret.ts';
import type { Imds } from '../../azure/identity/imds.ts';
import type { AccessToken } from '../../azure/types.ts';
import { AzimuthError, expected } from '../../base/errors.ts';
import type { Measure } from '../measured.ts';
import type { Pod } from '../objects.ts';
import type { Secrets } from './secret-reader.ts';
import { accountOf, type ServiceAccountTokens } from './service-account-tokens.ts';

export interface CredentialSources {
  readonly imds: Imds;
  readonly aad: AadContext;
  readonly secrets: Secrets;
  readonly accounts: ServiceAccountTokens;
  /** Around each request to AAD. */
  readonly measure?: Measure;
  /** Hosts, with a port other than 443, that identities may name as their authority besides those of Azure's clouds. */
  readonly authorityHosts?: readonly string[];
}

/** How tokens of an identity are asked for at this moment. */
export interface CredentialDefinition {
  /** Who it is at AAD. Only versions for the same principal may stand in for each other. */
  readonly principal: string;
  /** Changes whenever anything changes that AAD would look at; of secrets a digest. */
  readonly version: string;
  /** PodByAddress with different subjects never share a token. */
  readonly subject: string;
  /** Undefined: the tenant of the credential; several for a multi-tenant application. */
  readonly tenants: readonly (string | undefined)[];
  /** Whether versions can be refused by AAD while an earlier one still works. */
  readonly rotates: boolean;
  /** Made once for each version. */
  readonly open: () => (
    resource: string,
    tenant: string | undefined,
    pod: Pod,
    signal: AbortSignal,
  ) => Promise<AccessToken>;
}

/**
 * What the identity says about it; a function of the Secret's content where there is one. Throws AZ_CONFIG_INVALID where the
 * identity is incomplete.
 */
export function defineCredential(
  spec: AzureIdentitySpec,
  pod: Pod,
  sources: CredentialSources,
): CredentialDefinition | ((content: IdentitySecret) => CredentialDefinition) {
  const type = spec.type ?? identityType.userAssigned;
  const fixed = { subject: '', tenants: [undefined], rotates: false } as const;
  if (type === identityType.userAssigned) {
    const { clientID: clientId, resourceID: resourceId } = spec;
    const selector = clientId ? { clientId } : resourceId ? { resourceId } : undefined;
    if (!selector) throw expected('clientID of the AzureIdentity', 'set, or resourceID', '');
    const description = `managed identity ${clientId || resourceId}`;
    return {
      ...fixed,
      principal: `imds ${clientId || resourceId}`,
      version: JSON.stringify(['imds', clientId, resourceId]),
      open: () => (resource, _tenant, _pod, signal) => sources.imds.token(resource, selector, description, signal),
    };
  }

  const measure: Measure = sources.measure ?? ((work) => work());
  const known = [1, 2, 3].includes(type);
  if (!known) throw new AzimuthError('AZ_CONFIG_INVALID', `unsupported identity type ${type}`);
  const clientId = spec.clientID ?? '';
  const tenantId = spec.tenantID ?? '';
  if (clientId === '') throw expected('clientID of the AzureIdentity', 'set', clientId);
  if (tenantId === '') throw expected('tenantID of the AzureIdentity', 'set', tenantId);
  const context: AadContext = { ...sources.aad, cloud: cloudAt(sources, spec.adEndpoint) };
  const principal = JSON.stringify([context.cloud.authorityHost, tenantId.toLowerCase(), clientId.toLowerCase()]);

  if (type === identityType.workloadFederation) {
    const { namespace, name } = accountOf(pod);
    return {
      ...fixed,
      principal,
      version: JSON.stringify(['federation', principal]),
      // Whether AAD trusts a service account is its decision for each one.
      subject: `${namespace}/${name}`,
      open: () => (resource, tenant, caller, signal) => {
        const assertion = () => sources.accounts.of(caller);
        const source = `service account ${namespace}/${name}`;
        const authorizer = federatedAuthorizer({ tenantId, clientId, assertion, source }, context);
        return measure(() => authorizer.getToken({ audience: resource, ...(tenant && { tenantId: tenant }), signal }));
      },
    };
  }

  const auxiliary = type === identityType.servicePrincipal ? (spec.auxiliaryTenantIDs ?? []) : [];
  if (auxiliary.length > 3) throw new AzimuthError('AZ_CONFIG_INVALID', 'must specify one to three auxiliary tenants');
  const tenants = [undefined, ...auxiliary];
  return ({ version, value, password, problem }) => {
    const open = () => {
      if (problem) return () => Promise.reject(problem);
      const authorizer =
        type === identityType.servicePrincipal
          ? clientSecretAuthorizer({ tenantId, clientId, clientSecret: value.toString('utf8') }, context)
          : clientCertificateAuthorizer(
              { tenantId, clientId, certificate: value, ...(password && { password }), source: 'the AzureIdentity' },
              context,
            );
      return (resource: string, tenant: string | undefined, _pod: Pod, signal: AbortSignal) =>
        measure(() => authorizer.getToken({ audience: resource, ...(tenant && { tenantId: tenant }), signal }));
    };
    return { principal, version: JSON.stringify([principal, version]), subject: '', tenants, rotates: true, open };
  };
}

/**
 * The authority of the identity in place of the cloud's. Client secrets and tokens of service accounts go there, and
 * whoever may write an AzureIdentity chooses it: so it must be one of Azure's own, or one that the node daemon was told of.
 */
function cloudAt({ aad: { cloud }, authorityHosts: further = [] }: CredentialSources, endpoint: string | undefined) {
  if (!endpoint) return cloud;
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw expected('adEndpoint of the AzureIdentity', 'an https URL', url?.username ? 'a URL with a user' : endpoint);
  }
  const own = URL.parse(cloud.authorityHost)?.host;
  if (url.host !== own && !authorityHosts.has(url.host) && !further.includes(url.host)) {
    throw expected('adEndpoint of the AzureIdentity', 'an authority of Azure, or one of --authority-hosts', url.host);
  }
  return { ...cloud, authorityHost: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}
