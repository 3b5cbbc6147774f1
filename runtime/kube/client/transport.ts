import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { createDispatcher, type Dispatcher, type HttpResponse } from '../../base/http/client.ts';
import { proxyFromEnv } from '../../base/http/proxy-env.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { trimEndOf } from '../../base/text/text.ts';
import { pemBlocks } from '../../base/x509/pem.ts';
import { certificateFailureText } from '../config/certificate-failure.ts';
import type { ClientAuth, KubeConnection } from '../config/connection.ts';
import { sameAuth } from '../config/credentials.ts';
import type { Answer } from './answer.ts';
import { type NoteRequest, requestMetrics } from './request-metrics.ts';
import { type RequestSubject, subjectText } from './status-error.ts';

/** Options of the connections to an API server. */
export interface TransportOptions {
  /** First part of the User-Agent. @default 'azimuth' */
  readonly userAgent?: string;
  /** Concurrent requests; watches do not count. @default 16 */
  readonly connections?: number;
  /** Milliseconds to connect. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** Milliseconds until an answer begins, and between its pieces. Does not apply to watches. @default 60000 */
  readonly timeoutMs?: number;
  /** Gets counts and durations of requests. @default none */
  readonly metrics?: Metrics;
  /** Bounds what answers take in memory. @default only the length of one answer is bounded */
  readonly answers?: AnswerLimits;
}

/** Bounds what the answers of a client, which its caller's caller chose, take in memory. */
export interface AnswerLimits {
  /** Bytes of a list of more than one object; a longer one comes in smaller pages. */
  readonly listBytes: number;
  /** Bytes from which an answer, or an event of a watch, needs a place. */
  readonly largeBytes: number;
  /** Waits for a place; the result frees it. Rejects with the signal's reason. */
  readonly enter: (signal: AbortSignal | undefined) => Promise<() => void>;
}

/** One request to an API server. */
export interface TransportRequest {
  readonly subject: RequestSubject;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Forms of the answer. @default 'application/json' */
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** The answer is a stream that lasts: gets a connection of its own and no timeouts. */
  readonly stream?: boolean;
}

/** The pools for one state of the TLS material. */
interface Pools {
  readonly material: string;
  readonly requests: Dispatcher;
  readonly streams: Dispatcher;
}

/**
 * Sends requests to one API server with its credential. Trust and client certificates are checked again before each
 * request; when they changed, new connections use the new ones and old requests end on the old. A 401 is tried once
 * more if the credential then offers something else. Throws AZ_KUBE_UNREACHABLE when there is no answer, and the
 * signal's reason when it aborts; every HTTP answer is returned.
 */
export class Transport {
  readonly connection: KubeConnection;
  readonly #options: TransportOptions;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #proxy: string;
  readonly #headers: Readonly<Record<string, string | string[]>>;
  readonly #note: NoteRequest | undefined;
  #pools: Pools | undefined;
  readonly #closing = new AbortController();

