import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createDispatcher, type Dispatcher } from '../../../runtime/base/http/client.ts';
import { spawnNode } from '../../../runtime/cli/demo/programs/child-node.ts';
import type { EmbeddedKube } from '../../../sandbox/kube/index.ts';

/** Decides about a write of the program under test: `before` and `after` kill it around the write. */
export type Judge = (method: string, path: string, body: string) => 'before' | 'after' | undefined;

/** The way of a program to the API server, on which its writes can be watched and the program be killed at any of them. */
export class Gate {
  readonly kubeconfigFile: string;
  judge: Judge = () => undefined;
  kill: () => void = () => undefined;
  readonly #server: Server;
  readonly #dispatcher: Dispatcher;
  readonly #kube: EmbeddedKube;

  constructor(kube: EmbeddedKube, server: Server, kubeconfigFile: string) {
    this.#kube = kube;
    this.#server = server;
    this.#dispatcher = createDispatcher({
      ca: kube.caPem,
      proxy: 'none',
      connections: 0,
      headersTimeoutMs: 0,
      bodyTimeoutMs: 0,
    });
    this.kubeconfigFile = kubeconfigFile;
  }

  /** `token` is a bearer token that the embedded API accepts. */
  static async open(kube: EmbeddedKube, token: string): Promise<Gate> {
    const server = createServer({ keepAliveTimeout: 90_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const file = join(mkdtempSync(join(tmpdir(), 'azimuth-gate-')), 'kubeconfig');
    const { port } = server.address() as AddressInfo;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'gate', cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name: 'gate', context: { cluster: 'gate', namespace: 'default' } }],
      'current-context': 'gate',
    };
    writeFileSync(file, JSON.stringify(config));
    const gate = new Gate(kube, server, file);
    server.on('request', (incoming, outgoing) => {
      gate.#forward(incoming, outgoing, token).catch(() => outgoing.destroy());
    });
    return gate;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#dispatcher.destroy();
    rmSync(dirname(this.kubeconfigFile), { recursive: true, force: true });
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse, token: string): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const method = incoming.method ?? 'GET';
    const at = method === 'GET' ? undefined : this.judge(method, incoming.url ?? '', body.toString());
    if (at === 'before') {
      this.kill();
      outgoing.destroy();
      return;
    }
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
    const abort = new AbortController();
    outgoing.on('close', () => abort.abort());
    const answer = await this.#dispatcher.request({
      origin: this.#kube.url,
      path: incoming.url ?? '/',
      method,
      headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` },
      body: body.length === 0 ? null : body,
      signal: abort.signal,
    });
    if (at === 'after') {
      await answer.body.text();
      this.kill();
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode, answer.headers as Record<string, string>);
    await pipeline(answer.body, outgoing);
  }
}

export interface OperatorProcess {
  readonly child: ChildProcess;
  readonly output: string[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** `azimuth operator` as a process of its own, from the sources or another form of the program. */
export function spawnOperator(
  env: Record<string, string>,
  flags: readonly string[] = [],
  program = 'runtime/cli/azimuth.ts',
): OperatorProcess {
  const args = [program, 'operator', '--health-port=0', '--health-address=127.0.0.1', ...flags];
  const child = spawnNode(args, env);
  const output: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return { child, output, ended };
}
