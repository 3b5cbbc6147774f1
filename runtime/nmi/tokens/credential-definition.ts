import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { type FurtherAuthorities, identityAuthority } from '../../azure/identity/authorities.ts';
import { clientCertificateAuthorizer } from '../../azure/identity/authorizers/client-certificate.ts';
import { clientSecretAuthorizer } from '../../azure/identity/authorizers/client-secret.ts';
import { federatedAuthorizer } from '../../azure/identity/authorizers/federated.ts';
import type { EntraDeps } from '../../azure/identity/entra-client.ts';
import { credentialFieldProblem } from '../../azure/identity/identity-fields.ts';
import { type IdentityPolicy, identityPolicyProblem } from '../../azure/identity/identity-policy.ts';
import type { IdentitySecret } from '../../azure/identity/identity-secret.ts';
import type { Imds, ManagedIdentityToken } from '../../azure/identity/imds.ts';
import type { AccessToken, Authorizer } from '../../azure/types.ts';
import { AzimuthError, expected } from '../../base/errors.ts';
import type { Measure } from '../measured.ts';
import type { Pod } from '../objects.ts';
import { jwtClaims } from '../protocol/token-body.ts';
import type { RequestPlaces } from '../request-places.ts';
import type { Secrets } from './secret-reader.ts';
import { accountOf, type ServiceAccountTokens } from './service-account-tokens.ts';

/** Sources of the credentials of AzureIdentities. */
export interface CredentialSources extends Pick<FurtherAuthorities, 'authorityHosts'> {
  readonly imds: Imds;
  /** Cloud, HTTP and limits of requests to Entra. */
  readonly entra: EntraDeps;
  readonly secrets: Secrets;
  readonly accounts: ServiceAccountTokens;
  readonly places: RequestPlaces;
  /** Wraps each request to Entra, for metrics. @default runs it */
  readonly measure?: Measure;
  /** Which identities a namespace may use. @default any */
  readonly policy?: IdentityPolicy;
  /** Requests managed identities by resource id and compares the client id of the answer. @default false */
  readonly checkClientIds?: boolean;
}

/** How to request tokens of an identity at this moment. */
export interface CredentialDefinition {
  /** The principal in Entra. Only versions for the same principal may replace each other. */
  readonly principal: string;
  /** Changes with everything that Entra checks; contains a digest of secrets. */
  readonly version: string;
  /** Pods with different subjects never share a token. */
  readonly subject: string;
  /** Tenants to request tokens of, the primary first; undefined stands for the credential's own tenant. */
  readonly tenants: readonly (string | undefined)[];
  /** Whether Entra may refuse a version while an earlier one still works. */
  readonly rotates: boolean;
  /** Creates the function that requests tokens; called once for each version. */
  readonly open: () => (
    resource: string,
    tenant: string | undefined,
    pod: Pod,
    signal: AbortSignal,
  ) => Promise<AccessToken>;
}

/**
 * The cluster's policy forbids the AzureIdentity, or its client id belongs to another identity. `reason`: for audit.
 */
export class IdentityRefused extends AzimuthError {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super('AZ_CONFIG_INVALID', message);
    this.reason = reason;
  }
}

/** The same for every credential that has no Secret. */
const withoutSecret = { subject: '', tenants: [undefined], rotates: false } as const;

/**
 * The credential of an AzureIdentity, or a function of its Secret's content where it has one. Throws
 * AZ_CONFIG_INVALID where the identity is incomplete, and IdentityRefused where its namespace may not use it.
 */
export function defineCredential(
  spec: AzureIdentitySpec,
  namespace: string,
  pod: Pod,
  sources: CredentialSources,
): CredentialDefinition | ((content: IdentitySecret) => CredentialDefinition) {
  const type = spec.type ?? identityType.userAssigned;
  const refused = sources.policy && identityPolicyProblem(sources.policy, namespace, spec);
  if (refused) throw new IdentityRefused(refused.reason, refused.message);
  if (type === identityType.userAssigned) return managedIdentity(spec, sources);
  const supported = [1, 2, 3].includes(type);
  if (!supported) throw new AzimuthError('AZ_CONFIG_INVALID', `unsupported identity type ${type}`);
  const problem = credentialFieldProblem(spec);
  if (problem) throw new AzimuthError('AZ_CONFIG_INVALID', problem.message);
  const application = applicationOf(spec, namespace, sources);
  if (type === identityType.workloadFederation) return federatedCredential(application, pod, sources);
  return (content) => secretCredential(application, type, content, sources);
}

