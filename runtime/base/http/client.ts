import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Agent, Pool, ProxyAgent, Socks5ProxyAgent, type Dispatcher as Undici } from 'undici';
import { unlessAborted } from '../abort.ts';
import { expected } from '../errors.ts';
import { HttpBody, withoutBytes } from './body.ts';
import { lookupWithLocalhost, sharedTlsContext, type TlsIdentity } from './connect.ts';
import { proxyFromEnv } from './proxy-env.ts';

/** Options of a dispatcher. */
export interface HttpOptions extends TlsIdentity {
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
  /** A proxy's URL, 'env' (by `proxyFromEnv` for each origin) or 'none'. @default 'env' */
  readonly proxy?: string;
  /** Addresses of host names. @default DNS, with names under localhost as loopback */
  readonly lookup?: LookupFunction;
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

/** One HTTP request. */
export interface HttpRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** With the query; sent as it is. */
  readonly path: string;
  /** @default 'GET' */
  readonly method?: string;
  /** A list becomes that many header lines. */
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
   * Resolves when the headers of the answer are here. Rejects with the failure of the connection, or the signal's
   * reason. A GET or HEAD that meets a kept connection which the server has just ended is sent once more.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Waits for answers in progress, then ends the connections. */
  close(): Promise<void>;
  /** Ends requests in progress too. */
  destroy(): Promise<void>;
}

/** A client on undici (docs/adr/0020-http-client.md). HTTP/2 is off: one dead connection would stall all its streams. */
export function createDispatcher(options: HttpOptions = {}): Dispatcher {
  return new HttpClient(agentOf(options));
}

class HttpClient implements Dispatcher {
  readonly #agent: Undici;

  constructor(agent: Undici) {
    this.#agent = agent;
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await this.#send(request);
    } catch (error) {
      if (!isEndedConnection(error) || !/^(GET|HEAD)$/.test(request.method ?? 'GET')) throw error;
      return await this.#send(request);
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async destroy(): Promise<void> {
    await this.#agent.destroy(new Error('the HTTP client was destroyed'));
  }

  async #send({ origin, path, method = 'GET', headers, body = null, signal }: HttpRequest): Promise<HttpResponse> {
    const asked = this.#agent.request({
      origin,
      path,
      method: method as Undici.HttpMethod,
      body,
      ...(headers && { headers }),
      ...(signal && { signal }),
    });
    // undici notices an abort of a request in its queue only when it takes the request.
    const answer = await (signal ? unlessAborted(asked, signal) : asked).catch(withoutBytes);
    return { statusCode: answer.statusCode, headers: answer.headers, body: new HttpBody(answer.body) };
  }
}

function agentOf(options: HttpOptions): Undici {
  const context = sharedTlsContext(options);
  const { rejectUnauthorized, servername, connectTimeoutMs: timeout = 10_000, proxy = 'env' } = options;
  const plain = { timeout, lookup: options.lookup ?? lookupWithLocalhost };
  const secure = () => ({ ...plain, rejectUnauthorized, servername, secureContext: context() });
  const limits = {
    connections: options.connections === 0 ? null : (options.connections ?? 16),
    allowH2: false,
    headersTimeout: options.headersTimeoutMs ?? 60_000,
    bodyTimeout: options.bodyTimeoutMs ?? 60_000,
    keepAliveTimeout: options.keepAliveMs ?? 4000,
  };
  return new Agent({
    ...limits,
    factory: (origin, poolOptions) => {
      const url = new URL(origin);
      const via = proxy === 'none' ? undefined : proxy === 'env' ? proxyFromEnv(url) : proxy;
      const connect = () => (url.protocol === 'https:' ? secure() : plain);
      if (via === undefined) return new Pool(origin, { ...poolOptions, connect: connect() });
      const uri = new URL(via);
      if (/^socks5?h?:$/.test(uri.protocol)) {
        uri.protocol = 'socks5:';
        // Its types lack the setting that its code reads.
        return new Socks5ProxyAgent(uri, { ...limits, requestTls: secure() } as Socks5ProxyAgent.Options);
      }
      if (!/^https?:$/.test(uri.protocol)) throw expected('proxy', 'a URL of http, https or socks5', uri.host);
      return new ProxyAgent({ ...limits, uri: via, connect: plain, proxyTls: plain, requestTls: secure() });
    },
  });
}

/** The server ended the connection before a byte of the answer came: it may not have seen the request. */
function isEndedConnection(error: unknown): boolean {
  const { code, socket } = error as { readonly code?: string; readonly socket?: { readonly bytesRead?: number } };
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && socket?.bytesRead !== 0);
}
