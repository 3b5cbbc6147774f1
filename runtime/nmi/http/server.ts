import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Audit } from '../audit.ts';
import type { NmiMetrics } from '../nmi-metrics.ts';
import { canonicalAddress, type NamedPod, type PodByAddress } from '../pods/pod-by-address.ts';
import type { ReversePathCheck } from '../pods/reverse-path-check.ts';
import type { IdentityUse } from '../tokens/pod-identities.ts';
import type { TokenHandler } from '../tokens/token-handler.ts';
import { FastPath, tokenPath } from './fast-path.ts';
import { listenForRoot } from './host-socket.ts';
import type { HostChallenge } from './host-token.ts';
import { HttpError, httpErrors } from './http-error.ts';
import { Limits, type LimitsOptions } from './limits.ts';
import { type PassthroughOptions, passThrough } from './passthrough.ts';
import { readTarget, type Target } from './request-target.ts';
import { hasMetadataHeader, header, httpErrorOf, ignore, sendError, sendJson, sendRedirect } from './responses.ts';
import { readTokenRequest } from './token-request.ts';

/** Parts and limits of the metadata endpoint. */
export interface MetadataServerOptions {
  readonly pods: PodByAddress;
  readonly tokens: TokenHandler;
  readonly reversePath: ReversePathCheck;
  readonly passthrough: PassthroughOptions;
  readonly audit: Audit;
  readonly metrics: NmiMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  readonly blockInstance: boolean;
  readonly metadataHeaderRequired: boolean;
  /** Host token requests by TCP: refused, for any caller on the loopback (as upstream), or after a challenge. */
  readonly hostTcp: 'off' | 'anyone' | HostChallenge;
  readonly limits?: LimitsOptions;
  /** Time for a request's headers, milliseconds. @default 5000 */
  readonly headersTimeoutMs?: number;
  /** Time for the whole of a request, milliseconds. @default 20000 */
  readonly requestTimeoutMs?: number;
}

/** A request with what the server knows about its caller. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** Canonical source address of the caller; '' where it has none. */
  readonly address: string;
  readonly fromRoot: boolean;
  /** Aborts when the caller hangs up, or when a limit evicts it. */
  readonly signal: AbortSignal;
}

/** The HTTP server of the metadata endpoint; it may listen on several addresses. */
export class MetadataServer {
  readonly #options: MetadataServerOptions;
  readonly #limits: Limits;
  readonly #fastPath: FastPath;
  readonly #servers: Server[] = [];
  /** Connections from a pod's address that arrived over another interface (possible address reuse). */
  readonly #addressReused = new WeakSet<Socket>();
  /** Connections by the Unix socket. */
  readonly #root = new WeakSet<Socket>();
  #served = 0;

  constructor(options: MetadataServerOptions) {
    this.#options = options;
    this.#limits = new Limits(options.limits);
    this.#fastPath = new FastPath(options);
  }

  /** Requests so far. */
  get served(): number {
    return this.#served;
  }

