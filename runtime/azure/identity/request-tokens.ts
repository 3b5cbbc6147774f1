import { unlessAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { AccessToken, ArmRequest, Authorizer } from '../types.ts';

/** Longest time for which reads share a token, milliseconds. */
const shareMs = 300_000;
/** A reused token must live at least this long, milliseconds. */
const marginMs = 60_000;

interface SharedToken {
  readonly token: AccessToken;
  readonly until: number;
}

/** An answer, and the token of its request. */
export interface Sent<A> {
  readonly answer: A;
  readonly token: AccessToken;
}

/**
 * The tokens of requests. A write gets a token of its own. Reads share the latest token of their authorizer for at most
 * five minutes, in memory only. A changed Secret makes another authorizer, so its reads get another token.
 */
export class RequestTokens {
  readonly #clock: Clock;
  readonly #shared = new WeakMap<Authorizer, SharedToken>();
  readonly #loading = new WeakMap<Authorizer, Promise<AccessToken>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends a request with its token. After 401 or 403 the token is not used again; a read that reused it repeats once
   * with a new one.
   */
  async send<A extends { readonly status: number }>(
    request: Pick<ArmRequest, 'method' | 'authorizer' | 'token' | 'signal'>,
    getToken: (signal?: AbortSignal) => Promise<AccessToken>,
    call: (token: AccessToken) => Promise<A>,
  ): Promise<Sent<A>> {
    const { method, authorizer, signal } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const newToken = async () =>
      isRead ? this.#load(authorizer, getToken, signal) : this.#keep(authorizer, await getToken(signal));
    const attempt = async (token: AccessToken) => {
      const answer = await call(token);
      const refused = answer.status === 401 || answer.status === 403;
      if (refused && this.#shared.get(authorizer)?.token.token === token.token) this.#shared.delete(authorizer);
      return { answer, token, refused };
    };
    const reused = isRead ? this.#reusable(request) : undefined;
    const first = await attempt(reused ?? (await newToken()));
    return reused && first.refused ? attempt(await newToken()) : first;
  }

  /** The token of the read's operation, or the one that reads share; undefined where each is missing or old. */
  #reusable({ authorizer, token }: Pick<ArmRequest, 'authorizer' | 'token'>): AccessToken | undefined {
    const now = this.#clock.now();
    const lives = (each: AccessToken | undefined) => each !== undefined && each.expiresOn - marginMs > now;
    if (lives(token)) return token;
    const shared = this.#shared.get(authorizer);
    return shared && now < shared.until && lives(shared.token) ? shared.token : undefined;
  }

  /** Gets a token once for all reads that wait for one now. `signal` ends the wait of this read alone. */
  #load(authorizer: Authorizer, getToken: () => Promise<AccessToken>, signal?: AbortSignal): Promise<AccessToken> {
    let loading = this.#loading.get(authorizer);
    if (!loading) {
      loading = getToken()
        .then((token) => this.#keep(authorizer, token))
        .finally(() => this.#loading.delete(authorizer));
      this.#loading.set(authorizer, loading);
    }
    return signal ? unlessAborted(loading, signal) : loading;
  }

  #keep(authorizer: Authorizer, token: AccessToken): AccessToken {
    this.#shared.set(authorizer, { token, until: this.#clock.now() + shareMs });
    return token;
  }
}
