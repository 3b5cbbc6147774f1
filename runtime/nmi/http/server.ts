import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Audit } from '../audit.ts';
import type { NmiMetrics } from '../nmi-metrics.ts';
import { canonicalAddress } from '../pods/pod-by-address.ts';
import type { ReversePathCheck } from '../pods/reverse-path-check.ts';
import type { IdentityUse } from '../tokens/identity-lookup.ts';
import type { TokenHandler } from '../tokens/token-handler.ts';
import { listenForRoot } from './host-socket.ts';
import type { HostProof } from './host-token.ts';
import { HttpError, httpErrors } from './http-error.ts';
import { type Limit, Limits, type LimitsOptions } from './limits.ts';
import { type PassthroughOptions, passThrough } from './passthrough.ts';
import type { Target } from './request-target.ts';
import { RouteCache } from './route-cache.ts';
import { readTokenRequest, type TokenRequest } from './token-request.ts';

export interface MetadataServerOptions {
  readonly tokens: TokenHandler;
  readonly links: ReversePathCheck;
  readonly passthrough: PassthroughOptions;
  readonly audit: Audit;
  readonly metrics: NmiMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  readonly blockInstance: boolean;
  readonly metadataHeaderRequired: boolean;
  /** Undefined: any caller on the loopback may ask for any pod, as upstream. */
  readonly hostProof: HostProof | undefined;
  readonly bounds?: LimitsOptions;
  /** Time for a request's headers, milliseconds. @default 5000 */
  readonly headersTimeoutMs?: number;
  /** Time for the whole of a request, milliseconds. @default 20000 */
  readonly requestTimeoutMs?: number;
}

const tokenPath = '/metadata/identity/oauth2/token';

/** An answer that waits for the audit lines of its turn. */
interface Answer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

/** Where requests come in; it may listen on several addresses. */
export class MetadataServer {
  readonly #options: MetadataServerOptions;
  readonly #bounds: Limits;
  readonly #servers: Server[] = [];
  readonly #targets: RouteCache;
  /** Connections of who has the address of a pod, and is not known to be it. */
  readonly #moved = new WeakSet<Socket>();
  /** Connections by the Unix socket. */
  readonly #root = new WeakSet<Socket>();
  #answers: Answer[] = [];
  #served = 0;

