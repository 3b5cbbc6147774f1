import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../base/errors.ts';
import { FairLimit, type FairLimits } from '../../base/fairness/fair-limit.ts';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import { bearerOf } from '../../base/http/bearer.ts';
import { HttpServer } from '../../base/http/http-server.ts';
import { UnansweredRequests } from '../../base/http/unanswered-requests.ts';
import type { Logger } from '../../base/observability/log.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import { type Access, readerOf } from '../cluster/access.ts';
import { readDetail } from '../cluster/detail.ts';
import { type LiveViewOptions, openLiveView } from '../cluster/live-view.ts';
import { type MemoryShare, PagesMemory } from '../cluster/page-memory.ts';
import { readerShare } from '../cluster/reader-share.ts';
import { sendStream } from '../cluster/send-stream.ts';
import { clientAddress } from './client-address.ts';
import { isFromPage, loopbackHosts, securityHeaders } from './headers.ts';
import { answerBytes, mostLarge, placeOf } from './large-answers.ts';
import type { PageFiles } from './page-files.ts';

/** Dependencies of the server. */
export interface UiServerDeps {
  readonly access: Access;
  readonly page: PageFiles;
  /** Host names beside the loopback ones. */
  readonly hosts: readonly string[];
  /** Address of the Azure portal to link to; '' for none. */
  readonly portal: string;
  readonly log: Logger;
  /** Times and limits of the live views, for tests. */
  readonly view?: LiveViewOptions;
  /** Memory of all pages. @default half of the heap */
  readonly memoryBytes?: number | undefined;
  /** @default 4000 */
  readonly connections?: number;
}

/** Requests under way, streams included: all of them, those of one namespace's accounts, and those of one user. */
const mostRequests: FairLimits = { total: 200, perNamespace: 100, perAddress: 16 };
/**
 * Tokens that the API server has not accepted yet: all of them, which one client may have while no other comes, and
 * requests with one token.
 */
const mostTokens: FairLimits = { total: 100, perNamespace: 100, perAddress: 16 };

/** Connections, with and without a reader. One that sends no request ends after ten seconds. */
const mostConnections = 4000;
/** Milliseconds without progress after which a connection ends: of a reader that does not read, or of nobody. */
const stalledMs = 60_000;
const httpLimits = {
  maxHeaderSize: 16_384,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5000,
  timeout: stalledMs,
} as const;
/** Bytes of a request of a reader: its client, the documents of the discovery. */
const requestBytes = 512 * 1024;
const tooMany = 'Too many pages are open: close some.';
const ownMemory = 'Your open pages have all the memory of one reader: name a namespace, or close other pages.';
const sharedMemory =
  'Other readers need the memory of this page, which had more than its share: name a namespace, or close other pages.';

/** A refusal with a text for the page. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Serves the page and its data on 127.0.0.1. Nothing is kept between requests: each uses its own reader's rights. */
export class UiServer {
  readonly #deps: UiServerDeps;
  readonly #server: HttpServer;
  readonly #hosts = new Set<string>();
  readonly #stop = new AbortController();
  readonly #tokens = new FairLimit('tokens', mostTokens);
  readonly #requests = new FairLimit('requests', mostRequests);
  readonly #large = new FairSemaphore(mostLarge);
  readonly #unanswered = new UnansweredRequests();
  readonly #memory: PagesMemory;

