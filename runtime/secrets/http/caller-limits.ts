import type { Clock } from '../../base/clock.ts';
import { FairLimit, type FairLimits } from '../../base/fairness/fair-limit.ts';
import { SharedBuckets } from '../../base/fairness/shared-buckets.ts';
import { HttpError } from '../protocol/http-error.ts';

/** Limits of the endpoint; the instances of a scale set are one caller. */
export interface CallerLimitsOptions {
  readonly clock: Clock;
  /** Requests a second of one caller. */
  readonly callerPerSecond: number;
  /** Requests a second for the secrets of one namespace. */
  readonly namespacePerSecond: number;
  readonly waits?: Partial<FairLimits>;
}

/** A burst of this many seconds. */
const burstSeconds = 10;
/** Refused tokens of one address in a second; the next ones are refused unread. */
const refusedPerSecond = 20;
/** Refused documents for the secrets of one namespace in a second: each costs as much as a hundred requests. */
const refusedDocumentsPerSecond = 5;
const mostBuckets = 20_000;

/** The limits of requests and long polls, by caller and by namespace. */
export class CallerLimits {
  readonly #options: CallerLimitsOptions;
  readonly #buckets = new SharedBuckets(mostBuckets);
  readonly #waits: FairLimit<'waits'>;

  constructor(options: CallerLimitsOptions) {
    this.#options = options;
    this.#waits = new FairLimit('waits', { total: 10_000, perNamespace: 5000, perAddress: 2000, ...options.waits });
  }

  /** Counts a request of a caller. Throws an HttpError. */
  caller(objectId: string): void {
    if (this.#take(`caller ${objectId}`, 'callers', this.#options.callerPerSecond, 1)) return;
    throw new HttpError('caller_limit', 'This identity sends too many requests', { retryAfter: burstSeconds });
  }

  /** Counts a request for a secret that the caller may read. Throws an HttpError. */
  namespace(namespace: string): void {
    if (this.#take(`namespace ${namespace}`, 'namespaces', this.#options.namespacePerSecond, 1)) return;
    throw new HttpError('namespace_limit', `The secrets of ${namespace} are asked for too often`, {
      retryAfter: burstSeconds,
    });
  }

  /** Throws an HttpError where too many tokens of an address were refused. */
  address(address: string): void {
    if (this.#take(`address ${address}`, 'addresses', refusedPerSecond, 0)) return;
    throw new HttpError('caller_limit', 'Too many refused tokens from this address', { retryAfter: burstSeconds });
  }

  /** Counts a refused token. */
  refusedToken(address: string): void {
    this.#take(`address ${address}`, 'addresses', refusedPerSecond, 1);
  }

  /** Throws an HttpError where too many documents for the secrets of a namespace were refused. */
  documents(namespace: string): void {
    if (this.#take(`documents ${namespace}`, 'documents', refusedDocumentsPerSecond, 0)) return;
    throw new HttpError('namespace_limit', `Too many attested documents for the secrets of ${namespace} were refused`, {
      retryAfter: burstSeconds,
    });
  }

  /** Counts a refused document. */
  refusedDocument(namespace: string): void {
    this.#take(`documents ${namespace}`, 'documents', refusedDocumentsPerSecond, 1);
  }

  /** Begins a long poll, and returns the function that ends it. `evict` ends it for another namespace. Throws an HttpError. */
  wait(namespace: string, objectId: string, evict: () => void): () => void {
    const admitted = this.#waits.admit(namespace, `${namespace} ${objectId}`, evict);
    if (typeof admitted === 'function') return admitted;
    throw new HttpError('wait_limit', 'Too many requests wait: ask without ?wait', { retryAfter: 60 });
  }

  #take(key: string, share: string, perSecond: number, count: number): boolean {
    const size = { capacity: perSecond * burstSeconds, refillPerSecond: perSecond };
    return this.#buckets.take({ key, size }, this.#options.clock.monotonic(), { share, count });
  }
}
