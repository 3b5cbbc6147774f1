import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serverCertificate } from './certificates.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, strings as they are. */
  readonly body?: unknown;
  /** Cut the connection in place of an answer. */
  readonly destroy?: boolean;
}

export type FakeHandler = (request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>;

export interface FakeAzureOptions {
  /** HTTP. @default https */
  readonly plain?: boolean;
  /** More names of the certificate. */
  readonly hosts?: string[];
  /** @default a free one */
  readonly port?: number;
}

/** A scripted server on loopback, over https unless `plain`; remembers every request. */
export class FakeAzure implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  readonly ca: string;
  readonly #server: Server;

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.ca = ca;
  }

  static async start(handler: FakeHandler, options: FakeAzureOptions = {}) {
    const certificate = options.plain ? undefined : serverCertificate(...(options.hosts ?? []));
    const server = certificate ? createServer({ cert: certificate.cert, key: certificate.key }) : createHttpServer();
    server.keepAliveTimeout = 90_000;
    const fake = new FakeAzure(server, certificate?.ca ?? '');
    server.on('request', async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const seen = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      fake.requests.push(seen);
      const answer = await handler(seen);
      if (answer.destroy) {
        incoming.socket.destroy();
        return;
      }
      const text =
        typeof answer.body === 'string' ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body);
      outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
    return fake;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.ca ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
