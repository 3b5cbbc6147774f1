import { readTarget, type Target } from './request-target.ts';
import { readTokenRequest, type TokenRequest } from './token-request.ts';

export interface Reading {
  readonly target: Target;
  /** What a token request asks for; undefined where it is to be refused, or is no token request. */
  readonly asked: TokenRequest | undefined;
}

const maxKnown = 500;
const longestKnown = 1024;

/** Reads targets; those of token requests once for each spelling, as callers send the same few again and again. */
export class RouteCache {
  readonly #blockInstance: boolean;
  readonly #known = new Map<string, Reading>();

  constructor(blockInstance: boolean) {
    this.#blockInstance = blockInstance;
  }

  read(raw: string): Reading {
    const known = this.#known.get(raw);
    if (known) return known;
    const target = readTarget(raw, this.#blockInstance);
    const reading = { target, asked: askedOf(target) };
    if (reading.asked && raw.length <= longestKnown) {
      for (const oldest of this.#known.keys()) {
        if (this.#known.size < maxKnown) break;
        this.#known.delete(oldest);
      }
      this.#known.set(raw, reading);
    }
    return reading;
  }
}

function askedOf(target: Target): TokenRequest | undefined {
  if (target.route !== 'token') return undefined;
  try {
    return readTokenRequest(target.query);
  } catch {
    return undefined;
  }
}
