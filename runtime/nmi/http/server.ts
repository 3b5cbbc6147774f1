import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpServer } from '../../base/http/http-server.ts';
import { UnansweredRequests } from '../../base/http/unanswered-requests.ts';
import type { Logger } from '../../base/observability/log.ts';
import { canonicalAddress, type PodByAddress } from '../pods/pod-by-address.ts';
import type { ReversePathCheck } from '../pods/reverse-path-check.ts';
import { HttpError, httpErrors, tooManyRequests } from '../protocol/http-error.ts';
import { AddressChecks } from './address-checks.ts';
import { FastPath } from './fast-path.ts';
import { listenForRoot } from './host-socket.ts';
import { Limits, type LimitsOptions } from './limits.ts';
import { RequestHandler, type RequestHandlerDeps } from './request-handler.ts';
import { readTarget } from './request-target.ts';
import { header, httpErrorOf, ignore, sendError } from './responses.ts';

/** Dependencies and limits of the metadata endpoint. */
export interface MetadataServerDeps extends RequestHandlerDeps {
  readonly pods: PodByAddress;
  readonly reversePath: ReversePathCheck;
  readonly log: Logger;
  readonly blockInstance: boolean;
  readonly limits?: LimitsOptions;
  /** Time for a request's headers, milliseconds. @default 5000 */
  readonly headersTimeoutMs?: number;
  /** Time for the whole of a request, milliseconds. @default 20000 */
  readonly requestTimeoutMs?: number;
}

/** Milliseconds for which a connection is not read after a refusal, as its Retry-After says. */
const pauseMs = 1000;

/** The HTTP server of the metadata endpoint; it may listen on several addresses. */
export class MetadataServer {
  readonly #deps: MetadataServerDeps;
  readonly #limits: Limits;
  readonly #unanswered: UnansweredRequests;
  readonly #fastPath: FastPath;
  readonly #handler: RequestHandler;
  readonly #servers: HttpServer[] = [];
  readonly #checks: AddressChecks;
  /** Connections by the Unix socket. */
  readonly #root = new WeakSet<Socket>();
  #served = 0;

  constructor(deps: MetadataServerDeps) {
    this.#deps = deps;
    this.#limits = new Limits(deps.limits);
    this.#unanswered = new UnansweredRequests(() => deps.metrics.limit('unanswered_requests'));
    this.#fastPath = new FastPath(deps);
    this.#checks = new AddressChecks(deps.reversePath, () => this.#fastPath.flush());
    this.#handler = new RequestHandler(deps, this.#fastPath);
  }

  /** Requests so far. */
  get served(): number {
    return this.#served;
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number, host: string): Promise<number> {
    const server = this.#create();
    server.onReady((socket) => this.#connected(socket));
    const used = await server.listen(port, host);
    this.#servers.push(server);
    return used;
  }

  /** Listens on a Unix socket for callers that are root on the node: `/host/token/` and nothing else. */
  async listenForRoot(path: string): Promise<void> {
    const server = this.#create();
    server.onReady((socket) => this.#root.add(socket));
    await listenForRoot(server.node, path);
    this.#servers.push(server);
  }

  #create(): HttpServer {
    const { headersTimeoutMs: headersTimeout = 5000, requestTimeoutMs: requestTimeout = 20_000 } = this.#deps;
    const limits = {
      maxHeaderSize: 16 * 1024,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(1000, headersTimeout),
      keepAliveTimeout: 30_000,
      maxRequestsPerSocket: 10_000,
    };
    return new HttpServer(limits, (request, response) => this.#serve(request, response));
  }

  /** Stops listening, waits `graceMs` for requests in progress, then closes all connections. */
  async close(graceMs = 1000): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close(graceMs)));
    this.#deps.reversePath.close();
  }

  #connected(socket: Socket): void {
    const { pods, metrics } = this.#deps;
    // A caller may half-close after its request: answer before Node's own listener ends the connection.
    socket.prependListener('end', this.#fastPath.flush);
    const address = canonicalAddress(socket.remoteAddress);
    const evict = () => {
      metrics.limit('connections');
      socket.destroy();
    };
    const admitted = this.#limits.connections.admit(pods.namespaceOf(address), address, evict);
    if (typeof admitted === 'string') {
      metrics.limit(admitted);
      socket.destroy();
      return;
    }
    socket.once('close', admitted);
    this.#unanswered.watch(socket);
    this.#checks.start(socket, address);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // Null until the answers before it are sent. Cheaper than a count of each request, and enough without TLS.
    if (response.socket === null) {
      this.#unanswered.end(socket);
      return;
    }
    this.#served++;
    if (!this.#checks.waits(socket, () => this.#answer(request, response))) this.#answer(request, response);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const address = canonicalAddress(socket.remoteAddress);
    const cacheable = !this.#checks.isReused(socket) && !this.#root.has(socket);
    if (cacheable && this.#fastPath.tryAnswer(request, response, address)) return;
    void this.#handle(request, response, address);
  }

  async #handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
    const { blockInstance, metrics, pods } = this.#deps;
    const { socket } = request;
    const ended = new AbortController();
    response.once('close', () => ended.abort(new Error('the caller hung up')));
    response.on('error', ignore);
    const target = readTarget(request.url ?? '', blockInstance);
    const [fromRoot, addressReused] = [this.#root.has(socket), this.#checks.isReused(socket)];
    const { signal } = ended;
    const evict = () => ended.abort(httpErrors.busy());
    // Root asks for the pods of all namespaces: each has its own limits.
    const namespace = fromRoot ? header(request, 'podns') : pods.namespaceOf(address);
    const admitted = this.#limits.requests.admit(namespace, fromRoot ? `root for ${namespace}` : address, evict);
    let status = 0;
    try {
      if (typeof admitted === 'string') {
        metrics.limit(admitted);
        throw httpErrors.busy();
      }
      status = await this.#handler.handle({
        request,
        response,
        target,
        address,
        namespace,
        addressReused,
        fromRoot,
        signal,
      });
    } catch (error) {
      status = this.#fail(response, error, signal, address);
    } finally {
      if (typeof admitted === 'function') admitted();
      metrics.request(target.route, status);
    }
  }

  /** Sends the error, and returns its status: 499 where the caller hung up. */
  #fail(response: ServerResponse, cause: unknown, signal: AbortSignal, address: string): number {
    const evicted = signal.aborted && signal.reason instanceof HttpError;
    if (signal.aborted && !evicted) return 499;
    if (evicted) this.#deps.metrics.limit('requests');
    const error = httpErrorOf(evicted ? signal.reason : cause);
    const { status, text, detail } = error;
    try {
      this.#deps.audit.commit();
      if (status >= 500) this.#deps.log.warn({ status, address, error: detail ?? text }, 'a request failed');
    } catch {
      // Without an audit line the daemon still sends errors, but no token.
    }
    if (error.reason === tooManyRequests) this.#pause(response);
    sendError(response, error);
    return status;
  }

  /**
   * After 429, stops reading the connection until Retry-After, so that refusals cost little. Not for root, which asks for
   * many pods by one connection.
   */
  #pause({ req: { socket } }: ServerResponse): void {
    if (this.#root.has(socket)) return;
    socket.pause();
    setTimeout(() => socket.resume(), pauseMs).unref();
  }
}
