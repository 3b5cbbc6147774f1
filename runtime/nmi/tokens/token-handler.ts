import type { Opening } from '../../api/pod-identity/availability.ts';
import { AuthError } from '../../azure/identity/entra-errors.ts';
import type { Imds } from '../../azure/identity/imds.ts';
import type { AccessToken } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Audit } from '../audit.ts';
import type { Decision } from '../decisions.ts';
import { HttpError } from '../http/http-error.ts';
import { jwtClaims, tokenBody } from '../http/token-body.ts';
import type { TokenRequest } from '../http/token-request.ts';
import type { Pod } from '../objects.ts';
import type { NamedPod, PodByAddress } from '../pods/pod-by-address.ts';
import type { AvailabilityWindows } from './availability-windows.ts';
import { IdentityRefused } from './credential-definition.ts';
import { type Identities, notFound } from './identity-lookup.ts';
import type { IdentityUse } from './pod-identities.ts';
import { AccountRefused } from './service-account-tokens.ts';
import { type Issued, isPassing, type TokenService } from './token-service.ts';

export interface TokenHandlerOptions {
  readonly pods: PodByAddress;
  readonly identities: Identities;
  readonly windows: AvailabilityWindows;
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
  /** How the same request may be answered again without the handler; undefined where it may not. */
  readonly reuse?: Reuse;
}

/** An answer that holds for a while. */
export interface Reuse {
  readonly token: AccessToken;
  /** When the binding closes, milliseconds since the epoch; undefined = not within sight. */
  readonly windowEnd: number | undefined;
  /** When the answer must be decided anew at the latest. */
  readonly until: number;
  /** Whether everything that decided the answer is still the same. */
  stillValid(): boolean;
}

/** A use that is open now. */
interface OpenUse {
  readonly use: IdentityUse;
  readonly windowEnd: number | undefined;
  /** When one that goes before it opens. */
  readonly earlierAt: number;
}

/** From a pod and what it asks for to a token, with the audit record written before it is handed out. */
export class TokenHandler {
  readonly #options: TokenHandlerOptions;

  constructor(options: TokenHandlerOptions) {
    this.#options = options;
  }

  /** For the pod with this source address. Throws an HTTP error. */
  async handle(address: string, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const { pods, identities } = this.#options;
    const pod = await pods.find(address, signal);
    if (identities.of(pod.value).value.excepted) return this.#excepted(pod.value, request, signal);
    return this.#audited(pod.value, request, signal, pod);
  }

  /** For a pod that a caller on the node names. Throws an HTTP error. */
  async handleForHost(named: NamedPod, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const pod = await this.#options.pods.named(named, signal);
    return this.#audited(pod, request, signal);
  }