  constructor(connection: KubeConnection, options: TransportOptions = {}) {
    const url = new URL(connection.server);
    this.connection = connection;
    this.#options = options;
    this.#note = options.metrics && requestMetrics(options.metrics);
    this.#origin = url.origin;
    this.#prefix = trimEndOf(url.pathname, '/');
    this.#proxy = connection.proxy ?? proxyFromEnv(url) ?? 'none';
    this.#headers = {
      'user-agent': `${options.userAgent ?? 'azimuth'} (${process.platform}/${process.arch})`,
      ...impersonationHeaders(connection),
    };
  }

  get answers(): AnswerLimits | undefined {
    return this.#options.answers;
  }

  /** Aborts when the client closes; streams end by it, as they would keep their pool from closing. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  send(request: TransportRequest & { readonly stream: true }): Promise<HttpResponse>;
  send(request: TransportRequest): Promise<Answer>;
  async send(request: TransportRequest): Promise<HttpResponse> {
    const { credential } = this.connection;
    const auth = await this.#auth();
    const response = await this.#once(request, auth);
    if (response.statusCode !== 401) return response;
    credential.refused(auth);
    this.connection.ca?.refresh();
    const fresh = await this.#auth();
    if (sameAuth(auth, fresh)) return response;
    await response.body.dump();
    return this.#once(request, fresh);
  }

  /** Waits for requests in progress, ends watches, frees the sockets. */
  async close(): Promise<void> {
    this.#closing.abort(new AzimuthError('AZ_KUBE_UNREACHABLE', 'The client was closed'));
    const pools = this.#pools;
    this.#pools = undefined;
    await Promise.all([pools?.requests.close(), pools?.streams.close()]);
  }

  /** Retryable: a broken credential is fixed outside the cluster, without a change of the object that is reconciled. */
  async #auth(): Promise<ClientAuth> {
    try {
      return await this.connection.credential.current();
    } catch (error) {
      if (!(error instanceof AzimuthError) || error.retryable) throw error;
      throw new AzimuthError(error.code, error.message, { retryable: true, cause: error });
    }
  }

  async #once(request: TransportRequest, auth: ClientAuth): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    const pools = this.#poolsFor(request.subject, auth);
    const begun = performance.now();
    const note = (code: Parameters<NoteRequest>[1]) =>
      this.#note?.(request.subject, code, (performance.now() - begun) / 1000);
    try {
      const answer = await this.#dispatch(request, auth, pools);
      note(answer.statusCode);
      return answer;
    } catch (error) {
      note(request.signal?.aborted ? 'aborted' : 'unreachable');
      const failure = this.unreachable(request.subject, error, request.signal);
      // The server's certificate may come from a CA that the file holds by now.
      this.connection.ca?.refresh();
      throw failure;
    }
  }

  #dispatch(request: TransportRequest, auth: ClientAuth, pools: Pools): Promise<HttpResponse> {
    const { stream, method, signal } = request;
    const origin = this.#origin;
    const path = this.#prefix + request.path;
    const headers = {
      // Not compressed: for 500 objects gzip saves 1.2 MB of 1.4 and costs 15 ms, a loss at 600 Mbit/s and above.
      accept: request.accept ?? 'application/json',
      ...this.#headers,
      ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
      ...(auth.authorization === undefined ? {} : { authorization: auth.authorization }),
    };
    const pool = stream ? pools.streams : pools.requests;
    return pool.request({ origin, path, method, headers, body: request.body ?? null, signal: signal ?? null });
  }

  /** Turns a failure of the connection into AZ_KUBE_UNREACHABLE; an abort stays the signal's reason. */
  unreachable(subject: RequestSubject, error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof AzimuthError) return error;
    const via = this.#proxy === 'none' ? '' : ` through the proxy ${new URL(this.#proxy).host}`;
    const reason = reasonOf(error) + certificateFailureText(error, this.connection);
    return new AzimuthError(
      'AZ_KUBE_UNREACHABLE',
      `${subjectText(subject)}: no answer from ${this.#origin}${via}: ${reason}`,
      { cause: error },
    );
  }

  #poolsFor(subject: RequestSubject, auth: ClientAuth): Pools {
    const { ca, insecureSkipTlsVerify, tlsServerName, source } = this.connection;
    if (this.closing.aborted)
      throw new AzimuthError('AZ_KUBE_UNREACHABLE', `${subjectText(subject)}: the client is closed`);
    const trust = ca?.read();
    const material = [trust, auth.cert, auth.key].join('\n');
    if (this.#pools?.material === material) return this.#pools;
    try {
      if (trust !== undefined) checkBundle(trust);
      if (auth.cert !== undefined) createSecureContext({ cert: auth.cert, key: auth.key });
    } catch (error) {
      // A bad state while files are being replaced must not end connections that work.
      if (this.#pools) return this.#pools;
      const text = `${source}: unusable certificate or key: ${messageOf(error)}`;
      throw new AzimuthError('AZ_KUBECONFIG_INVALID', text, { retryable: true });
    }
    const timeout = this.#options.timeoutMs ?? 60_000;
    const common = {
      ...(trust === undefined ? {} : { ca: trust }),
      ...(auth.cert === undefined ? {} : { cert: auth.cert, key: auth.key }),
      ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
      ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
      proxy: this.#proxy,
      connectTimeoutMs: this.#options.connectTimeoutMs ?? 10_000,
    };
    const old = this.#pools;
    const pools: Pools = {
      material,
      requests: createDispatcher({
        ...common,
        connections: this.#options.connections ?? 16,
        headersTimeoutMs: timeout,
        bodyTimeoutMs: timeout,
        keepAliveMs: 30_000,
      }),
      streams: createDispatcher({ ...common, connections: 0, headersTimeoutMs: 0, bodyTimeoutMs: 0 }),
    };
    this.#pools = pools;
    // Long requests and streams of the former pools end there.
    for (const pool of [old?.requests, old?.streams]) pool?.close().catch(() => undefined);
    return pools;
  }
}

function impersonationHeaders({ impersonate }: KubeConnection): Record<string, string | string[]> {
  if (!impersonate) return {};
  const { user, uid, groups = [], extra = {} } = impersonate;
  return {
    'impersonate-user': user,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
        [...values],
      ]),
    ),
  };
}

/** Throws unless one certificate of the bundle is readable: TLS skips the others, and trusts no server without one. */
function checkBundle(pem: string): void {
  const good = [...pemBlocks(pem)].some(({ label, block }) => {
    try {
      return label === 'CERTIFICATE' && new X509Certificate(block).subject !== undefined;
    } catch {
      return false;
    }
  });
  if (!good) throw new Error('no certificate in the certificate authority');
}

/** Outermost to innermost reason: Node wraps the one that names host or certificate. */
function reasonOf(error: unknown): string {
  const { errors, cause, code } = error as { errors?: unknown[]; cause?: unknown; code?: string };
  const message = messageOf(error) || errors?.map(reasonOf).join('; ') || code || 'unknown';
  return cause === undefined ? message : `${message}: ${reasonOf(cause)}`;
}
