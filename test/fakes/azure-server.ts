import type { ServerResponse } from 'node:http';
import { serverCertificate } from './certificates.ts';
import { type Received, startWebServer, type WebServer } from './web-server.ts';

/** A request; its `url` is path and query. */
export type SeenRequest = Received;

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
  readonly requests: SeenRequest[];
  readonly ca: string;
  readonly port: number;
  readonly url: string;
  readonly #server: WebServer;

  private constructor(server: WebServer, ca: string) {
    this.requests = server.received;
    this.ca = ca;
    this.port = server.port;
    this.url = server.url;
    this.#server = server;
  }

  static async start(handler: FakeHandler, options: FakeAzureOptions = {}): Promise<FakeAzure> {
    const certificate = options.plain ? undefined : serverCertificate(...(options.hosts ?? []));
    const tls = certificate && { cert: certificate.cert, key: certificate.key };
    const answer = async (request: SeenRequest, response: ServerResponse) => {
      const { destroy, status = 200, headers, body = '' } = await handler(request);
      if (destroy) return void request.socket.destroy();
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    };
    const server = await startWebServer((request, response) => void answer(request, response), tls, options.port);
    return new FakeAzure(server, certificate?.ca ?? '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
  }
}