  async #audited(pod: Pod, request: TokenRequest, signal: AbortSignal, caller?: Decision<Pod>): Promise<Granted> {
    let use: IdentityUse | undefined;
    try {
      const uses = await this.#options.identities.find(pod, request, signal);
      if (request.objectId !== '') return await this.#byObjectId(pod, uses, request, signal, caller);
      const open = await this.#firstOpen(uses, signal, (closed) => {
        use = closed;
      });
      if (!open) throw notFound(request);
      use = open.use;
      const issued = await this.#tokens(use, pod, request, signal);
      return await this.#grantAfterWait(pod, open, request, issued, signal, caller);
    } catch (error) {
      if (signal.aborted) throw error;
      const refused = error instanceof HttpError ? error : internal(error);
      const { reason, status, body, detail } = refused;
      this.#options.audit.refused(pod, use, request, reason, status, body, detail);
      throw refused;
    }
  }

  /** No AzureIdentity names its object id, but every token does. */
  async #byObjectId(
    pod: Pod,
    uses: readonly IdentityUse[],
    request: TokenRequest,
    signal: AbortSignal,
    caller: Decision<Pod> | undefined,
  ): Promise<Granted> {
    let failure: unknown;
    let closed: HttpError | undefined;
    for (const use of uses) {
      try {
        const open = await this.#firstOpen([use], signal);
        if (!open) continue;
        const issued = await this.#tokens(use, pod, request, signal);
        const id = jwtClaims(issued.tokens[0]?.token ?? '')['oid'];
        if (String(id).toLowerCase() !== request.objectId.toLowerCase()) continue;
        return await this.#grantAfterWait(pod, open, request, issued, signal, caller);
      } catch (error) {
        if (signal.aborted) throw error;
        // A closed one may be the one that was asked for.
        if (error instanceof HttpError && error.reason === notAvailable) closed ??= error;
        else failure ??= error;
      }
    }
    throw failure ?? closed ?? notFound(request);
  }

  async #tokens(use: IdentityUse, pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<Issued> {
    try {
      return await this.#options.tokens.issue(use, pod, request.resource, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      throw tokenError(error);
    }
  }

  /**
   * Of the bindings that give one identity the first that is open. Throws 403 where all are closed, by the one that opens
   * first, after telling `onClosed` which that is.
   */
  async #firstOpen(
    uses: readonly IdentityUse[],
    signal: AbortSignal,
    onClosed?: (use: IdentityUse) => void,
  ): Promise<OpenUse | undefined> {
    let next: { readonly use: IdentityUse; readonly opening: Closed; readonly at: number } | undefined;
    for (const use of uses) {
      const opening = await this.#options.windows.of(use.binding, signal);
      if (opening.open) return { use, windowEnd: opening.until, earlierAt: next?.at ?? Number.POSITIVE_INFINITY };
      const at = opening.opensAt ?? Number.POSITIVE_INFINITY;
      if (!next || at < next.at) next = { use, opening, at };
    }
    if (!next) return undefined;
    onClosed?.(next.use);
    throw closedError(next.opening, this.#options.clock.now());
  }

  /**
   * A token may take a minute to come, in which the binding, its window, the pod's label or the pod itself may have gone:
   * then it is given to nobody. Binding and window count as they are by then.
   */
  async #grantAfterWait(
    pod: Pod,
    before: OpenUse,
    request: TokenRequest,
    issued: Issued,
    signal: AbortSignal,
    caller: Decision<Pod> | undefined,
  ): Promise<Granted> {
    const { pods, identities, windows, clock } = this.#options;
    for (;;) {
      const current = pods.current(pod);
      const use = current && identities.stillValid(current, before.use, request);
      if (!use) throw notFound(request);
      const opening = windows.tryNow(use.binding);
      if (!opening) {
        await windows.of(use.binding, signal);
        continue;
      }
      if (!opening.open) throw closedError(opening, clock.now());
      return this.#grant(current, { ...before, use, windowEnd: opening.until }, request, issued, caller);
    }
  }

  #grant(
    pod: Pod,
    { use, windowEnd, earlierAt }: OpenUse,
    request: TokenRequest,
    { tokens, reusableUntil }: Issued,
    caller: Decision<Pod> | undefined,
  ): Granted {
    const { identities, audit, clock } = this.#options;
    const now = clock.now();
    const bodies = tokens.map((token) => tokenBody(token, request.resource, now, windowEnd));
    const end = Math.min(windowEnd ?? Number.POSITIVE_INFINITY, ...tokens.map(({ expiresOn }) => expiresOn));
    audit.issued(pod, use, request, end);
    const body = bodies.length > 1 ? `[${bodies.join(',')}]` : (bodies[0] ?? '');
    const [token] = tokens;
    const until = Math.min(reusableUntil, windowEnd ?? Number.POSITIVE_INFINITY, earlierAt);
    if (!token || caller?.value !== pod || until <= now) return { pod, body, use };
    const decided = identities.of(pod);
    const stillValid = () => caller.valid && decided.valid;
    return { pod, body, use, reuse: { token, windowEnd, until, stillValid } };
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

type Closed = Extract<Opening, { open: false }>;
const notAvailable = 'NotAvailable';

function closedError({ opensAt, reason }: Closed, now: number): HttpError {
  const when = opensAt === undefined ? 'It will not open by itself' : `It opens at ${new Date(opensAt).toISOString()}`;
  return new HttpError(403, `the identity is not available now: ${reason}. ${when}`, {
    reason: notAvailable,
    ...(opensAt !== undefined && { retryAfterSeconds: Math.ceil((opensAt - now) / 1000) }),
  });
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