  constructor(options: MetadataServerOptions) {
    this.#options = options;
    this.#bounds = new Limits(options.bounds);
    this.#targets = new RouteCache(options.blockInstance);
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
        // A request line that two readers could take for different ones is refused, not repaired.
        insecureHTTPParser: false,
      },
      (request, response) => this.#serve(request, response),
    );
    server.maxRequestsPerSocket = 10_000;
    return server;
  }

  /** Takes no more connections, lets requests finish for a moment, then ends what is left. */
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
    // A caller that says no more after its request still gets the answer; behind this listener the server would hang up.
    socket.prependListener('end', this.#sendAll);
    const broken = this.#bounds.connect(socket);
    if (!broken) {
      // Once is enough: a connection never passes from one pod to another.
      if (this.#options.links.moved(canonicalAddress(socket.remoteAddress))) this.#moved.add(socket);
      return;
    }
    this.#options.metrics.bound(broken);
    socket.destroy();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#served++;
    const { target, asked } = this.#targets.read(request.url ?? '');
    const fromRoot = this.#root.has(request.socket);
    if (asked && !fromRoot && this.#atOnce(request, response, asked)) return;
    void this.#inTime(request, response, target);
  }

  /**
   * Most requests are for a token that is at hand: these take no promise, timer or signal, and hold nothing that the bounds
   * would count. Their answers leave together, when the audit lines of this turn of the event loop are written.
   */
  #atOnce(request: IncomingMessage, response: ServerResponse, asked: TokenRequest): boolean {
    const { tokens, metrics, clock, metadataHeaderRequired } = this.#options;
    const { headers, socket } = request;
    if (this.#moved.has(socket)) return false;
    if (headers['x-forwarded-for'] !== undefined || (metadataHeaderRequired && !hasMetadataHeader(request)))
      return false;
    const started = clock.monotonic();
    const granted = tokens.atOnce(canonicalAddress(socket.remoteAddress), asked);
    if (!granted) return false;
    response.on('error', ignore);
    if (this.#answers.push({ request, response, body: granted.body }) === 1) setImmediate(this.#sendAll);
    const { namespace = '' } = granted.pod.metadata;
    metrics.operation(tokenPath, 200, namespace, asked.resource, (clock.monotonic() - started) / 1000);
    metrics.request('token', 200);
    return true;
  }

  readonly #sendAll = (): void => {
    const answers = this.#answers;
    this.#answers = [];
    try {
      this.#options.audit.commit();
    } catch (error) {
      // What cannot be recorded is not given out.
      for (const { response } of answers) this.#fail(response, error, undefined);
      return;
    }
    for (const { request, response, body } of answers) sendJson(request, response, body);
  };

  async #inTime(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller has gone')));
    response.on('error', ignore);
    const { route } = target;
    const address = canonicalAddress(request.socket.remoteAddress);
    const fromRoot = this.#root.has(request.socket);
    const admitted = this.#bounds.begin(fromRoot ? 'root' : address);
    let status = 0;
    try {
      if (typeof admitted === 'string') throw this.#busy(admitted);
      // As the metadata endpoint does: a forwarded request is a trick to reach it through somebody else.
      if (request.headers['x-forwarded-for'] !== undefined) throw httpErrors.forwarded();
      if (target.route === 'redirect') {
        status = redirect(response, target.location);
      } else if (fromRoot && target.route !== 'host') {
        throw httpErrors.hostOnly();
      } else if (target.route === 'invalid') {
        throw httpErrors.invalidPath();
      } else if (target.route === 'forbidden') {
        throw httpErrors.blocked();
      } else if (target.route === 'token') {
        this.#checkHeader(request);
        status = await this.#token(request, response, address, target.query, gone.signal);
      } else if (target.route === 'host') {
        status = await this.#hostToken(request, response, address, target.query, gone.signal);
      } else {
        this.#checkHeader(request);
        status = await passThrough(request, response, this.#options.passthrough, gone.signal);
      }
    } catch (error) {
      status = this.#fail(response, error, gone.signal, address);
    } finally {
      if (typeof admitted === 'function') admitted();
      this.#options.metrics.request(route, status);
    }
  }

  async #token(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<number> {
    return this.#measured(tokenPath, query, async (seen) => {
      if (address === '') throw httpErrors.noAddress();
      if (this.#moved.has(request.socket)) {
        response.setHeader('connection', 'close');
        throw httpErrors.addressMoved(address);
      }
      const asked = readTokenRequest(query);
      const { pod, body } = await this.#options.tokens.forAddress(address, asked, signal);
      seen.namespace = pod.metadata.namespace ?? '';
      this.#options.audit.commit();
      return sendJson(request, response, body);
    });
  }

  async #hostToken(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<number> {
    return this.#measured('/host/token', query, async (seen) => {
      const namespace = header(request, 'podns');
      const name = header(request, 'podname');
      const uid = header(request, 'poduid');
      if (namespace === '' || name === '') throw httpErrors.hostHeaders();
      if (!this.#root.has(request.socket)) this.#checkHostCaller(request, address);
      const asked = readTokenRequest(query);
      const { pod, body, use } = await this.#options.tokens.forPod({ namespace, name, uid }, asked, signal);
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

  #checkHostCaller(request: IncomingMessage, address: string): void {
    if (!address.startsWith('127.') && address !== '::1') throw httpErrors.hostRemote();
    const { hostProof } = this.#options;
    if (hostProof && !hostProof.accepts(request.headers.authorization)) throw httpErrors.hostProof();
  }

  #checkHeader(request: IncomingMessage): void {
    if (this.#options.metadataHeaderRequired && !hasMetadataHeader(request)) throw httpErrors.metadataHeader();
  }

  #busy(bound: Limit): HttpError {
    this.#options.metrics.bound(bound);
    return httpErrors.busy();
  }

  #fail(response: ServerResponse, error: unknown, gone: AbortSignal | undefined, address?: string): number {
    if (gone?.aborted) return 499;
    const refusal =
      error instanceof HttpError ? error : new HttpError(500, 'internal error', { detail: messageOf(error) });
    const { status, body, detail, retryAfterSeconds, contentType } = refusal;
    try {
      this.#options.audit.commit();
      if (status >= 500) this.#options.log.warn({ status, address, error: detail ?? body }, 'a request failed');
    } catch {
      // A refusal goes out although nothing can be written; a token does not.
    }
    if (response.headersSent) {
      response.destroy();
      return status;
    }
    const type = contentType === 'json' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body) + 1,
      ...(contentType === 'text' && { 'x-content-type-options': 'nosniff' }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    });
    response.end(`${body}\n`);
    return status;
  }
}

function sendJson(request: IncomingMessage, response: ServerResponse, body: string): number {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
  return 200;
}

/** An addition to upstream's answer: what the token was given under, for callers that limit what it is used for. */
function bindingOf(use: IdentityUse | undefined): object | undefined {
  if (!use) return undefined;
  const { namespace, name, uid } = use.binding.metadata;
  return { namespace, name, uid, volumes: use.binding.spec?.volumes };
}

function ignore(): void {}

function hasMetadataHeader({ headers }: IncomingMessage): boolean {
  return headers['metadata'] === 'true';
}

function redirect(response: ServerResponse, location: string): number {
  response.writeHead(301, { location, 'content-length': 0 }).end();
  return 301;
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
