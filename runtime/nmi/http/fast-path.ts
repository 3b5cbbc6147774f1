import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Audit } from '../audit.ts';
import type { NmiMetrics } from '../nmi-metrics.ts';
import type { Granted, Reuse } from '../tokens/token-handler.ts';
import { hasMetadataHeader, ignore, sendError, sendJson } from './responses.ts';
import { tokenBody } from './token-body.ts';
import type { TokenRequest } from './token-request.ts';

export interface FastPathOptions {
  readonly audit: Audit;
  readonly metrics: NmiMetrics;
  readonly clock: Clock;
  readonly metadataHeaderRequired: boolean;
}

/** An answer that the handler gave, and that may be given again. */
interface Kept {
  readonly granted: Granted;
  readonly request: TokenRequest;
  readonly reuse: Reuse;
}

/** An answer that waits for the audit lines of its turn of the event loop. */
interface Pending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

export const tokenPath = '/metadata/identity/oauth2/token';
const maxAddresses = 1000;
/** SDKs ask for the same one or two. */
const maxTargets = 20;
const longestTarget = 1024;

/**
 * Answers of the handler that are in memory, by source address and request target. Each holds until something changes that it
 * was decided by. These requests take no promise, timer or signal, and hold nothing that the limits would count. Their answers
 * leave together, after the audit lines of this turn of the event loop are written.
 */
export class FastPath {
  readonly #options: FastPathOptions;
  readonly #kept = new Map<string, Map<string, Kept>>();
  #pending: Pending[] = [];

  constructor(options: FastPathOptions) {
    this.#options = options;
  }

  /** Whether the request was answered; the handler must do it otherwise. */
  tryAnswer(request: IncomingMessage, response: ServerResponse, address: string): boolean {
    const target = request.url ?? '';
    const targets = this.#kept.get(address);
    const kept = targets?.get(target);
    if (!kept) return false;
    const { audit, metrics, clock, metadataHeaderRequired } = this.#options;
    const { headers } = request;
    if (headers['x-forwarded-for'] !== undefined || (metadataHeaderRequired && !hasMetadataHeader(request)))
      return false;
    const now = clock.now();
    const { granted, reuse } = kept;
    if (now >= reuse.until || !reuse.stillValid()) {
      targets?.delete(target);
      return false;
    }
    const started = clock.monotonic();
    const { resource } = kept.request;
    const { use, pod } = granted;
    if (use)
      audit.issued(
        pod,
        use,
        kept.request,
        Math.min(reuse.windowEnd ?? Number.POSITIVE_INFINITY, reuse.token.expiresOn),
      );
    const body = tokenBody(reuse.token, resource, now, reuse.windowEnd);
    response.on('error', ignore);
    if (this.#pending.push({ request, response, body }) === 1) setImmediate(this.flush);
    metrics.cache('hit');
    metrics.operation(tokenPath, 200, pod.metadata.namespace ?? '', resource, (clock.monotonic() - started) / 1000);
    metrics.request('token', 200);
    return true;
  }

  /** Keeps an answer of the handler that may be given again. */
  keep(address: string, target: string, request: TokenRequest, granted: Granted): void {
    const { reuse } = granted;
    if (!reuse || target.length > longestTarget) return;
    const targets = this.#kept.get(address) ?? new Map<string, Kept>();
    if (targets.size >= maxTargets) targets.clear();
    targets.set(target, { granted, request, reuse });
    // The address that was added last is the last to go.
    this.#kept.delete(address);
    this.#kept.set(address, targets);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxAddresses) break;
      this.#kept.delete(oldest);
    }
  }

  /** Writes the audit lines and sends the answers of this turn. */
  readonly flush = (): void => {
    const pending = this.#pending;
    this.#pending = [];
    try {
      this.#options.audit.commit();
    } catch (error) {
      // An issuance that cannot be recorded does not take place.
      for (const { response } of pending) sendError(response, error);
      return;
    }
    for (const { request, response, body } of pending) sendJson(request, response, body);
  };
}
