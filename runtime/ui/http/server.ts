import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../base/errors.ts';
import { FairLimit, type FairLimits } from '../../base/fairness/fair-limit.ts';
import { bearerOf } from '../../base/http/bearer.ts';
import type { Logger } from '../../base/observability/log.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import { readDetail } from '../cluster/detail.ts';
import { type LiveViewOptions, openLiveView } from '../cluster/live-view.ts';
import { readerShare } from '../cluster/reader-share.ts';
import { type Access, readerOf } from './access.ts';
import { clientAddress } from './client-address.ts';
import { isFromPage, loopbackHosts, securityHeaders } from './headers.ts';
import type { PageFiles } from './page-files.ts';
import { sendStream } from './send-stream.ts';

/** Options of the server. */
export interface UiServerOptions {
  readonly access: Access;
  readonly page: PageFiles;
  /** Host names beside the loopback ones. */
  readonly hosts: readonly string[];
  readonly log: Logger;
  /** Times and limits of the live views, for tests. */
  readonly view?: LiveViewOptions;
}

/** Requests under way, streams included: all of them, those of one namespace's accounts, and those of one user. */
const mostRequests: FairLimits = { total: 200, perNamespace: 100, perAddress: 16 };
/**
 * Tokens that the API server has not accepted yet: all of them, which one client may have while no other comes, and
 * requests with one token.
 */
const mostTokens: FairLimits = { total: 100, perNamespace: 100, perAddress: 16 };

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
  readonly #options: UiServerOptions;
  readonly #server: Server;
  readonly #hosts = new Set<string>();
  readonly #stop = new AbortController();
  readonly #tokens = new FairLimit('tokens', mostTokens);
  readonly #requests = new FairLimit('requests', mostRequests);

  constructor(options: UiServerOptions) {
    this.#options = options;
    this.#server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => this.#fail(response, error));
    });
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    const { port: used } = this.#server.address() as AddressInfo;
    for (const host of [...loopbackHosts(used), ...this.#options.hosts]) this.#hosts.add(host);
    return used;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the server ends'));
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (!isFromPage(request, this.#hosts)) throw new Refused(421, 'This address is not the page of this server.');
    if (request.method !== 'GET') throw new Refused(405, 'This server reads only.');
    const url = URL.parse(request.url ?? '/', 'http://page');
    const file = this.#options.page[url?.pathname ?? ''];
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
    const connection = token === undefined ? undefined : this.#options.access.connectionFor(token);
    if (token === undefined || !connection) throw new Refused(401, this.#options.access.hint);
    const gone = new AbortController();
    const leave = () => gone.abort(new Error('the page is closed'));
    const makeRoom = () => gone.abort(new Refused(503, 'Too many tokens of your address are being checked.'));
    response.once('close', leave);
    const signal = AbortSignal.any([gone.signal, this.#stop.signal]);
    const client = createKubeClient(connection);
    let end: (() => void) | undefined;
    try {
      const release = admitted(this.#tokens.admit(clientAddress(request), readerOf(token), makeRoom));
      const { user, share } = await readerShare(client, token, signal).finally(release);
      end = admitted(this.#requests.admit(share, user, leave));
      await run(client, { response, query: url.searchParams, source: sourceOf(connection.source), signal });
    } catch (error) {
      throw gone.signal.reason instanceof Refused ? gone.signal.reason : error;
    } finally {
      end?.();
      await client.close();
    }
  }

  readonly #stream = async (client: KubeClient, { response, query, source, signal }: ReaderRequest): Promise<void> => {
    const namespace = namespaceOf(query.get('namespace'));
    const { log, view } = this.#options;
    const live = await openLiveView(client, { namespace, source, signal, log }, view);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    await sendStream(response, live, signal);
  };

  readonly #object = async (client: KubeClient, { response, query, signal }: ReaderRequest): Promise<void> => {
    const [group, kind, namespace, name] = ['group', 'kind', 'namespace', 'name'].map((key) => query.get(key) ?? '');
    const detail = await readDetail(client, { group, kind, namespace, name } as Record<string, string>, signal);
    if (!detail) throw new Refused(404, 'The object does not exist, or no longer.');
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(detail));
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
}

function admitted(result: string | (() => void)): () => void {
  if (typeof result === 'function') return result;
  throw new Refused(503, 'Too many pages are open: close some.');
}

/** File and context without the directories of the file. */
const sourceOf = (source: string) => source.replace(/^[^"]*\//, '');

function namespaceOf(text: string | null): string | undefined {
  if (text === null || text === '') return undefined;
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new Refused(400, 'That is not the name of a namespace.');
}
