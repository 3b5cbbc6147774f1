import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { FairLimit, type FairLimits } from '../../base/fairness/fair-limit.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { ReaderDecision } from '../../base/observability/metrics-server.ts';
import { expectReview } from '../client/expected.ts';
import type { KubeClient, KubeObject, ResourceType } from '../client/types.ts';

const tokenReviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
};
const accessReviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

/** Times in milliseconds. */
const limits = {
  /** An allowed reader is reviewed again after that, as in controller-runtime: so long a revoked right lasts. */
  allowedMs: 60_000,
  /** A refused token is not reviewed again before. */
  refusedMs: 10_000,
  /** Readers that were allowed, and refused tokens, that are remembered. */
  readers: 64,
  refusedTokens: 256,
  /** For both questions to the API server. */
  reviewMs: 5000,
  /** Time between two lines of the log about one kind of refusal. */
  logEveryMs: 60_000,
} as const;

/**
 * Reviews at a time of tokens that were never allowed, in all and from one address. A reader that was allowed does not wait
 * behind them.
 */
const mostUnknown: FairLimits = { total: 8, perNamespace: 4, perAddress: 4 };

/** The user of a token, as a TokenReview has it and a SubjectAccessReview takes it. */
interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: object;
}

const allowed: ReaderDecision = { status: 200, message: '' };
const unknownToken: ReaderDecision = { status: 401, message: 'The API server does not know the token.' };
const busy: ReaderDecision = { status: 503, message: 'Too many unknown tokens are being reviewed: try again.' };
const unreviewed: ReaderDecision = {
  status: 503,
  message: 'The API server did not review the token; the log of this program has the reason.',
};

/** The dependencies that decide about readers. */
export interface MetricsReadersDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Asks the API server whose a token is (TokenReview) and whether its user may `get` the URL `/metrics`
 * (SubjectAccessReview), as kube-rbac-proxy does. Keeps hashes of tokens only. Without an answer nobody is allowed whose
 * last one is older than a minute.
 */
export class MetricsReaders {
  readonly #deps: MetricsReadersDeps;
  /** Until when a reader is allowed, by the hash of its token; afterwards it is reviewed again, before unknown ones. */
  readonly #readers = new LRUCache<string, number>({ max: limits.readers });
  readonly #refused = new LRUCache<string, { readonly until: number; readonly decision: ReaderDecision }>({
    max: limits.refusedTokens,
  });
  readonly #reviews = new Map<string, Promise<ReaderDecision>>();
  readonly #loggedAt = new Map<string, number>();
  readonly #unknown = new FairLimit('reviews', mostUnknown);

  constructor(deps: MetricsReadersDeps) {
    this.#deps = deps;
  }

  /**
   * Never rejects: a review that fails is 503. Where all reviews are under way, the address with most of them loses its
   * oldest one.
   */
  async decide(token: string, address: string): Promise<ReaderDecision> {
    const key = createHash('sha256').update(token).digest('base64url');
    const now = this.#deps.clock.monotonic();
    const allowedUntil = this.#readers.get(key);
    if (allowedUntil !== undefined && allowedUntil > now) return allowed;
    const refused = this.#refused.get(key);
    if (refused && refused.until > now) return refused.decision;
    const running = this.#reviews.get(key);
    if (running) return running;
    const evicted = new AbortController();
    const evict = () => evicted.abort();
    const release = allowedUntil === undefined ? this.#unknown.admit(address, address, evict) : () => undefined;
    if (typeof release === 'string') return busy;
    const review = this.#review(token, evicted.signal).then((decision) => this.#keep(key, decision));
    this.#reviews.set(key, review);
    try {
      return await review;
    } finally {
      this.#reviews.delete(key);
      release();
    }
  }

  #keep(key: string, decision: ReaderDecision): ReaderDecision {
    const now = this.#deps.clock.monotonic();
    if (decision.status === 200) this.#readers.set(key, now + limits.allowedMs);
    // Without an answer a reader stays one whose review comes first.
    if (decision.status === 401 || decision.status === 403) {
      this.#readers.delete(key);
      this.#refused.set(key, { until: now + limits.refusedMs, decision });
    }
    return decision;
  }

  async #review(token: string, evicted: AbortSignal): Promise<ReaderDecision> {
    const signal = AbortSignal.any([evicted, AbortSignal.timeout(limits.reviewMs)]);
    try {
      const { authenticated, user } = await this.#ask(tokenReviews, { token }, signal);
      const { username, uid, groups, extra } = (user ?? {}) as UserInfo;
      if (authenticated !== true || !username) return unknownToken;
      const nonResourceAttributes = { path: '/metrics', verb: 'get' };
      const spec = { user: username, uid, groups, extra, nonResourceAttributes };
      const answer = await this.#ask(accessReviews, spec, signal);
      if (answer['allowed'] === true) return allowed;
      this.#warn({ user: username }, 'a reader of the metrics has no right to the URL /metrics');
      return {
        status: 403,
        message: `${username} may not get the URL /metrics: bind it to the ClusterRole azimuth-metrics-reader.`,
      };
    } catch (error) {
      if (evicted.aborted) return busy;
      this.#warn({ error: messageOf(error) }, 'readers of the metrics are refused: their tokens cannot be reviewed');
      return unreviewed;
    }
  }

  async #ask({ kind, ...type }: ResourceType, spec: object, signal: AbortSignal): Promise<Record<string, unknown>> {
    const review = { apiVersion: `${type.group}/${type.version}`, kind, metadata: {}, spec } as unknown as KubeObject;
    return expectReview(await this.#deps.client.create({ kind, ...type }, review, { signal }));
  }

  /** Writes a line, unless there was one of that message lately: callers choose how often they ask. */
  #warn(fields: object, message: string): void {
    const { clock, log } = this.#deps;
    const now = clock.monotonic();
    if (now - (this.#loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < limits.logEveryMs) return;
    this.#loggedAt.set(message, now);
    log.warn(fields, message);
  }
}
