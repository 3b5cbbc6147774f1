import type { Imds } from '../../azure/identity/imds.ts';
import type { AccessToken } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import type { Audit } from '../audit.ts';
import type { Decision } from '../decisions.ts';
import type { Pod } from '../objects.ts';
import type { NamedPod, PodByAddress } from '../pods/pod-by-address.ts';
import { HttpError } from '../protocol/http-error.ts';
import { jwtClaims, tokenBody } from '../protocol/token-body.ts';
import { readTokenRequest, type TokenRequest } from '../protocol/token-request.ts';
import type { AvailabilityWindows } from './availability-windows.ts';
import { type Identities, notFound, withStatus } from './identity-lookup.ts';
import type { IdentityUse } from './pod-identities.ts';
import { type Closed, closedError, internalError, notAvailable, tokenError } from './token-errors.ts';
import type { Issued, TokenService } from './token-service.ts';

/** Dependencies of the token handler. */
export interface TokenHandlerDeps {
  readonly pods: PodByAddress;
  readonly identities: Identities;
  readonly windows: AvailabilityWindows;
  readonly tokens: TokenService;
  readonly imds: Imds;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Status for pods without an identity; the metadata endpoint answers 400. Callers on the node always get 404. */
  readonly noIdentityStatus: number;
}

/** A token answer. The end of the binding's window shortens the token's life in it. */
export interface Granted {
  readonly pod: Pod;
  /** The answer's JSON. */
  readonly body: string;
  /** Undefined for an excepted pod. */
  readonly use: IdentityUse | undefined;
  /** How the fast path may answer the same request again; undefined where it may not. */
  readonly reuse?: Reuse;
}

/** An answer that the fast path may send again. */
export interface Reuse {
  readonly token: AccessToken;
  /** When the binding closes, milliseconds since the epoch; undefined where it has no known end. */
  readonly windowEnd: number | undefined;
  /** When the handler must decide again at the latest, milliseconds since the epoch. */
  readonly until: number;
  /** Whether everything that decided the answer is still the same. */
  stillValid(): boolean;
}

/** A use whose binding is open now. */
interface OpenUse {
  readonly use: IdentityUse;
  readonly windowEnd: number | undefined;
  /** When a binding with higher priority opens, milliseconds since the epoch; Infinity where none does. */
  readonly earlierAt: number;
}

/** Answers token requests of pods, and records each answer in the audit before the caller receives it. */
export class TokenHandler {
  readonly #deps: TokenHandlerDeps;

  constructor(deps: TokenHandlerDeps) {
    this.#deps = deps;
  }

  /** For the pod with this source address. Throws an HTTP error. */
  async handle(address: string, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const { pods, identities } = this.#deps;
    const pod = await pods.find(address, signal);
    if (identities.of(pod.value).value.excepted) return this.#excepted(pod.value, request, signal);
    const grant = this.#granting(pod.value, request, signal, pod);
    return this.#audited(pod.value, request, signal, this.#deps.noIdentityStatus, grant);
  }

