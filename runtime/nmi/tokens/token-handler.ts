import { openingOf } from '../../api/pod-identity/availability.ts';
import { AuthError } from '../../azure/identity/entra-errors.ts';
import type { Imds } from '../../azure/identity/imds.ts';
import type { AccessToken } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Audit } from '../audit.ts';
import { HttpError } from '../http/http-error.ts';
import { jwtClaims, tokenBody } from '../http/token-body.ts';
import type { TokenRequest } from '../http/token-request.ts';
import type { Pod } from '../objects.ts';
import type { NamedPod, PodByAddress } from '../pods/pod-by-address.ts';
import { IdentityRefused } from './credential-definition.ts';
import { type Identities, type IdentityUse, notFound } from './identity-lookup.ts';
import { AccountRefused } from './service-account-tokens.ts';
import { isPassing, type TokenService } from './token-service.ts';

export interface TokenHandlerOptions {
  readonly callers: PodByAddress;
  readonly identities: Identities;
  readonly tokens: TokenService;
  readonly imds: Imds;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** A token as the caller may see it: the end of the binding's window cuts its life. */
export interface Granted {
  readonly pod: Pod;
  /** JSON. */
  readonly body: string;
  /** Undefined for an excepted pod. */
  readonly use: IdentityUse | undefined;
}

/** From a pod and what it asks for to a token, with the audit record written before it is handed out. */
export class TokenHandler {
  readonly #options: TokenHandlerOptions;

  constructor(options: TokenHandlerOptions) {
    this.#options = options;
  }

  /** Without waiting for anything: undefined where something is to be read, waited for or refused, by `forAddress`. */
  atOnce(address: string, request: TokenRequest): Granted | undefined {
    const { callers, identities, tokens, clock } = this.#options;
    const pod = callers.known(address);
    if (!pod) return undefined;
    const now = clock.now();
    for (const use of identities.known(pod, request) ?? []) {
      const opening = openingOf(use.binding, now);
      if (!opening.open) continue;
      const token = tokens.known(use, pod, request.resource);
      return token && this.#grant(pod, use, request, [token], opening.until);
    }
    return undefined;
  }

  /** For the pod with this source address. Throws a refusal. */
  async forAddress(address: string, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const { callers, identities } = this.#options;
    const pod = await callers.find(address, signal);
    if (identities.excepted(pod)) return this.#excepted(pod, request, signal);
    return this.#audited(pod, request, signal);
  }

  /** For a pod that a caller on the node names. Throws a refusal. */
  async forPod(named: NamedPod, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const pod = await this.#options.callers.named(named, signal);
    return this.#audited(pod, request, signal);
  }

  async #audited(pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    let use: IdentityUse | undefined;
    try {
      const uses = await this.#options.identities.find(pod, request, signal);
      if (request.objectId !== '') return await this.#byObjectId(pod, uses, request, signal);
      use = firstToOpen(uses, this.#options.clock.now());
      if (!use) throw notFound(request);
      this.#openUntil(use);
      const tokens = await this.#tokens(use, pod, request, signal);
      return this.#grantAfterWait(pod, use, request, tokens);
    } catch (error) {
      if (signal.aborted) throw error;
      const refusal = error instanceof HttpError ? error : internal(error);
      const { reason, status, body, detail } = refusal;
      this.#options.audit.refused(pod, use, request, reason, status, body, detail);
      throw refusal;
    }
  }

  /** No AzureIdentity names its object id, but every token does. */
  async #byObjectId(
    pod: Pod,
    uses: readonly IdentityUse[],
    request: TokenRequest,
    signal: AbortSignal,
  ): Promise<Granted> {
    const now = this.#options.clock.now();
    const isOpen = ({ binding }: IdentityUse) => openingOf(binding, now).open;
    let failure: unknown;
    for (const use of uses.filter(isOpen)) {
      try {
        const tokens = await this.#tokens(use, pod, request, signal);
        const id = jwtClaims(tokens[0]?.token ?? '')['oid'];
        if (String(id).toLowerCase() !== request.objectId.toLowerCase()) continue;
        return this.#grantAfterWait(pod, use, request, tokens);
      } catch (error) {
        if (signal.aborted) throw error;
        failure ??= error;
      }
    }
    if (failure) throw failure;
    // It may be the one that was asked for.
    const closed = firstToOpen(
      uses.filter((use) => !isOpen(use)),
      now,
    );
    if (closed) this.#openUntil(closed);
    throw notFound(request);
  }

