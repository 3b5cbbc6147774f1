import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A request with its whole body. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: IncomingMessage['socket'];
}

export type Handler = (request: Received, response: ServerResponse) => void;

export interface WebServer {
  readonly url: string;
  readonly port: number;
  /** Everything received, in order. */
  readonly received: Received[];
  /** Connections open at this moment. */
  readonly sockets: Set<Socket>;
  /** Connections accepted so far. */
  readonly accepted: () => number;
  /** Replaces the TLS certificate for new connections. */
  renew(tls: ServerOptions): void;
  close(): Promise<void>;
}

/** Listens on loopback, over HTTPS with `tls`. Closing ends every connection. @param port @default a free one */
export async function startWebServer(handler: Handler, tls?: ServerOptions, port = 0): Promise<WebServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers, socket } = request;
      const whole = { method, url, headers, socket, body: Buffer.concat(parts).toString('utf8') };
      received.push(whole);
      handler(whole, response);
    });
  };
  const https = tls ? createHttps(tls, listener) : undefined;
  const server = https ?? createHttp(listener);
  server.keepAliveTimeout = 90_000;
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${listening}`,
    port: listening,
    received,
    sockets,
    accepted: () => accepted,
    renew: (options) => https?.setSecureContext(options),
    async close() {
      const done = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
