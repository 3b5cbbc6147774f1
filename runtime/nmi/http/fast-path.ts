import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Audit } from '../audit.ts';
import type { NmiMetrics } from '../nmi-metrics.ts';
import { tokenBody } from '../protocol/token-body.ts';
import type { TokenRequest } from '../protocol/token-request.ts';
import type { Granted, Reuse } from '../tokens/token-handler.ts';
import { hasMetadataHeader, ignore, sendError, sendJson } from './responses.ts';

/** Dependencies of the fast path. */
export interface FastPathDeps {
  readonly audit: Audit;
  readonly metrics: NmiMetrics;
  readonly clock: Clock;
  readonly metadataHeaderRequired: boolean;
}

/** An answer of the handler that the fast path may send again. */
interface CachedAnswer {
  readonly granted: Granted;
  readonly request: TokenRequest;
  readonly reuse: Reuse;
}

/** An answer that waits for the audit lines of its iteration of the event loop. */
interface Pending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

/** Path of token requests, also as metrics name it. */
export const tokenPath = '/metadata/identity/oauth2/token';
/** More addresses than one node has pods. */
const maxAddresses = 1000;
/** Most targets of one address; SDKs use one or two. */
const maxTargets = 20;
/** Longest request target that is cached, characters. */
const longestTarget = 1024;

/**
 * Caches answers of the handler by source address and request target, until an object changes that an answer depends
 * on. A request served here uses no promise, timer or signal, and counts for no limit. The answers of one
 * iteration of the event loop leave together, after their audit lines are written.
 */
export class FastPath {
  readonly #deps: FastPathDeps;
  readonly #answers = new LRUCache<string, LRUCache<string, CachedAnswer>>({ max: maxAddresses });
  #pending: Pending[] = [];

  constructor(deps: FastPathDeps) {
    this.#deps = deps;
  }

  /** Answers the request from the cache. False: the handler has to answer it. */
  tryAnswer(request: IncomingMessage, response: ServerResponse, address: string): boolean {
    const target = request.url ?? '';
    const targets = this.#answers.get(address);
    const cached = targets?.get(target);
    if (!cached) return false;
    const { audit, metrics, clock, metadataHeaderRequired } = this.#deps;
    const { headers } = request;
    if (headers['x-forwarded-for'] !== undefined || (metadataHeaderRequired && !hasMetadataHeader(request)))
      return false;
    const now = clock.now();
    const { granted, reuse } = cached;
    if (now >= reuse.until || !reuse.stillValid()) {
      targets?.delete(target);
      return false;
    }
    const started = clock.monotonic();
    const { resource } = cached.request;
    const { use, pod } = granted;
    if (use)
      audit.issued(
        pod,
        use,
        cached.request,
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

  /** Caches an answer of the handler that has `reuse`. */
  add(address: string, target: string, request: TokenRequest, granted: Granted): void {
    const { reuse } = granted;
    if (!reuse || target.length > longestTarget) return;
    const targets = this.#answers.get(address) ?? new LRUCache<string, CachedAnswer>({ max: maxTargets });
    targets.set(target, { granted, request, reuse });
    this.#answers.set(address, targets);
  }

  /** Writes the audit lines and sends the answers of this iteration. */
  readonly flush = (): void => {
    const pending = this.#pending;
    this.#pending = [];
    try {
      this.#deps.audit.commit();
    } catch (error) {
      // Without its audit line no token leaves the daemon.
      for (const { response } of pending) sendError(response, error);
      return;
    }
    for (const { request, response, body } of pending) sendJson(request, response, body);
  };
}
