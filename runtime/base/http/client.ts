import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { HttpBody } from './body.ts';
import { sharedTlsContext, type TlsIdentity } from './connect.ts';
import { type ExchangeLimits, exchange, StaleConnection } from './exchange.ts';
import { HttpPool, type PoolOptions } from './pool.ts';
import { proxyFromEnv } from './proxy-env.ts';

export interface HttpOptions extends TlsIdentity {
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
  /** A proxy's URL, 'env' (by `proxyFromEnv` for each origin) or 'none'. @default 'env' */
  readonly proxy?: string;
  /** Connections per origin; 0 = no limit, for streams that each hold one. @default 16 */
  readonly connections?: number;
  /** Milliseconds to establish a connection. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** Milliseconds until the response's headers; 0 = never. @default 60000 */
  readonly headersTimeoutMs?: number;
  /** Milliseconds between two pieces of the response's body; 0 = never. @default 60000 */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds an unused connection is kept, unless the server asks for less. @default 4000 */
  readonly keepAliveMs?: number;
}

export interface HttpRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** With the query; sent as it is. */
  readonly path: string;
  /** @default 'GET' */
  readonly method?: string;
  /** A list makes as many lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array | null;
  /** Ends the request and its connection at any time, while the body is read as well. */
  readonly signal?: AbortSignal | null;
}

/** An answer of any status: redirects are not followed. The connection is free for others once the body was read. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: HttpBody;
}

/** Connections over HTTP/1.1 to any origin, kept and used again. The caller owns it and closes it. */
export interface Dispatcher {
  /**
   * Resolves when the answer begins. Rejects with the failure of the connection, or the signal's reason. A GET or HEAD on a kept
   * connection that the server has just ended is sent once more.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Waits for answers under way, then ends the connections. */
  close(): Promise<void>;
  /** Ends requests under way too. */
  destroy(): Promise<void>;
}

export function createDispatcher(options: HttpOptions = {}): Dispatcher {
  return new NodeDispatcher(options);
}

/**
 * On the HTTP client of Node.js (docs/adr/0020-http-client.md), HTTP/2 never: there one dead connection stalls every stream that
 * shares it.
 */
class NodeDispatcher implements Dispatcher {
  readonly #proxy: string;
  readonly #options: Omit<PoolOptions, 'proxy'>;
  readonly #limits: ExchangeLimits;
  readonly #pools = new Map<string, HttpPool>();
  readonly #open = new Set<Promise<unknown>>();
  readonly #destroyed = new AbortController();
  #closed = false;

  constructor(options: HttpOptions) {
    const { rejectUnauthorized, servername, headersTimeoutMs = 60_000, bodyTimeoutMs = 60_000 } = options;
    this.#proxy = options.proxy ?? 'env';
    this.#options = {
      connections: options.connections ?? 16,
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      keepAliveMs: options.keepAliveMs ?? 4000,
      secureContext: sharedTlsContext(options),
      rejectUnauthorized,
      servername,
    };
    this.#limits = { headersTimeoutMs, bodyTimeoutMs };
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    if (this.#closed) throw new Error('the HTTP client is closed');
    return this.#track(this.#send(request));
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
    for (const pool of this.#pools.values()) pool.destroy();
  }

  async destroy(): Promise<void> {
    this.#destroyed.abort(new Error('the HTTP client was destroyed'));
    await this.close();
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await this.#once(request);
    } catch (error) {
      if (!(error instanceof StaleConnection) || !/^(GET|HEAD)$/.test(request.method ?? 'GET')) throw error;
      return this.#once(request);
    }
  }

  async #once({ origin, path, method = 'GET', headers, body = null, signal }: HttpRequest): Promise<HttpResponse> {
    const signals = [this.#destroyed.signal, ...(signal ? [signal] : [])];
    for (const one of signals) one.throwIfAborted();
    const pool = this.#poolOf(origin);
    await pool.slots.take(signals);
    let asked: ClientRequest;
    try {
      // Some methods would go without a length, and their body be taken for the next request.
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      asked = pool.send({ path, method, headers: { ...headers, ...length } });
    } catch (error) {
      pool.slots.give();
      throw error;
    }
    const { answer, ended } = exchange(asked, body, this.#limits, signals);
    this.#track(ended).then(() => pool.slots.give());
    return answer;
  }

  #poolOf(origin: string): HttpPool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const proxy =
      this.#proxy === 'none' ? undefined : this.#proxy === 'env' ? proxyFromEnv(new URL(origin)) : this.#proxy;
    const pool = new HttpPool(origin, { ...this.#options, proxy: proxy === undefined ? undefined : new URL(proxy) });
    this.#pools.set(origin, pool);
    return pool;
  }

  #track<T>(promise: Promise<T>): Promise<T> {
    const done = () => this.#open.delete(promise);
    this.#open.add(promise);
    promise.then(done, done);
    return promise;
  }
}
