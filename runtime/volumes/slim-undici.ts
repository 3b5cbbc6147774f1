/**
 * What the driver needs of undici, by undici's names, on Node's own HTTP client. `npm run build:kv` puts it in undici's
 * place in the executable: loading undici takes more processor time than all else that a mount does
 * (docs/adr/0011-kv-driver.md has the figures). Nothing else imports it.
 */
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';

interface Connect {
  readonly ca?: readonly string[] | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
  readonly servername?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly lookup?: LookupFunction;
}

interface AgentOptions {
  readonly connections?: number | null;
  readonly connect?: Connect;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
}

/** A pool of connections for http and one for https. */
export class Agent {
  readonly #plain: PlainAgent;
  readonly #tls: TlsAgent;
  readonly connect: Connect;
  /** Milliseconds without any traffic; 0 = no limit. */
  readonly idleMs: number;

  constructor(options: AgentOptions = {}, proxyEnv?: NodeJS.ProcessEnv) {
    this.connect = options.connect ?? {};
    this.idleMs = Math.max(options.headersTimeout ?? 0, options.bodyTimeout ?? 0);
    const { ca, cert, key, rejectUnauthorized, servername } = this.connect;
    const pool = { keepAlive: true, maxSockets: options.connections ?? Number.POSITIVE_INFINITY, proxyEnv };
    const tls = { ca: ca && [...ca], cert, key, servername };
    this.#plain = new PlainAgent(pool);
    this.#tls = new TlsAgent({ ...pool, ...tls, ...(rejectUnauthorized !== undefined && { rejectUnauthorized }) });
  }

  for(url: URL): PlainAgent {
    return url.protocol === 'https:' ? this.#tls : this.#plain;
  }

  async close(): Promise<void> {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

/** Takes the proxy from the environment. */
export class EnvHttpProxyAgent extends Agent {
  constructor(options: AgentOptions = {}) {
    super(options, process.env);
  }
}

/** Takes the proxy given. */
export class ProxyAgent extends Agent {
  constructor(options: AgentOptions & { readonly uri: string }) {
    super(options, { HTTP_PROXY: options.uri, HTTPS_PROXY: options.uri });
  }
}

export interface Asked {
  readonly dispatcher: Agent;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answered {
  readonly statusCode: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: { text(): Promise<string> };
}

/** One request. Rejects where no answer comes. */
export function request(address: string, asked: Asked): Promise<Answered> {
  const { dispatcher, method, headers, body, signal } = asked;
  const url = new URL(address);
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    agent: dispatcher.for(url),
    ...(dispatcher.connect.lookup && { lookup: dispatcher.connect.lookup }),
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    const outgoing = send(url, options);
    const { timeout = 10_000 } = dispatcher.connect;
    const late = (what: string) => outgoing.destroy(new Error(`${what} ${url.host}`));
    const connecting = setTimeout(() => late(`no connection within ${timeout} ms to`), timeout);
    outgoing.on('socket', (socket) => {
      const ready = () => clearTimeout(connecting);
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', ready);
      else ready();
    });
    outgoing.on('close', () => clearTimeout(connecting));
    if (dispatcher.idleMs > 0) outgoing.setTimeout(dispatcher.idleMs, () => late('no answer in time from'));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      resolve({
        statusCode: response.statusCode ?? 0,
        headers: response.headers,
        body: { text: () => text(response) },
      });
    });
    outgoing.end(body);
  });
}
