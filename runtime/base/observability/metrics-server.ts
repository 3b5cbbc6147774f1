import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerOf } from '../http/bearer.ts';
import { HttpServer } from '../http/http-server.ts';
import { selfSigned } from '../x509/self-signed.ts';
import { limitConnections } from './connection-limits.ts';
import { type Metrics, metricsText } from './metrics.ts';

/** Milliseconds after which a caller that sends or reads nothing is gone. */
const idleMs = 10_000;
const limits = {
  maxHeaderSize: 16_384,
  handshakeTimeout: idleMs,
  headersTimeout: idleMs,
  requestTimeout: idleMs,
  connectionsCheckingInterval: idleMs,
  timeout: idleMs,
  maxRequestsPerSocket: 1,
} as const;
/**
 * Connections of one address, and so its requests. A handshake takes some 2 ms of a processor, and a node has a hundred
 * pods. Prometheus reads once in 15 seconds, or less often.
 */
const rate = { capacity: 8, refillPerSecond: 0.25 } as const;

/** The answer to a reader: 200, or the status and the reason of a refusal. */
export interface ReaderDecision {
  readonly status: 200 | 401 | 403 | 503;
  /** One sentence for the reader, with what to do. */
  readonly message: string;
}

/** Decides whether the bearer of a token, at this address, may read the metrics. Rejects for no token. */
export type DecideReader = (token: string, address: string) => Promise<ReaderDecision>;

/**
 * `/metrics` over TLS for readers with a token, of a program whose port every pod of the cluster reaches. Each connection
 * has one request. The certificate is made at the start and signed by itself, as that of controller-runtime: it keeps
 * tokens from those who read the network, and proves nothing about the server (docs/adr/0048).
 */
export class MetricsServer {
  readonly #server: HttpServer;
  readonly #end: () => Promise<void>;
  readonly #decide: DecideReader;
  readonly #contentType: string;
  readonly #collect: () => Promise<string>;

  constructor(metrics: Metrics, decide: DecideReader) {
    this.#decide = decide;
    this.#contentType = metrics.contentType;
    this.#collect = metricsText(metrics);
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request).then(
        ({ status, text, headers }) => response.writeHead(status, headers).end(text),
        () => fail(response),
      );
    };
    this.#server = new HttpServer(limits, serve, { ...selfSigned('azimuth'), minVersion: 'TLSv1.3' });
    this.#server.node.on('dropRequest', (_request, socket) => socket.destroy());
    this.#end = limitConnections(this.#server, rate);
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number, host?: string): Promise<number> {
    return this.#server.listen(port, host);
  }

  async close(): Promise<void> {
    await this.#end();
  }

  async #answer({ url, method, headers, socket }: IncomingMessage) {
    const plain = { 'content-type': 'text/plain; charset=utf-8' };
    if (url?.split('?')[0] !== '/metrics') return { status: 404, text: '', headers: {} };
    if (method !== 'GET') return { status: 405, text: '', headers: { allow: 'GET' } };
    const token = bearerOf(headers.authorization);
    const { status, message } = token === undefined ? noToken : await this.#decide(token, socket.remoteAddress ?? '');
    if (status === 200) return { status, text: await this.#collect(), headers: { 'content-type': this.#contentType } };
    const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    return { status, text: `${message}\n`, headers: { ...plain, ...challenge } };
  }
}

const noToken: ReaderDecision = {
  status: 401,
  message: 'Send the token of a service account that may get the URL /metrics, as a bearer token.',
};

function fail(response: ServerResponse): void {
  response.writeHead(500).end();
}
