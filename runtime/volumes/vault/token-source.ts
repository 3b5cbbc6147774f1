import { policyProblem, type VolumePolicy } from '../../api/volumes/policy.ts';
import type { ScopeRule } from '../../azure/arm/scopes.ts';
import type { HttpAnswer } from '../../azure/http-call.ts';
import { clientSecretAuthorizer } from '../../azure/identity/authorizers/client-secret.ts';
import { federatedAuthorizer } from '../../azure/identity/authorizers/federated.ts';
import { managedIdentityAuthorizer } from '../../azure/identity/authorizers/managed-identity.ts';
import { tokenOf } from '../../azure/identity/entra-client.ts';
import type { Imds } from '../../azure/identity/imds.ts';
import type { AccessToken, Authorizer, CloudEnvironment } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import type { VolumeSpec } from '../options/volume-spec.ts';
import { withinScopes } from './machine-identity.ts';
import type { NodeDaemon } from './node-daemon-client.ts';

/** How to get tokens for a volume. */
export interface VolumeTokenDeps {
  readonly cloud: CloudEnvironment;
  readonly dispatcher: Dispatcher;
  readonly imds: Imds;
  readonly clock: Clock;
  /** Absent where the pod is not authenticated; pod identities then fail with AZ_VOLUME_AGENT. */
  readonly nodeDaemon?: NodeDaemon | undefined;
  /** Which namespaces may use which identities of the machine. @default all, within the node's settings */
  readonly identityScopes?: readonly ScopeRule[] | undefined;
  /** Shares tokens between mounts with the same credential, which `key` identifies. @default each mount has its own */
  readonly poolTokens?: ((key: readonly string[], authorizer: Authorizer) => Authorizer) | undefined;
  /** Whether to request tokens of the node daemon without retries. @default false */
  readonly once?: boolean;
}

/** The authorizer of a volume; one mount requests each token once. */
export function authorizerOf(request: VolumeSpec, deps: VolumeTokenDeps): Authorizer {
  const { identity, tenantId, pod } = request;
  const { poolTokens = (_key, authorizer) => withTokenMemory(authorizer) } = deps;
  switch (identity.mode) {
    case 'service-principal': {
      const { clientId, clientSecret } = identity;
      const authorizer = clientSecretAuthorizer({ tenantId, clientId, clientSecret }, deps);
      return poolTokens([deps.cloud.authorityHost, tenantId, clientId, clientSecret], authorizer);
    }
    case 'vm': {
      const { clientId = '' } = identity;
      const machine = poolTokens([clientId], managedIdentityAuthorizer(clientId ? { clientId } : {}, deps.imds));
      return deps.identityScopes ? withinScopes(machine, pod.namespace, deps.identityScopes) : machine;
    }
    case 'federated': {
      const { clientId, token } = identity;
      const source = `service account of the pod ${pod.namespace}/${pod.name} as the workload identity`;
      return withTokenMemory(federatedAuthorizer({ tenantId, clientId, source, assertion: async () => token }, deps));
    }
    case 'pod':
      return withTokenMemory(podAuthorizer(request, deps));
  }
}

/** Requests each token once: one mount reads all its objects within moments. */
function withTokenMemory(authorizer: Authorizer): Authorizer {
  const tokens = new Map<string, Promise<AccessToken>>();
  return {
    description: authorizer.description,
    getToken(request) {
      const key = JSON.stringify([request.audience, request.tenantId, request.claims]);
      const token = tokens.get(key) ?? authorizer.getToken(request);
      tokens.set(key, token);
      token.catch(() => tokens.delete(key));
      return token;
    },
  };
}

/** Attempts: assigning a pod's identity to the machine may take half a minute. */
const attempts = 5;
const pausesMs = [1000, 3000, 7000, 10_000];
/** Milliseconds, longer than connecting can take. */
const longWaitMs = 20_000;

/** What the status of a refusal means for the author of the pod, by status. */
const advice: Readonly<Record<number, string>> = {
  403: '',
  404: '; does an AzureIdentityBinding select the pod, and is there an AzureIdentity for it?',
};

/**
 * Tokens of the node daemon for a pod: `/host/token/`. The AzureIdentityBinding of a token must allow the whole
 * volume, even if the identity can read more.
 */
function podAuthorizer(volume: VolumeSpec, deps: VolumeTokenDeps): Authorizer {
  const { clock, nodeDaemon, once: oneTry = false } = deps;
  if (!nodeDaemon) throw new AzimuthError('AZ_VOLUME_AGENT', 'A volume with usepodidentity needs the node agent');
  const { pod } = volume;
  const description = `identity of the pod ${pod.namespace}/${pod.name}`;
  const daemon = nodeDaemon.description;

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
          failure = refusalOf(answer, `${daemon} gave no token for the ${description}`, clock.now());
          wait = retryAfterOf(answer.headers, clock.now()) ?? wait;
          // Retries do not help: the request is malformed, or the daemon refuses the identity.
          if ([400, 401, 403].includes(answer.status)) throw failure;
        } catch (error) {
          // The earlier failure explains more than the abort.
          if (request.signal?.aborted && failure) throw failure;
          if (error instanceof AzimuthError && !request.signal?.aborted) throw error;
          failure = silenceOf(daemon, clock.monotonic() - asked, error);
        }
        if (oneTry || attempt + 1 >= attempts) throw failure;
        await clock.sleep(wait, request.signal).catch(() => {
          throw failure;
        });
      }
    },
  };
}

/** The error of an answer without a token. `now`: milliseconds since the epoch. */
function refusalOf({ status, text, body, headers }: HttpAnswer, subject: string, now: number): AzimuthError {
  const { error_description: described } = (body ?? {}) as { readonly error_description?: unknown };
  const words = typeof described === 'string' ? described : text.trim();
  const reason = status === 200 ? 'it sent no token' : `${status} ${words.slice(0, 300)}`;
  return new AzimuthError(
    'AZ_AUTH_FAILED',
    `${subject}: ${reason}${advice[status] ?? ''}`,
    // No Retry-After for a refusal: somebody may change the binding earlier.
    { retryAfterMs: status === 403 ? undefined : retryAfterOf(headers, now) },
  );
}

/** The error of a daemon that sent no answer within this time. */
function silenceOf(daemon: string, waitedMs: number, cause: unknown): AzimuthError {
  // A running daemon answers at once, unless it waits for the assignment of an identity to the pod.
  if (waitedMs >= longWaitMs) {
    const seconds = Math.round(waitedMs / 1000);
    const message = `${daemon} had no identity for the pod within ${seconds} s${advice[404]}`;
    return new AzimuthError('AZ_AUTH_FAILED', message, { cause });
  }
  const message = `${daemon} did not answer: ${messageOf(cause)}; is its DaemonSet running here?`;
  return new AzimuthError('AZ_AUTH_UNREACHABLE', message, { cause });
}

interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly volumes?: VolumePolicy;
}

/**
 * Parses `{ token: {access_token, expires_on, ...}, clientid, binding }`; the lifetimes are texts. `now`: milliseconds
 * since the epoch.
 */
function hostToken(body: unknown, now: number): { token: AccessToken; binding: Binding | undefined } | undefined {
  const { token: given, binding } = (body ?? {}) as { readonly token?: unknown; readonly binding?: Binding };
  const token = tokenOf(given, now);
  return token && { token, binding };
}

function checkBinding(volume: VolumeSpec, binding: Binding | undefined, daemon: string): void {
  if (!binding) {
    throw new AzimuthError(
      'AZ_VOLUME_REFUSED',
      `${daemon} does not name the AzureIdentityBinding of the token, which may limit volumes; update it`,
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
