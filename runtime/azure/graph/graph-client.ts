import { randomUUID } from 'node:crypto';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import { isObject } from '../../base/json.ts';
import { ArmError, armErrorInfo } from '../arm/errors.ts';
import { graphEndpointOf } from '../clouds.ts';
import { type HttpAnswer, httpCall } from '../http-call.ts';
import type { AccessToken, Authorizer, CloudEnvironment } from '../types.ts';

/** Options of the requests of one run to Microsoft Graph. */
export interface GraphOptions {
  readonly cloud: CloudEnvironment;
  readonly authorizer: Authorizer;
  readonly dispatcher: Dispatcher;
  /** client-request-id of every request, which Graph's own log shows. */
  readonly correlationId: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Throws when a request that changes something may not go out. */
  readonly mayWrite: () => void;
  readonly signal?: AbortSignal;
}

/** One request to Graph. */
export interface GraphRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the version, such as `/groups`, encoded. */
  readonly path: string;
  readonly body?: object;
  /** The value of the header Prefer. */
  readonly prefer?: string;
}

/** An answer of Graph with a 2xx. */
export interface GraphAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The longest answer that is read, in bytes: a group or a page of ten has a few thousand. */
const maxBytes = 1024 * 1024;

/**
 * Microsoft Graph v1.0 for one run: one request, one answer, no retry. Each change gets a token of its own; the reads
 * share one.
 */
export class GraphClient {
  readonly #options: GraphOptions;
  readonly #endpoint: string;
  #readToken: AccessToken | undefined;

  /** Throws AZ_TERMINAL for a cloud without a known Graph. */
  constructor(options: GraphOptions) {
    this.#options = options;
    this.#endpoint = graphEndpointOf(options.cloud);
  }

  /** The answer of a 2xx. Throws ArmError for any other, and AZ_GRAPH_UNREACHABLE without an answer of Graph. */
  async send(request: GraphRequest): Promise<GraphAnswer> {
    const { now, mayWrite } = this.#options;
    const token = await this.#token(request.method);
    if (request.method !== 'GET') mayWrite();
    const answer = await this.#http(request, token);
    const { status, body, text, headers } = answer;
    const { host } = new URL(this.#endpoint);
    const isDone = status >= 200 && status < 300;
    // The 404 of a gateway does not say that a group is absent.
    if ((isDone ? request.method === 'GET' : status === 404) && !isObject(body)) {
      throw new AzimuthError(
        'AZ_GRAPH_UNREACHABLE',
        `What answered at ${host} is not Microsoft Graph: it sent no JSON`,
      );
    }
    if (isDone) return { status, body };
    const retryAfterMs = retryAfterOf(headers, now());
    const info = armErrorInfo({ status, body, text, requestId: headers['request-id'], retryAfterMs });
    throw new ArmError(request.method === 'PATCH' ? 'PATCH' : request.method, request.path, info);
  }

  async #token(method: GraphRequest['method']): Promise<string> {
    const { authorizer, correlationId, signal, now } = this.#options;
    const shared = method === 'GET' ? this.#readToken : undefined;
    if (shared && shared.expiresOn > now() + 60_000) return shared.token;
    const tokenRequest = { audience: this.#endpoint, correlationId, ...(signal && { signal }) };
    const token = await authorizer.getToken(tokenRequest);
    if (method === 'GET') this.#readToken = token;
    return token.token;
  }

  async #http({ method, path, body, prefer }: GraphRequest, token: string): Promise<HttpAnswer> {
    const { dispatcher, correlationId, signal } = this.#options;
    try {
      return await httpCall(dispatcher, {
        method,
        url: `${this.#endpoint}/v1.0${path}`,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'client-request-id': correlationId || randomUUID(),
          'user-agent': 'azimuth/0.1',
          ...(body && { 'content-type': 'application/json' }),
          ...(prefer !== undefined && { prefer }),
        },
        maxBytes,
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const { host } = new URL(this.#endpoint);
      const message = `Microsoft Graph at ${host} did not answer ${method}: ${messageOf(cause)}`;
      throw new AzimuthError('AZ_GRAPH_UNREACHABLE', message, { cause });
    }
  }
}
