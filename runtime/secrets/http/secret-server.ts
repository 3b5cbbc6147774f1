import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { messageOf } from '../../base/errors.ts';
import { HttpServer } from '../../base/http/http-server.ts';
import { UnansweredRequests } from '../../base/http/unanswered-requests.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Nonces } from '../attestation/nonces.ts';
import type { AuditedRequest, SecretAudit } from '../audit.ts';
import { HttpError } from '../protocol/http-error.ts';
import { routeOf } from '../protocol/secret-request.ts';
import type { SecretsMetrics } from '../secrets-metrics.ts';
import type { Caller, TokenVerifier } from '../tokens/token-verifier.ts';
import type { CallerLimits } from './caller-limits.ts';
import { ConnectionLimits, connectionsFor } from './connection-limits.ts';
import type { SecretService } from './secret-service.ts';

/** Dependencies of the HTTPS server. */
export interface SecretServerDeps {
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  readonly service: SecretService;
  readonly nonces: Nonces;
  readonly limits: CallerLimits;
  readonly audit: SecretAudit;
  readonly metrics: SecretsMetrics;
  readonly log: Logger;
  /** Most connections. @default those for which the heap has the memory */
  readonly connections?: number;
}

/** The header with the signature of an attested document. */
export const documentHeader = 'x-azimuth-attested-document';

const httpLimits = {
  // A token and an attested document.
  maxHeaderSize: 32 * 1024,
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 75_000,
  maxRequestsPerSocket: 10_000,
  requireHostHeader: false,
} as const;

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The HTTPS server of the endpoint. It listens once it has a certificate. */
export class SecretServer {
  readonly #deps: SecretServerDeps;
  readonly #connections: ConnectionLimits;
  readonly #unanswered: UnansweredRequests;
  #server: HttpServer | undefined;

  constructor(deps: SecretServerDeps) {
    this.#deps = deps;
    const { connections = connectionsFor(), metrics } = deps;
    this.#connections = new ConnectionLimits(connections, () => metrics.connection());
    this.#unanswered = new UnansweredRequests(() => metrics.connection());
  }

  /** Listens with this certificate; port 0 picks a free one. Resolves to the port in use. */
  async listen(tls: SecureContextOptions, port: number, host?: string): Promise<number> {
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (this.#unanswered.admit(request.socket, response)) void this.#serve(request, response);
    };
    const server = new HttpServer(httpLimits, serve, { ...tls, minVersion: 'TLSv1.2' });
    server.node.on('connection', (socket: Socket) => this.#connections.connected(socket));
    server.onReady((socket) => {
      this.#connections.secured(socket);
      this.#unanswered.watch(socket);
    });
    // Node would answer these itself, and the limit of unanswered requests would not see them.
    server.node.on('checkContinue', serve).on('checkExpectation', serve);
    const used = await server.listen(port, host);
    this.#server = server;
    return used;
  }

  /** Serves new connections with another certificate. Throws for one that cannot be used. */
  renew(tls: SecureContextOptions): void {
    this.#server?.renew(tls);
  }

  /** Stops listening, waits `graceMs` for requests in progress, then closes all connections. */
  async close(graceMs = 1000): Promise<void> {
    await this.#server?.close(graceMs);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { metrics, log, audit } = this.#deps;
    const ended = new AbortController();
    response.once('close', () => ended.abort(new Error('the caller hung up')));
    response.on('error', () => undefined);
    const audited: { -readonly [K in keyof AuditedRequest]: AuditedRequest[K] } = {
      address: request.socket.remoteAddress ?? '',
      caller: undefined,
      namespace: undefined,
      name: undefined,
      object: undefined,
    };
    let answer: Answer;
    try {
      answer = await this.#answer(request, audited, ended.signal);
    } catch (error) {
      if (ended.signal.aborted) {
        metrics.request(499);
        return;
      }
      if (error instanceof HttpError) {
        metrics.refusal(error.reason);
        audit.refused(audited, error);
        answer = refusalAnswer(error);
      } else {
        log.error({ error: messageOf(error) }, 'a request failed');
        answer = { status: 500, body: errorBody('internal', 'The request failed: try again') };
      }
    }
    metrics.request(answer.status);
    send(response, answer);
  }

  async #answer(
    request: IncomingMessage,
    audited: { -readonly [K in keyof AuditedRequest]: AuditedRequest[K] },
    signal: AbortSignal,
  ): Promise<Answer> {
    const { headers, method = '', url = '' } = request;
    if (headers.host === undefined || headers.expect !== undefined)
      throw new HttpError('request_invalid', 'Requests have a host, and no expectation');
    if (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
      throw new HttpError('request_invalid', 'Requests have no body');
    const route = routeOf(method, url, headers['if-none-match']);
    if (route.route === 'secret') ({ namespace: audited.namespace, name: audited.name } = route.request);
    const caller = await this.#authenticated(headers.authorization, audited.address);
    audited.caller = caller;
    if (route.route === 'nonce') return this.#nonce(caller);
    const { service } = this.#deps;
    audited.object = service.objectOf(route.request);
    const document = headers[documentHeader];
    const plain = headers.accept === 'text/plain';
    const answer = await service.answer({
      plain,
      request: route.request,
      caller,
      address: audited.address,
      document: typeof document === 'string' ? document : undefined,
      signal,
    });
    const headersOut: Record<string, string> = { etag: answer.tag };
    if (plain) headersOut['content-type'] = 'text/plain; charset=utf-8';
    return { status: answer.status, headers: headersOut, body: answer.body };
  }

  async #authenticated(authorization: string | undefined, address: string): Promise<Caller> {
    const { limits, verifier } = this.#deps;
    try {
      // Machines with a verified token go on, although somebody behind the same address invents tokens.
      return await verifier.verify(authorization, () => limits.address(address));
    } catch (error) {
      if (error instanceof HttpError && (error.status === 401 || error.status === 403)) limits.refusedToken(address);
      throw error;
    }
  }

  #nonce({ objectId }: Caller): Answer {
    this.#deps.limits.caller(objectId);
    const { nonce, expiresOn } = this.#deps.nonces.issue(objectId);
    return { status: 200, body: JSON.stringify({ nonce, expires: new Date(expiresOn).toISOString() }) };
  }
}

function refusalAnswer({ reason, status, message, retryAfter }: HttpError): Answer {
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return { status, headers, body: errorBody(reason, message) };
}

const errorBody = (code: string, message: string) => JSON.stringify({ error: { code, message } });

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status !== 304 && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...(status === 400 && { connection: 'close' }),
    ...headers,
  });
  response.end(status === 304 ? undefined : body);
}