  constructor(deps: UiServerDeps) {
    this.#deps = deps;
    this.#memory = new PagesMemory(deps.memoryBytes);
    const limits = { ...httpLimits, maxConnections: deps.connections ?? mostConnections };
    this.#server = new HttpServer(limits, (request, response) => {
      if (!this.#unanswered.admit(request.socket, response)) return;
      this.#handle(request, response).catch((error: unknown) => this.#fail(response, error));
    });
    this.#server.onReady((socket) => this.#unanswered.watch(socket));
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number): Promise<number> {
    const used = await this.#server.listen(port, '127.0.0.1');
    for (const host of [...loopbackHosts(used), ...this.#deps.hosts]) this.#hosts.add(host);
    return used;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the server ends'));
    await this.#server.close(0);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (!isFromPage(request, this.#hosts)) throw new Refused(421, 'This address is not the page of this server.');
    if (request.method !== 'GET') throw new Refused(405, 'This server reads only.');
    const url = URL.parse(request.url ?? '/', 'http://page');
    const file = this.#deps.page[url?.pathname ?? ''];
    if (file) {
      response.writeHead(200, { 'content-type': file.type }).end(file.body);
      return;
    }
    if (url?.pathname === '/api/stream') return this.#asReader(request, response, url, this.#stream);
    if (url?.pathname === '/api/object') return this.#asReader(request, response, url, this.#object);
    throw new Refused(404, 'There is nothing here.');
  }

  /** Runs a request with a client of its reader, which nobody else uses. */
  async #asReader(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    run: (client: KubeClient, context: ReaderRequest) => Promise<void>,
  ): Promise<void> {
    const token = bearerOf(request.headers.authorization);
    const connection = token === undefined ? undefined : this.#deps.access.connectionFor(token);
    if (token === undefined || !connection) throw new Refused(401, this.#deps.access.hint);
    const gone = new AbortController();
    const end = (reason: Error) => () => gone.abort(reason);
    response.once('close', end(new Error('the page is closed')));
    const signal = AbortSignal.any([gone.signal, this.#stop.signal]);
    let largeKey = clientAddress(request);
    const enter = (own: AbortSignal = signal) => placeOf(this.#large, largeKey, own);
    const client = createKubeClient(connection, { connections: 4, answers: { ...answerBytes, enter } });
    const leave: (() => void)[] = [];
    try {
      const makeRoom = end(new Refused(503, 'Too many tokens of your address are being checked.'));
      const release = admitted(this.#tokens.admit(largeKey, readerOf(token), makeRoom));
      const reader = await readerShare(client, token, signal).finally(release);
      largeKey = reader.share;
      leave.push(admitted(this.#requests.admit(reader.share, reader.user, end(new Refused(503, tooMany)))));
      const memory = this.#memory.open(reader, end(new Refused(503, sharedMemory)));
      leave.push(() => memory.close());
      if (!memory.take(requestBytes)) throw new Refused(503, ownMemory);
      await run(client, { response, query: url.searchParams, source: sourceOf(connection.source), signal, memory });
    } catch (error) {
      throw gone.signal.reason instanceof Refused ? gone.signal.reason : error;
    } finally {
      for (const each of leave) each();
      await client.close();
    }
  }

  readonly #stream = async (client: KubeClient, request: ReaderRequest): Promise<void> => {
    const { response, query, source, signal, memory } = request;
    const namespace = namespaceOf(query.get('namespace'));
    const { log, view, portal } = this.#deps;
    const live = await openLiveView(client, { namespace, source, portal, signal, log, memory }, view);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    await sendStream(response, live, signal, closedMessage);
  };

  readonly #object = async (client: KubeClient, request: ReaderRequest): Promise<void> => {
    const { response, query, signal, memory } = request;
    const [group, kind, namespace, name] = ['group', 'kind', 'namespace', 'name'].map((key) => query.get(key) ?? '');
    const detail = await readDetail(client, { group, kind, namespace, name } as Record<string, string>, signal);
    if (!detail) throw new Refused(404, 'The object does not exist, or no longer.');
    const body = Buffer.from(JSON.stringify(detail));
    if (!memory.take(body.length)) throw new Refused(503, ownMemory);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
    // Until then the answer is in memory.
    await once(response, 'close', { signal }).catch(() => undefined);
  };

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const ofKube = error instanceof KubeStatusError && (error.status === 401 || error.status === 403);
    const status = error instanceof Refused || ofKube ? error.status : 502;
    const body = JSON.stringify({ message: messageOf(error).slice(0, 1000) });
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body);
  }
}

interface ReaderRequest {
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly source: string;
  readonly signal: AbortSignal;
  readonly memory: MemoryShare;
}

function admitted(result: string | (() => void)): () => void {
  if (typeof result === 'function') return result;
  throw new Refused(503, tooMany);
}

/** The last message of a stream that the server ended. */
function closedMessage(reason: unknown): string | undefined {
  return reason instanceof Refused ? JSON.stringify({ type: 'closed', message: reason.message }) : undefined;
}

/** File and context without the directories of the file. */
const sourceOf = (source: string) => source.replace(/^[^"]*\//, '');

function namespaceOf(text: string | null): string | undefined {
  if (text === null || text === '') return undefined;
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new Refused(400, 'That is not the name of a namespace.');
}
