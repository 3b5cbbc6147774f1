import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { acceptQueue } from './accept-queue.ts';

/** Limits of an HTTP server, by the names that Node.js gives them. Times in milliseconds. */
export interface HttpLimits {
  /** Bytes of the headers of a request. */
  readonly maxHeaderSize: number;
  /** Until the headers of a request have arrived. @default as long as the whole request may take */
  readonly headersTimeout?: number;
  /** Until the whole request has arrived. */
  readonly requestTimeout: number;
  /** Between two checks of these times. */
  readonly connectionsCheckingInterval: number;
  /** Until the handshake of TLS has ended. @default 120000 */
  readonly handshakeTimeout?: number;
  /** Between an answer and the next request. @default 5000 */
  readonly keepAliveTimeout?: number;
  /** Without a byte from or to the caller. @default any time */
  readonly timeout?: number;
  /** Requests of one connection. @default any number */
  readonly maxRequestsPerSocket?: number;
  /** @default any number */
  readonly maxConnections?: number;
  /** Whether the server itself refuses a request without a host. @default true */
  readonly requireHostHeader?: boolean;
}

/** The shell of each HTTP server of the programs: its limits, how it listens and how it ends. With `tls` it is HTTPS. */
export class HttpServer {
  /** Node's server, for listeners of its events. */
  readonly node: Server;
  readonly #tls: TlsServer | undefined;

  constructor(limits: HttpLimits, serve: RequestListener, tls?: SecureContextOptions) {
    const { timeout, maxRequestsPerSocket, maxConnections, ...options } = limits;
    // Refuse a request line that two servers could parse differently, whatever NODE_OPTIONS says.
    const strict = { ...options, insecureHTTPParser: false };
    this.#tls = tls && createTlsServer({ ...strict, ...tls }, serve);
    this.node = this.#tls ?? createServer(strict, serve);
    if (timeout !== undefined) this.node.timeout = timeout;
    if (maxRequestsPerSocket !== undefined) this.node.maxRequestsPerSocket = maxRequestsPerSocket;
    if (maxConnections !== undefined) this.node.maxConnections = maxConnections;
  }

  /** Calls the listener with each connection that may send a request: after its handshake where the server has TLS. */
  onReady(listener: (socket: Socket) => void): void {
    this.node.on(this.#tls ? 'secureConnection' : 'connection', listener);
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number, host?: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.node.once('error', reject).listen(port, host, acceptQueue, resolve);
    });
    return (this.node.address() as AddressInfo).port;
  }

  /** Serves new connections with another certificate. Throws for one that cannot be used. */
  renew(tls: SecureContextOptions): void {
    this.#tls?.setSecureContext(tls);
  }

  /** Stops listening, waits `graceMs` for requests in progress, then closes all connections. */
  async close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.node.close(() => resolve()));
    if (graceMs === 0) this.node.closeAllConnections();
    else this.node.closeIdleConnections();
    const late = setTimeout(() => this.node.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(late);
  }
}