/** The identity of the machine, by its client id or its resource id. */
function managedIdentity(
  { clientID: clientId, resourceID: resourceId }: AzureIdentitySpec,
  sources: CredentialSources,
): CredentialDefinition {
  const byResource = sources.checkClientIds === true && Boolean(resourceId);
  const selector = clientId && !byResource ? { clientId } : resourceId ? { resourceId } : undefined;
  if (!selector) throw expected('clientID of the AzureIdentity', 'set, or resourceID', '');
  const description = `managed identity ${clientId || resourceId}`;
  return {
    ...withoutSecret,
    principal: `imds ${clientId || resourceId}`,
    version: JSON.stringify(['imds', clientId, resourceId]),
    open: () => async (resource, _tenant, caller, signal) => {
      const token = await sources.imds.token(resource, selector, description, signal, (send) =>
        sources.places.imds.run(caller.metadata.namespace ?? '', signal, send),
      );
      if (byResource && clientId) checkClientId(token, clientId);
      return token;
    },
  };
}

/** An application in Entra, and how to reach the authority that knows it. */
interface Application {
  readonly tenantId: string;
  readonly clientId: string;
  readonly principal: string;
  /** Tenants beside its own. */
  readonly auxiliary: readonly string[];
  readonly deps: EntraDeps;
}

function applicationOf(spec: AzureIdentitySpec, namespace: string, sources: CredentialSources): Application {
  const { clientID: clientId = '', tenantID: tenantId = '' } = spec;
  const { certificates, cloud } = sources.entra;
  const { authorityHosts } = sources;
  const deps: EntraDeps = {
    ...sources.entra,
    cloud: { ...cloud, authorityHost: identityAuthority(spec.adEndpoint, { cloud, authorityHosts }) },
    ...(certificates && {
      certificates: {
        used: (_, expiresAt, own) =>
          certificates.used(`AzureIdentity of ${namespace} with the client id ${clientId}`, expiresAt, own),
      },
    }),
  };
  const principal = JSON.stringify([deps.cloud.authorityHost, tenantId.toLowerCase(), clientId.toLowerCase()]);
  return { tenantId, clientId, principal, auxiliary: spec.auxiliaryTenantIDs ?? [], deps };
}

/** The application by the token of the pod's service account. */
function federatedCredential(
  { tenantId, clientId, principal, deps }: Application,
  pod: Pod,
  sources: CredentialSources,
): CredentialDefinition {
  const { namespace, name } = accountOf(pod);
  return {
    ...withoutSecret,
    principal,
    version: JSON.stringify(['federation', principal]),
    // Entra decides for each service account whether it trusts it.
    subject: `${namespace}/${name}`,
    open: () => (resource, tenant, caller, signal) => {
      const assertion = () => sources.accounts.of(caller);
      const source = `service account ${namespace}/${name}`;
      const authorizer = federatedAuthorizer({ tenantId, clientId, assertion, source }, deps);
      return requesterOf(authorizer, sources)(resource, tenant, caller, signal);
    },
  };
}

/** The application by the client secret or the certificate in its Secret. */
function secretCredential(
  { tenantId, clientId, principal, auxiliary, deps }: Application,
  type: number,
  { version, value, password, problem }: IdentitySecret,
  sources: CredentialSources,
): CredentialDefinition {
  const bySecret = type === identityType.servicePrincipal;
  const open = () => {
    if (problem) return () => Promise.reject(problem);
    const source = 'the AzureIdentity';
    const authorizer = bySecret
      ? clientSecretAuthorizer({ tenantId, clientId, clientSecret: value.toString('utf8') }, deps)
      : clientCertificateAuthorizer(
          { tenantId, clientId, certificate: value, ...(password && { password }), source },
          deps,
        );
    return requesterOf(authorizer, sources);
  };
  const tenants = [undefined, ...(bySecret ? auxiliary : [])];
  return { principal, version: JSON.stringify([principal, version]), subject: '', tenants, rotates: true, open };
}

/** Requests tokens of Entra within the limits of the pod's namespace. */
function requesterOf(authorizer: Authorizer, sources: CredentialSources): ReturnType<CredentialDefinition['open']> {
  const measure: Measure = sources.measure ?? ((work) => work());
  return (resource, tenant, caller, signal) =>
    sources.places.entra.run(caller.metadata.namespace ?? '', signal, () =>
      measure(() => authorizer.getToken({ audience: resource, ...(tenant && { tenantId: tenant }), signal })),
    );
}

/** The author of an AzureIdentity may write any client id; the token has the real one. Throws IdentityRefused. */
function checkClientId({ token, clientId: answered }: ManagedIdentityToken, expected: string): void {
  const { appid, azp } = jwtClaims(token);
  const actual = [appid, azp, answered].find((id) => typeof id === 'string' && id !== '');
  if (typeof actual === 'string' && actual.toLowerCase() === expected.toLowerCase()) return;
  throw new IdentityRefused(
    'ClientIdMismatch',
    'spec.clientID of the AzureIdentity is not the client id of the identity that spec.resourceID names; correct one of them',
  );
}
