import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../errors.ts';
import { HttpServer } from '../http/http-server.ts';
import { limitConnections } from './connection-limits.ts';
import { type Metrics, metricsText } from './metrics.ts';

/** Milliseconds after which a caller that sends or reads nothing is gone. */
const idleMs = 10_000;
const limits = {
  maxHeaderSize: 8192,
  headersTimeout: idleMs,
  requestTimeout: idleMs,
  connectionsCheckingInterval: idleMs,
  timeout: idleMs,
} as const;

/** A named condition; returns undefined when fine, otherwise one sentence about the missing part. */
export type Check = () => string | undefined;

/**
 * The `/healthz` and `/readyz` of a program, and its `/metrics` where no MetricsServer has these. A check that fails makes
 * its endpoint answer 500 with one line per check, in kube-apiserver's verbose form (`[+]name ok`, `[-]name failed: reason`).
 * Programs on the network of the node have it on the address of the node, where every pod of the cluster reaches it.
 */
export class HealthServer {
  readonly #live = new Map<string, Check>();
  readonly #ready = new Map<string, Check>();
  readonly #server: HttpServer;
  readonly #end: () => Promise<void>;

  /** Without metrics their path answers 404. */
  constructor(metrics?: Metrics) {
    const collect = metrics && metricsText(metrics);
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url?.split('?')[0];
      if (path === '/healthz' || path === '/readyz') {
        const { ok, body } = report(path === '/healthz' ? this.#live : this.#ready);
        response.writeHead(ok ? 200 : 500, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
      } else if (path === '/metrics' && collect) {
        collect().then(
          (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      } else {
        response.writeHead(404).end();
      }
    };
    this.#server = new HttpServer(limits, serve);
    this.#end = limitConnections(this.#server);
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
    return this.#server.listen(port, host);
  }

  async close(): Promise<void> {
    await this.#end();
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
