import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { Refusal } from '../http/refusal.ts';

/** Options of Nonces. */
export interface NoncesOptions {
  readonly clock: Clock;
  /** Nonces of one caller at a time; the instances of a scale set are one caller. @default 1000 */
  readonly perCaller?: number;
  /** @default 5 minutes */
  readonly lifeMs?: number;
}

/** Callers that have nonces at a time. */
const mostCallers = 2000;

/**
 * The nonces of attested documents: ten digits, as the metadata endpoint takes them, each for one caller, once, and for
 * five minutes. They are in the memory of this replica only.
 */
export class Nonces {
  readonly #options: NoncesOptions;
  readonly #lifeMs: number;
  readonly #callers = new LRUCache<string, Map<string, number>>({ max: mostCallers });

  constructor(options: NoncesOptions) {
    this.#options = options;
    this.#lifeMs = options.lifeMs ?? 300_000;
  }

  /** A new nonce, and when it ends. Throws a Refusal where the caller has too many. */
  issue(caller: string): { readonly nonce: string; readonly expiresOn: number } {
    const { clock, perCaller = 1000 } = this.#options;
    const now = clock.now();
    const own = this.#callers.get(caller) ?? new Map<string, number>();
    // In order of their end.
    for (const [nonce, expiresOn] of own) {
      if (expiresOn > now) break;
      own.delete(nonce);
    }
    if (own.size >= perCaller) {
      throw new Refusal('caller_limit', 'This identity has too many nonces: use them, or wait', { retryAfter: 60 });
    }
    let nonce: string;
    do nonce = String(randomInt(10 ** 10)).padStart(10, '0');
    while (own.has(nonce));
    const expiresOn = now + this.#lifeMs;
    own.set(nonce, expiresOn);
    this.#callers.set(caller, own);
    return { nonce, expiresOn };
  }

  /** Whether the nonce was this caller's and is still valid; it is not any more. */
  take(caller: string, nonce: string): boolean {
    const own = this.#callers.get(caller);
    const expiresOn = own?.get(nonce);
    own?.delete(nonce);
    return expiresOn !== undefined && expiresOn > this.#options.clock.now();
  }
}
