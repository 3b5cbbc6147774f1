import { policyProblem, type VolumePolicy } from '../../api/volumes/policy.ts';
import type { ScopeRule } from '../../azure/arm/scopes.ts';
import type { HttpAnswer } from '../../azure/http-call.ts';
import { clientSecretAuthorizer } from '../../azure/identity/client-secret-authorizer.ts';
import { tokenOf } from '../../azure/identity/entra-client.ts';
import { federatedAuthorizer } from '../../azure/identity/federated-authorizer.ts';
import type { Imds } from '../../azure/identity/imds.ts';
import { managedIdentityAuthorizer } from '../../azure/identity/managed-identity-authorizer.ts';
import type { AccessToken, Authorizer, CloudEnvironment } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import { withinScopes } from './machine-identity.ts';
import type { NodeDaemon } from './node-daemon-client.ts';

export interface IdentityContext {
  readonly cloud: CloudEnvironment;
  readonly dispatcher: Dispatcher;
  readonly imds: Imds;
  readonly clock: Clock;
  /** Absent where nobody has authenticated the pod: no token of a pod's identity is asked for then. */
  readonly nodeDaemon?: NodeDaemon | undefined;
  /** Which namespaces may use which identities of the machine. @default all, within the node's settings */
  readonly identityScopes?: readonly ScopeRule[] | undefined;
  /** Keeps tokens for other mounts with the same credential, which `key` names. @default each mount has its own */
  readonly poolTokens?: ((key: readonly string[], authorizer: Authorizer) => Authorizer) | undefined;
  /** Asks the node daemon one time only. @default false */
  readonly once?: boolean;
}

/** Who reads the vault for a volume; one mount asks for each token once. */
export function authorizerOf(request: VolumeRequest, context: IdentityContext): Authorizer {
  const { identity, tenantId, pod } = request;
  const { poolTokens = (_key, authorizer) => once(authorizer) } = context;
  switch (identity.mode) {
    case 'service-principal': {
      const { clientId, clientSecret } = identity;
      const authorizer = clientSecretAuthorizer({ tenantId, clientId, clientSecret }, context);
      return poolTokens([context.cloud.authorityHost, tenantId, clientId, clientSecret], authorizer);
    }
    case 'vm': {
      const { clientId = '' } = identity;
      const machine = poolTokens([clientId], managedIdentityAuthorizer(clientId ? { clientId } : {}, context.imds));
      return context.identityScopes ? withinScopes(machine, pod.namespace, context.identityScopes) : machine;
    }
    case 'federated': {
      const { clientId, token } = identity;
      const source = `service account of the pod ${pod.namespace}/${pod.name} as the workload identity`;
      return once(federatedAuthorizer({ tenantId, clientId, source, assertion: async () => token }, context));
    }
    case 'pod':
      return once(podAuthorizer(request, context));
  }
}

/** The objects of one mount are read within moments of each other, so a token serves them all. */
function once(authorizer: Authorizer): Authorizer {
  const tokens = new Map<string, Promise<AccessToken>>();
  return {
    description: authorizer.description,
    getToken(request) {
      const key = JSON.stringify([request.audience, request.tenantId, request.claims]);
      const known = tokens.get(key) ?? authorizer.getToken(request);
      tokens.set(key, known);
      known.catch(() => tokens.delete(key));
      return known;
    },
  };
}

/** A pod's identity may be on its way still: assigning it to the machine takes half a minute. */
const attempts = 5;
const pausesMs = [1000, 3000, 7000, 10_000];
/** Longer than connecting takes at most. */
const longWaitMs = 20_000;

/**
 * Tokens that the node daemon hands out for a pod: `/host/token/` (facts on Key Vault 2, suite "nmi"). The binding that a
 * token was given under must admit all of the volume, whatever the identity can read.
 */
