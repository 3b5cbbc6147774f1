import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../errors.ts';
import type { Metrics } from './metrics.ts';

/** A named condition; returns undefined when fine, otherwise one sentence about what is missing. */
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

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#server = createServer((request, response) => {
      const path = request.url?.split('?')[0];
      if (path === '/healthz' || path === '/readyz') {
        const { ok, body } = report(path === '/healthz' ? this.#live : this.#ready);
        response.writeHead(ok ? 200 : 500, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
      } else if (path === '/metrics') {
        this.#metrics.metrics().then(
          (text) => response.writeHead(200, { 'content-type': this.#metrics.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      } else {
        response.writeHead(404).end();
      }
    });
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
