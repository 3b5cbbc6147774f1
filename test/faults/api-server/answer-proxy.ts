import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createDispatcher, type Dispatcher, type HttpResponse } from '../../../runtime/base/http/client.ts';
import type { KubeConnection } from '../../../runtime/kube/config/connection.ts';
import { requestInfo } from '../../../sandbox/kube/http/request-info.ts';
import { serverCertificate } from '../../fakes/certificates.ts';
import type { WrongAnswer } from './wrong-answers.ts';

/** The answers that are wrong now. */
interface Active {
  readonly wrong: WrongAnswer;
  readonly questions: readonly string[];
  /** Requests that had a wrong answer. */
  readonly asked: Set<string>;
}

interface OpenWatch {
  readonly plural: string;
  /** Monotonic milliseconds. */
  readonly openedAt: number;
  readonly end: (how: WrongAnswer['watches']) => void;
}

const expired = {
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version',
    reason: 'Expired',
    code: 410,
  },
};

/** An HTTPS proxy before an API server, which answers some reads itself. Its clients have the rights of its own. */
export class AnswerProxy {
  readonly #server: Server;
  readonly #dispatcher: Dispatcher;
  readonly #origin: string;
  readonly #watches = new Set<OpenWatch>();
  readonly #hits = new Map<string, number>();
  #active: Active | undefined;

  private constructor(server: Server, origin: string, dispatcher: Dispatcher) {
    this.#server = server;
    this.#origin = origin;
    this.#dispatcher = dispatcher;
  }

  /** The connection has a client certificate. */
  static async start({ server: origin, ca, credential }: KubeConnection): Promise<AnswerProxy> {
    const tls = { ...(await credential.current()), ...(ca && { ca: ca.read() }) };
    const endless = { connections: 0, headersTimeoutMs: 0, bodyTimeoutMs: 0 };
    const dispatcher = createDispatcher({ ...tls, proxy: 'none', ...endless });
    const { cert, key } = serverCertificate();
    const server = createServer({ cert, key, keepAliveTimeout: 90_000 });
    const proxy = new AnswerProxy(server, origin, dispatcher);
    server.on('request', (incoming, outgoing) => {
      proxy.#forward(incoming, outgoing).catch(() => outgoing.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Writes a kubeconfig that leads to the proxy. */
  writeKubeconfig(file: string): void {
    const { port } = this.#server.address() as AddressInfo;
    const ca = Buffer.from(serverCertificate().ca).toString('base64');
    const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'proxy', cluster }],
      contexts: [{ name: 'proxy', context: { cluster: 'proxy' } }],
      'current-context': 'proxy',
    };
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  }

  /**
   * From now on these questions have wrong answers, and no others: such as `list pods`, `get pods`, and `find pods` for
   * a LIST of the pod of one name.
   */
  set(wrong: WrongAnswer, questions: readonly string[]): void {
    this.#active = { wrong, questions, asked: this.#active?.asked ?? new Set() };
  }

  /** All answers are right again. */
  clear(): void {
    this.#active = undefined;
  }

  /** Counts the wrong answers from now on: to one question, or to all. */
  countHits(): (question?: string) => number {
    const start = new Map(this.#hits);
    const since = (question: string) => (this.#hits.get(question) ?? 0) - (start.get(question) ?? 0);
    return (question) =>
      question === undefined ? [...this.#hits.keys()].reduce((sum, each) => sum + since(each), 0) : since(question);
  }

  /** Whether all watches, of each of these resources one at least, have been open for so many milliseconds. */
  haveWatchesLasted(plurals: readonly string[], ms: number): boolean {
    const watches = [...this.#watches];
    return (
      plurals.every((plural) => watches.some((each) => each.plural === plural)) &&
      watches.every(({ openedAt }) => performance.now() - openedAt >= ms)
    );
  }

  endWatches(how: WrongAnswer['watches']): void {
    for (const { end } of this.#watches) end(how);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#dispatcher.destroy();
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const path = incoming.url ?? '/';
    const method = incoming.method ?? 'GET';
    const answer = await this.#dispatcher.request({
      origin: this.#origin,
      path,
      method,
      headers: headers as Record<string, string>,
      body: body === '' ? null : body,
      signal: gone.signal,
    });
    const { verb, resource } = requestInfo(method, path);
    if (verb === 'watch' && resource && answer.statusCode === 200) {
      return await this.#passWatch(resource.plural, answer, outgoing, gone);
    }
    const right = await answer.body.text();
    const sent = answer.statusCode === 200 ? (this.#wrongAnswer(method, path, right) ?? right) : right;
    const { 'content-length': ____, ...answerHeaders } = answer.headers;
    outgoing.writeHead(answer.statusCode, answerHeaders).end(sent);
  }

  /** The document in the place of the right one; undefined where the right one is sent. */
  #wrongAnswer(method: string, path: string, right: string): string | undefined {
    const { verb, resource, query } = requestInfo(method, path);
    if (!this.#active || !resource || resource.subresource !== '' || (verb !== 'list' && verb !== 'get')) return;
    const { wrong, questions, asked } = this.#active;
    const form = wrong[verb];
    const selector = query.get('fieldSelector') ?? '';
    const question = `${selector.startsWith('metadata.name=') ? 'find' : verb} ${resource.plural}`;
    const request = `${question} ${resource.namespace} ${resource.name} ${selector}`;
    if (!form || !questions.includes(question) || (wrong.once && asked.has(request))) return;
    asked.add(request);
    this.#hits.set(question, (this.#hits.get(question) ?? 0) + 1);
    return JSON.stringify(form(JSON.parse(right)));
  }

  async #passWatch(
    plural: string,
    { headers, statusCode, body }: HttpResponse,
    outgoing: ServerResponse,
    gone: AbortController,
  ): Promise<void> {
    const end = (how: WrongAnswer['watches']) => {
      if (how === 'cut') outgoing.destroy();
      else outgoing.end(`${JSON.stringify(expired)}\n`);
      gone.abort();
    };
    const watch = { plural, openedAt: performance.now(), end };
    this.#watches.add(watch);
    outgoing.on('close', () => this.#watches.delete(watch));
    // A program learns by the headers that its watch is open.
    outgoing.writeHead(statusCode, headers).flushHeaders();
    try {
      for await (const piece of body) if (!outgoing.writableEnded) outgoing.write(piece);
      outgoing.end();
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  }
}