function podAuthorizer(volume: VolumeRequest, context: IdentityContext): Authorizer {
  const { clock, nodeDaemon, once: oneTry = false } = context;
  if (!nodeDaemon) throw new AzimuthError('AZ_VOLUME_AGENT', 'A volume with usepodidentity needs the node agent');
  const { pod } = volume;
  const description = `identity of the pod ${pod.namespace}/${pod.name}`;
  const daemon = nodeDaemon.description;
  const advice: Record<number, string> = {
    403: '',
    404: '; does an AzureIdentityBinding select the pod, and is there an AzureIdentity for it?',
  };

  return {
    description,
    async getToken(request) {
      let failure: AzimuthError | undefined;
      for (let attempt = 0; ; attempt++) {
        let wait = pausesMs[attempt] ?? 0;
        const asked = clock.monotonic();
        try {
          const { audience: resource, signal } = request;
          const answer = await nodeDaemon.ask({ resource, pod, signal });
          const granted = answer.status === 200 ? hostToken(answer.body, clock.now()) : undefined;
          if (granted) {
            checkBinding(volume, granted.binding, daemon);
            return granted.token;
          }
          failure = refusalOf(answer);
          wait = retryAfterOf(answer.headers, clock.now()) ?? wait;
          // Neither passes by waiting within a call: the request is malformed, or the identity is refused.
          if ([400, 401, 403].includes(answer.status)) throw failure;
        } catch (error) {
          // What was said before tells more than that time is up.
          if (request.signal?.aborted && failure) throw failure;
          if (error instanceof AzimuthError && !request.signal?.aborted) throw error;
          // A daemon that is there answers at once, unless it waits for what this pod has not got.
          const waitedMs = clock.monotonic() - asked;
          failure =
            waitedMs >= longWaitMs
              ? new AzimuthError(
                  'AZ_AUTH_FAILED',
                  `${daemon} had no identity for the pod within ${Math.round(waitedMs / 1000)} s${advice[404]}`,
                  { cause: error },
                )
              : new AzimuthError(
                  'AZ_AUTH_UNREACHABLE',
                  `${daemon} did not answer: ${messageOf(error)}; is its DaemonSet running here?`,
                  { cause: error },
                );
        }
        if (oneTry || attempt + 1 >= attempts) throw failure;
        await clock.sleep(wait, request.signal).catch(() => {
          throw failure;
        });
      }
    },
  };

  function refusalOf({ status, text, headers }: HttpAnswer): AzimuthError {
    const said = status === 200 ? 'it sent no token' : `${status} ${text.trim().slice(0, 300)}`;
    return new AzimuthError(
      'AZ_AUTH_FAILED',
      `${daemon} gave no token for the ${description}: ${said}${advice[status] ?? ''}`,
      // What a binding forbids until a time, it may admit earlier: somebody may change it.
      { retryAfterMs: status === 403 ? undefined : retryAfterOf(headers, clock.now()) },
    );
  }
}

interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly volumes?: VolumePolicy;
}

/** `{ token: {access_token, expires_on, ...}, clientid, binding }`; the lifetimes are texts. */
function hostToken(body: unknown, now: number): { token: AccessToken; binding: Binding | undefined } | undefined {
  const { token: given, binding } = (body ?? {}) as { readonly token?: unknown; readonly binding?: Binding };
  const token = tokenOf(given, now);
  return token && { token, binding };
}

function checkBinding(volume: VolumeRequest, binding: Binding | undefined, daemon: string): void {
  if (!binding) {
    throw new AzimuthError(
      'AZ_VOLUME_REFUSED',
      `${daemon} does not tell which AzureIdentityBinding the token was given under, which may limit volumes; update it`,
    );
  }
  const problem = policyProblem(binding.volumes, volume);
  if (problem === undefined) return;
  const { namespace, name } = binding;
  throw new AzimuthError(
    'AZ_VOLUME_REFUSED',
    `The AzureIdentityBinding ${namespace}/${name} does not admit the volume: ${problem} (spec.volumes)`,
  );
}