  /** Listens; port 0 picks a free one. Resolves to the port in use. */
  async listen(port: number, host: string): Promise<number> {
    const server = this.#create();
    server.on('connection', (socket) => this.#connected(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  /** Listens on a Unix socket for callers that are root on the node: `/host/token/` and nothing else. */
  async listenForRoot(path: string): Promise<void> {
    const server = this.#create();
    server.on('connection', (socket) => this.#root.add(socket));
    await listenForRoot(server, path);
    this.#servers.push(server);
  }

  #create(): Server {
    const { headersTimeoutMs = 5000, requestTimeoutMs = 20_000 } = this.#options;
    const server = createServer(
      {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
        keepAliveTimeout: 30_000,
        maxHeaderSize: 16 * 1024,
        // Refuse a request line that two servers could parse differently.
        insecureHTTPParser: false,
      },
      (request, response) => this.#serve(request, response),
    );
    server.maxRequestsPerSocket = 10_000;
    return server;
  }

  /** Stops listening, waits `graceMs` for requests in progress, then closes all connections. */
  async close(graceMs = 1000): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const server of this.#servers) server.closeIdleConnections();
    const late = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections();
    }, graceMs);
    await Promise.all(closed);
    clearTimeout(late);
  }

  #connected(socket: Socket): void {
    const { pods, reversePath, metrics } = this.#options;
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
    // A connection belongs to one pod for its whole life, so one check is enough.
    if (reversePath.addressReused(address)) this.#addressReused.add(socket);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#served++;
    const { socket } = request;
    const address = canonicalAddress(socket.remoteAddress);
    const cacheable = !this.#addressReused.has(socket) && !this.#root.has(socket);
    if (cacheable && this.#fastPath.tryAnswer(request, response, address)) return;
    void this.#handle(request, response, address);
  }

  async #handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
    const { blockInstance, metrics, pods } = this.#options;
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller has gone')));
    response.on('error', ignore);
    const target = readTarget(request.url ?? '', blockInstance);
    const fromRoot = this.#root.has(request.socket);
    const caller = fromRoot ? 'root' : address;
    const evict = () => gone.abort(httpErrors.busy());
    const admitted = this.#limits.requests.admit(fromRoot ? '' : pods.namespaceOf(address), caller, evict);
    let status = 0;
    try {
      if (typeof admitted === 'string') {
        metrics.limit(admitted);
        throw httpErrors.busy();
      }
      status = await this.#route({ request, response, target, address, fromRoot, signal: gone.signal });
    } catch (error) {
      status = this.#fail(response, error, gone.signal, address);
    } finally {
      if (typeof admitted === 'function') admitted();
      metrics.request(target.route, status);
    }
  }

  async #route(exchange: Exchange): Promise<number> {
    const { request, response, target, fromRoot, signal } = exchange;
    // As the metadata endpoint: a forwarded request reaches it through another server (SSRF).
    if (request.headers['x-forwarded-for'] !== undefined) throw httpErrors.forwarded();
    if (target.route === 'redirect') return sendRedirect(response, target.location);
    if (fromRoot && target.route !== 'host') throw httpErrors.hostOnly();
    switch (target.route) {
      case 'invalid':
        throw httpErrors.invalidPath();
      case 'forbidden':
        throw httpErrors.blocked();
      case 'token':
        this.#checkHeader(request);
        return this.#token(exchange, target.query);
      case 'host':
        return this.#hostToken(exchange, target.query);
      case 'passthrough':
        this.#checkHeader(request);
        return passThrough(request, response, this.#options.passthrough, signal);
    }
  }

  async #token({ request, response, address, signal }: Exchange, query: URLSearchParams): Promise<number> {
    return this.#measured(tokenPath, query, async (seen) => {
      if (address === '') throw httpErrors.noAddress();
      if (this.#addressReused.has(request.socket)) {
        response.setHeader('connection', 'close');
        throw httpErrors.addressReused(address);
      }
      const wanted = readTokenRequest(query);
      const granted = await this.#options.tokens.handle(address, wanted, signal);
      seen.namespace = granted.pod.metadata.namespace ?? '';
      this.#options.audit.commit();
      this.#fastPath.add(address, request.url ?? '', wanted, granted);
      return sendJson(request, response, granted.body);
    });
  }

  async #hostToken(exchange: Exchange, query: URLSearchParams): Promise<number> {
    const { request, response, signal } = exchange;
    return this.#measured('/host/token', query, async (seen) => {
      const namespace = header(request, 'podns');
      const name = header(request, 'podname');
      const uid = header(request, 'poduid');
      if (namespace === '' || name === '') throw httpErrors.hostHeaders();
      if (!exchange.fromRoot) this.#checkHostCaller(exchange, { namespace, name, uid });
      const wanted = readTokenRequest(query);
      const { pod, body, use } = await this.#options.tokens.handleForHost({ namespace, name, uid }, wanted, signal);
      seen.namespace = pod.metadata.namespace ?? '';
      this.#options.audit.commit();
      const more = JSON.stringify({ clientid: use?.spec.clientID ?? '', binding: bindingOf(use) });
      return sendJson(request, response, `{"token":${body},${more.slice(1)}`);
    });
  }

  async #measured(
    path: string,
    query: URLSearchParams,
    work: (seen: { namespace: string }) => Promise<number>,
  ): Promise<number> {
    const { clock, metrics } = this.#options;
    const started = clock.monotonic();
    const seen = { namespace: '' };
    let status = 500;
    try {
      status = await work(seen);
      return status;
    } catch (error) {
      if (error instanceof HttpError) status = error.status;
      throw error;
    } finally {
      const seconds = (clock.monotonic() - started) / 1000;
      metrics.operation(path, status, seen.namespace, query.get('resource') ?? '', seconds);
    }
  }

  #checkHostCaller({ request, response, address }: Exchange, pod: NamedPod): void {
    if (!address.startsWith('127.') && address !== '::1') throw httpErrors.hostRemote();
    const { hostTcp } = this.#options;
    if (hostTcp === 'anyone') return;
    if (hostTcp === 'off') throw httpErrors.hostTcpOff();
    const { method = 'GET', url: target = '' } = request;
    if (hostTcp.accepts(request.headers.authorization, { method, target, ...pod })) return;
    response.setHeader('www-authenticate', hostTcp.challenge());
    throw httpErrors.hostMac();
  }

  #checkHeader(request: IncomingMessage): void {
    if (this.#options.metadataHeaderRequired && !hasMetadataHeader(request)) throw httpErrors.metadataHeader();
  }

  #fail(response: ServerResponse, cause: unknown, gone: AbortSignal, address: string): number {
    const evicted = gone.aborted && gone.reason instanceof HttpError;
    if (gone.aborted && !evicted) return 499;
    if (evicted) this.#options.metrics.limit('requests');
    const error = httpErrorOf(evicted ? gone.reason : cause);
    const { status, body, detail } = error;
    try {
      this.#options.audit.commit();
      if (status >= 500) this.#options.log.warn({ status, address, error: detail ?? body }, 'a request failed');
    } catch {
      // Without an audit line the daemon still sends errors, but no token.
    }
    sendError(response, error);
    return status;
  }
}

/** An addition to upstream's answer: the binding that allowed the token, for callers that restrict its use. */
function bindingOf(use: IdentityUse | undefined): object | undefined {
  if (!use) return undefined;
  const { namespace, name, uid } = use.binding.metadata;
  return { namespace, name, uid, volumes: use.binding.spec?.volumes };
}
