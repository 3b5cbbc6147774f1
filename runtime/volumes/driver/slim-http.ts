/**
 * The part of runtime/base/http/client.ts that the driver uses. `npm run build:kv` puts this file in its place in the
 * executable (docs/adr/0011-kv-driver.md), where Bun's `node:http` handles proxies. No file imports this one.
 */
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { text } from 'node:stream/consumers';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { HttpOptions } from '../../base/http/client.ts';
import { lookupWithLocalhost, trustedRoots } from '../../base/http/connect.ts';
import { proxyFromEnv } from '../../base/http/proxy-env.ts';

/** Pools of connections, one per origin. The caller closes it. */
class SlimDispatcher {
  readonly options: HttpOptions;
  readonly #agents = new Map<string, PlainAgent>();
  #trust: SecureContext | undefined;

  constructor(options: HttpOptions) {
    this.options = options;
  }

  agentFor(url: URL): PlainAgent {
    const originAgent = this.#agents.get(url.origin);
    if (originAgent) return originAgent;
    const { ca, cert, key, rejectUnauthorized = true, servername, connections = 16, proxy = 'env' } = this.options;
    const uri = proxy === 'none' ? undefined : proxy === 'env' ? proxyFromEnv(url) : proxy;
    const pool = {
      keepAlive: true,
      maxSockets: connections || Number.POSITIVE_INFINITY,
      ...(uri !== undefined && { proxyEnv: { HTTP_PROXY: uri, HTTPS_PROXY: uri } }),
    };
    // One context for all connections, because reading the root certificates takes longer than a handshake.
    this.#trust ??= createSecureContext({ ca: ca === undefined ? trustedRoots() : [ca].flat(), cert, key });
    const tls = { secureContext: this.#trust, servername, rejectUnauthorized };
    const agent = url.protocol === 'https:' ? new TlsAgent({ ...pool, ...tls }) : new PlainAgent(pool);
    this.#agents.set(url.origin, agent);
    return agent;
  }

  /** Sends one request. Rejects where no answer arrives. */
  request(asked: Asked): Promise<Answered> {
    return send(this, asked);
  }

  async close(): Promise<void> {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

/** Creates the pools, as the function of the same name in runtime/base/http/client.ts. */
export function createDispatcher(options: HttpOptions = {}): SlimDispatcher {
  return new SlimDispatcher(options);
}

/** The members of `HttpRequest` in use. */
interface Asked {
  readonly origin: string;
  /** Path with the query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal?: AbortSignal;
}

interface Answered {
  readonly statusCode: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: { text(): Promise<string> };
}

function send(dispatcher: SlimDispatcher, asked: Asked): Promise<Answered> {
  const { origin, path, method, headers, body, signal } = asked;
  const { connectTimeoutMs = 10_000, headersTimeoutMs = 60_000 } = dispatcher.options;
  const url = new URL(`${origin}${path}`);
  const secure = url.protocol === 'https:';
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(body !== null && { 'content-length': Buffer.byteLength(body) }) },
    agent: dispatcher.agentFor(url),
    lookup: lookupWithLocalhost,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? secureRequest : plainRequest)(url, options);
    const late = (what: string) => outgoing.destroy(new Error(`${what} ${url.host}`));
    const connecting = setTimeout(() => late(`no connection within ${connectTimeoutMs} ms to`), connectTimeoutMs);
    const connected = () => clearTimeout(connecting);
    outgoing.on('socket', (socket) => {
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    outgoing.on('close', connected);
    if (headersTimeoutMs > 0) outgoing.setTimeout(headersTimeoutMs, () => late('no answer in time from'));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const { statusCode = 0, headers: answered } = response;
      resolve({ statusCode, headers: answered, body: { text: () => text(response) } });
    });
    outgoing.end(body ?? undefined);
  });
}