  /**
   * The tenant of the identity that a token request with the same ids would get; undefined for an excepted pod, which has
   * the machine's. Throws an HTTP error.
   */
  async tenant(address: string, query: URLSearchParams, signal: AbortSignal): Promise<string | undefined> {
    const { pods, identities, tokens, noIdentityStatus } = this.#deps;
    const { value: pod } = await pods.find(address, signal);
    if (identities.of(pod).value.excepted) return undefined;
    // No AzureIdentity names its object id, and the request is for no resource.
    const ids = [...query].filter(([name]) => !['resource', 'object_id'].includes(name));
    const request = readTokenRequest(new URLSearchParams([...ids, ['resource', 'identity/info']]));
    return this.#audited(pod, request, signal, noIdentityStatus, async (decided) => {
      const open = await this.#firstOpen(await identities.find(pod, request, signal), signal, decided);
      if (!open) throw notFound(request);
      decided(open.use);
      return this.#orTokenError(tokens.tenantOf(open.use, pod, signal), signal);
    });
  }

  /** For a pod that a caller on the node names. Throws an HTTP error. */
  async handleForHost(named: NamedPod, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const pod = await this.#deps.pods.findByName(named, signal);
    return this.#audited(pod, request, signal, 404, this.#granting(pod, request, signal));
  }

  /** Runs `answer`, which reports the use that it decided for, and records its refusal. */
  async #audited<T>(
    pod: Pod,
    request: TokenRequest,
    signal: AbortSignal,
    noIdentityStatus: number,
    answer: (decided: (use: IdentityUse) => void) => Promise<T>,
  ): Promise<T> {
    let use: IdentityUse | undefined;
    try {
      return await answer((decided) => {
        use = decided;
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const refused = error instanceof HttpError ? withStatus(error, noIdentityStatus) : internalError(error);
      const { reason, status, text, detail } = refused;
      this.#deps.audit.refused(pod, use, request, reason, status, text, detail);
      throw refused;
    }
  }

  #granting(pod: Pod, request: TokenRequest, signal: AbortSignal, caller?: Decision<Pod>) {
    return async (decided: (use: IdentityUse) => void): Promise<Granted> => {
      const uses = await this.#deps.identities.find(pod, request, signal);
      if (request.objectId !== '') return await this.#byObjectId(pod, uses, request, signal, caller);
      const open = await this.#firstOpen(uses, signal, decided);
      if (!open) throw notFound(request);
      decided(open.use);
      const issued = await this.#tokens(open.use, pod, request, signal);
      return await this.#grantAfterWait(pod, open, request, issued, signal, caller);
    };
  }

  /** Requests tokens until one has the object id, because no AzureIdentity names its object id. */
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
        // A closed identity may be the one with the object id of the request.
        if (error instanceof HttpError && error.reason === notAvailable) closed ??= error;
        else failure ??= error;
      }
    }
    throw failure ?? closed ?? notFound(request);
  }

  #tokens(use: IdentityUse, pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<Issued> {
    return this.#orTokenError(this.#deps.tokens.issue(use, pod, request.resource, signal), signal);
  }

  async #orTokenError<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await result;
    } catch (error) {
      if (signal.aborted) throw error;
      throw tokenError(error);
    }
  }

  /**
   * The first open one of the bindings that allow one identity. Throws 403 where all are closed, with the one that
   * opens first; calls `onClosed` with that one before.
   */
  async #firstOpen(
    uses: readonly IdentityUse[],
    signal: AbortSignal,
    onClosed?: (use: IdentityUse) => void,
  ): Promise<OpenUse | undefined> {
    let next: { readonly use: IdentityUse; readonly opening: Closed; readonly at: number } | undefined;
    for (const use of uses) {
      const opening = await this.#deps.windows.of(use.binding, signal);
      if (opening.open) return { use, windowEnd: opening.until, earlierAt: next?.at ?? Number.POSITIVE_INFINITY };
      const at = opening.opensAt ?? Number.POSITIVE_INFINITY;
      if (!next || at < next.at) next = { use, opening, at };
    }
    if (!next) return undefined;
    onClosed?.(next.use);
    throw closedError(next.opening, this.#deps.clock.now());
  }

  /**
   * A token may take a minute to arrive. Checks pod, binding and window again, and throws an HTTP error where the pod
   * may no longer have the token.
   */
  async #grantAfterWait(
    pod: Pod,
    before: OpenUse,
    request: TokenRequest,
    issued: Issued,
    signal: AbortSignal,
    caller: Decision<Pod> | undefined,
  ): Promise<Granted> {
    const { pods, identities, windows, clock } = this.#deps;
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
    const { identities, audit, clock } = this.#deps;
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

  /** The machine's own token, for an excepted pod. */
  async #excepted(pod: Pod, request: TokenRequest, signal: AbortSignal): Promise<Granted> {
    const { imds, audit, clock } = this.#deps;
    const { clientId, objectId, resourceId, resource } = request;
    const selector = clientId ? { clientId } : objectId ? { objectId } : resourceId ? { resourceId } : {};
    let token: AccessToken;
    try {
      token = await imds.token(resource, selector, 'machine, for an excepted pod', signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const refusal = tokenError(error);
      audit.refused(pod, undefined, request, refusal.reason, refusal.status, refusal.text, refusal.detail);
      throw refusal;
    }
    audit.issuedToExcepted(pod, request, token.expiresOn);
    return { pod, body: tokenBody(token, resource, clock.now()), use: undefined };
  }
}