  async #tokens(use: IdentityUse, pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<AccessToken[]> {
    try {
      return await this.#options.tokens.issue(use, pod, request.resource, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      throw tokenError(error);
    }
  }

  /**
   * A token may take a minute to come, in which the binding, its window, the pod's label or the pod itself may have gone:
   * then it is given to nobody. What binding and window say is what they say by then.
   */
  #grantAfterWait(pod: Pod, before: IdentityUse, request: TokenRequest, tokens: readonly AccessToken[]): Granted {
    const { callers, identities } = this.#options;
    const current = callers.current(pod);
    const use = current && identities.standing(current, before, request);
    if (!use) throw notFound(request);
    return this.#grant(pod, use, request, tokens, this.#openUntil(use));
  }

  #openUntil(use: IdentityUse): number | undefined {
    const now = this.#options.clock.now();
    const opening = openingOf(use.binding, now);
    if (opening.open) return opening.until;
    const { opensAt, reason } = opening;
    const when =
      opensAt === undefined ? 'It will not open by itself' : `It opens at ${new Date(opensAt).toISOString()}`;
    throw new HttpError(403, `the identity is not available now: ${reason}. ${when}`, {
      reason: 'NotAvailable',
      ...(opensAt !== undefined && { retryAfterSeconds: Math.ceil((opensAt - now) / 1000) }),
    });
  }

  #grant(
    pod: Pod,
    use: IdentityUse,
    request: TokenRequest,
    tokens: readonly AccessToken[],
    until: number | undefined,
  ): Granted {
    const now = this.#options.clock.now();
    const bodies = tokens.map((token) => tokenBody(token, request.resource, now, until));
    const end = Math.min(until ?? Number.POSITIVE_INFINITY, ...tokens.map(({ expiresOn }) => expiresOn));
    this.#options.audit.issued(pod, use, request, end);
    const body = bodies.length > 1 ? `[${bodies.join(',')}]` : (bodies[0] ?? '');
    return { pod, body, use };
  }

  /** The pod gets what the machine itself would get. */
  async #excepted(pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const { imds, audit, clock } = this.#options;
    const { clientId, objectId, resourceId, resource } = request;
    const selector = clientId ? { clientId } : objectId ? { objectId } : resourceId ? { resourceId } : {};
    let token: AccessToken;
    try {
      token = await imds.token(resource, selector, 'machine, for an excepted pod', signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const refusal = tokenError(error);
      audit.refused(pod, undefined, request, refusal.reason, refusal.status, refusal.body, refusal.detail);
      throw refusal;
    }
    audit.passed(pod, request, token.expiresOn);
    return { pod, body: tokenBody(token, resource, clock.now()), use: undefined };
  }
}

/** Of the bindings that give one identity the first that is open, else the one that opens first. */
function firstToOpen(uses: readonly IdentityUse[], now: number): IdentityUse | undefined {
  let best: { readonly use: IdentityUse; readonly at: number } | undefined;
  for (const use of uses) {
    const opening = openingOf(use.binding, now);
    const at = opening.open ? Number.NEGATIVE_INFINITY : (opening.opensAt ?? Number.POSITIVE_INFINITY);
    if (!best || at < best.at) best = { use, at };
  }
  return best?.use;
}

/**
 * 403 where AAD or IMDS refused, as upstream; 503 where nothing was decided: no answer, an answer that asks for
 * patience, or a credential that could not be read.
 */
export function tokenError(error: unknown): HttpError {
  const prefix = 'failed to get service principal token, error: ';
  const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
  if (isPassing(error)) {
    const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000));
    return new HttpError(503, prefix + messageOf(error), { reason: 'TokenServiceFailing', retryAfterSeconds });
  }
  if (error instanceof IdentityRefused) return new HttpError(403, messageOf(error), { reason: error.reason });
  if (error instanceof AccountRefused)
    return new HttpError(403, prefix + messageOf(error), { reason: 'ServiceAccountRefused' });
  if (error instanceof AuthError)
    return new HttpError(403, prefix + messageOf(error), { reason: 'TokenServiceRefused' });
  // These name Secrets, which may be another tenant's.
  const told =
    error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID' && !error.message.includes('Secret ')
      ? messageOf(error)
      : "the AzureIdentity's credential cannot be read; see the events of its binding";
  return new HttpError(503, prefix + told, {
    reason: 'CredentialUnusable',
    detail: messageOf(error),
    retryAfterSeconds: 5,
  });
}

function internal(error: unknown): HttpError {
  return new HttpError(500, 'internal error', { reason: 'InternalError', detail: messageOf(error) });
}
