import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { messageOf } from '../errors.ts';
import type { Metrics } from './metrics.ts';

/**
 * Limits of the health port. Programs on the network of the node have it on the address of the node, where every pod of the
 * cluster reaches it. Times in milliseconds.
 */
const limits = {
  /** Connections of one address; kubelet and Prometheus use one or two. */
  perAddress: 8,
  /** Connections in all; the oldest one ends for a new one, so that nobody keeps kubelet out. */
  connections: 128,
  /** Metrics are collected once in this time, however many ask. */
  collectEveryMs: 250,
  /** A caller that sends or reads nothing. */
  idleMs: 10_000,
} as const;

/** A named condition; returns undefined when fine, otherwise one sentence about the missing part. */
export type Check = () => string | undefined;

/**
 * The `/healthz`, `/readyz` and `/metrics` of a program. A check that fails makes its endpoint answer 500 with one line
 * per check, in kube-apiserver's verbose form (`[+]name ok`, `[-]name failed: reason`).
 */
export class HealthServer {
  readonly #live = new Map<string, Check>();
  readonly #ready = new Map<string, Check>();
  readonly #metrics: Metrics;
  readonly #server: Server;
  /** In the order of their beginning. */
  readonly #connections = new Set<Socket>();
  #collected: { readonly text: Promise<string>; readonly at: number } | undefined;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    const { idleMs } = limits;
    const times = { headersTimeout: idleMs, requestTimeout: idleMs, connectionsCheckingInterval: idleMs };
    this.#server = createServer({ ...times, maxHeaderSize: 8192 }, (request, response) => {
      const path = request.url?.split('?')[0];
      if (path === '/healthz' || path === '/readyz') {
        const { ok, body } = report(path === '/healthz' ? this.#live : this.#ready);
        response.writeHead(ok ? 200 : 500, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
      } else if (path === '/metrics') {
        this.#collect().then(
          (text) => response.writeHead(200, { 'content-type': this.#metrics.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      } else {
        response.writeHead(404).end();
      }
    });
    this.#server.setTimeout(idleMs);
    this.#server.on('connection', (socket) => this.#bound(socket));
  }

  /** Adds a condition without which the program should be restarted. */
  addLiveness(name: string, check: Check): void {
    this.#live.set(name, check);
  }

  /** Adds a condition without which the program should get no work. */
  addReadiness(name: string, check: Check): void {
    this.#ready.set(name, check);
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number, host?: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  #collect(): Promise<string> {
    const now = performance.now();
    if (!this.#collected || now - this.#collected.at >= limits.collectEveryMs) {
      this.#collected = { text: this.#metrics.metrics(), at: now };
    }
    return this.#collected.text;
  }

  /** Holds the connections to their limits. */
  #bound(socket: Socket): void {
    const address = socket.remoteAddress;
    const ofAddress = [...this.#connections].filter(({ remoteAddress }) => remoteAddress === address).length;
    if (ofAddress >= limits.perAddress) {
      socket.destroy();
      return;
    }
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
    const [oldest] = this.#connections;
    if (this.#connections.size > limits.connections) oldest?.destroy();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** A check that throws must not end the program that it reports on. */
function problemOf(check: Check): string | undefined {
  try {
    return check();
  } catch (error) {
    return `the check itself failed: ${messageOf(error)}`;
  }
}

function report(checks: Map<string, Check>): { ok: boolean; body: string } {
  const results = [...checks].map(([name, check]) => ({ name, problem: problemOf(check) }));
  const ok = results.every(({ problem }) => problem === undefined);
  const lines = results.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  );
  return { ok, body: `${[...lines, ok ? 'ok' : 'failed'].join('\n')}\n` };
}
