import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import { type Logger, silentLogger } from '../../base/observability/log.ts';
import { counter, createMetrics, histogram, type Metrics } from '../../base/observability/metrics.ts';
import { noTracer, type Span, type Tracer } from '../../base/observability/tracing.ts';
import { type HttpAnswer, httpCall } from '../http-call.ts';
import { RequestTokens } from '../identity/request-tokens.ts';
import { regionNamed } from '../regions.ts';
import type { AccessToken, ArmErrorInfo, ArmRequest, Authorizer, CloudEnvironment } from '../types.ts';
import { answerProblem } from './answers.ts';
import { isBusyResource } from './error-classes.ts';
import { armErrorInfo, isTransient } from './errors.ts';
import { mayReceiveArmToken, resolveArmUrl } from './hosts.ts';
import { type BucketKey, RateLimiter, requestClassOf } from './rate-limiter.ts';
import { tryParseResourceId } from './resource-ids.ts';

/** Options of requests to ARM. */
export interface ArmTransportOptions {
  /** The cloud of authorizers without one of their own. */
  readonly cloud: CloudEnvironment;
  /** HTTP/1.1, closed by `close()`. */
  readonly dispatcher: Dispatcher;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Gets a span for every request. @default none */
  readonly tracer?: Tracer;
  /** Added to the User-Agent (AZURE_USER_AGENT_SUFFIX). */
  readonly userAgentSuffix?: string;
  /** @default a RateLimiter with ARM's own figures */
  readonly rateLimiter?: RateLimiter;
  /** Further `host[:port]` that poll URLs may name. @default none */
  readonly allowedHosts?: readonly string[];
  /**
   * Called right before a write is sent, after the wait for its token and for the rate limit. Throws when this process
   * may not write any more. @default always allowed
   */
  readonly mayWrite?: () => void;
}

/** Pause after a 429 that names no time. */
const DEFAULT_PAUSE_MS = 5000;
/** Least pause after a 429, whatever `Retry-After: 0` asks for. */
const MIN_PAUSE_MS = 1000;

/** An answer of ARM, whatever its status, with the token and the correlation id of its request. */
export interface Exchange {
  readonly answer: HttpAnswer;
  readonly token: AccessToken;
  readonly correlationId: string;
}

/**
 * Sends requests to ARM: rate limit, token, headers, span, metrics and log. Throws AZ_ARM_UNREACHABLE where ARM does not
 * answer, AZ_ARM_THROTTLED by the rate limit, and AZ_CONFIG_INVALID for a path on another host.
 */
export class ArmTransport {
  readonly #options: ArmTransportOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #limiter: RateLimiter;
  readonly #userAgent: string;
  readonly #requests;
  readonly #seconds;
  readonly #tracer: Tracer;
  readonly #tokens: RequestTokens;

  constructor(options: ArmTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLogger;
    this.#tracer = options.tracer ?? noTracer;
    this.#tokens = new RequestTokens(this.#clock);
    const metrics = options.metrics ?? createMetrics();
    this.#limiter = options.rateLimiter ?? new RateLimiter({ clock: this.#clock, metrics });
    this.#userAgent = ['azimuth/0.1', options.userAgentSuffix].filter(Boolean).join(' ');
    this.#requests = counter(metrics, {
      name: 'azimuth_arm_requests_total',
      help: 'Requests to Azure Resource Manager by method and HTTP status (0 = no answer).',
      labelNames: ['method', 'status'],
    });
    this.#seconds = histogram(metrics, {
      name: 'azimuth_arm_request_seconds',
      help: 'Time until the answer of Azure Resource Manager, without waiting for a token or the rate limit.',
      labelNames: ['method'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    });
  }

  /** Waits for the rate limit. */
  async admit(request: ArmRequest): Promise<void> {
    const { authorizer, signal, background, share } = request;
    const key = bucketKey(this.#allowedTarget(request), request, this.cloudOf(authorizer));
    await this.#limiter.acquire(key, { signal, background, share });
  }

  /** Sends one request. A read repeats once with a new token if ARM refuses a reused one with 401 or 403. */
  async exchange(request: ArmRequest): Promise<Exchange> {
    const { authorizer } = request;
    const url = this.#allowedTarget(request);
    const key = bucketKey(url, request, this.cloudOf(authorizer));
    if (!request.admitted) await this.admit(request);
    const correlationId = request.correlationId ?? randomUUID();
    const sent = await this.#tokens.send(
      request,
      (signal) => this.#freshToken(authorizer, correlationId, signal),
      (token) => this.#call(request, url, key, token, correlationId),
    );
    return { answer: sent.answer, token: sent.token, correlationId };
  }

  #freshToken(authorizer: Authorizer, correlationId: string, signal?: AbortSignal): Promise<AccessToken> {
    const audience = this.cloudOf(authorizer).resourceManagerAudience;
    return authorizer.getToken({ audience, correlationId, ...(signal === undefined ? {} : { signal }) });
  }

  #call(request: ArmRequest, url: URL, key: BucketKey, token: AccessToken, correlationId: string): Promise<HttpAnswer> {
    const { method } = request;
    const options = {
      name: `${method} ${tryParseResourceId(decodePath(url))?.type ?? 'Azure Resource Manager'}`,
      kind: 'client',
      correlationId,
      attributes: {
        'http.request.method': method,
        'server.address': url.hostname,
        'url.path': url.pathname,
        'azure.correlation_id': correlationId,
      },
    } as const;
    return this.#tracer.run(options, (span) => this.#callIn(span, request, url, key, token, correlationId));
  }

  async #callIn(
    span: Span,
    request: ArmRequest,
    url: URL,
    key: BucketKey,
    token: AccessToken,
    correlationId: string,
  ): Promise<HttpAnswer> {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') this.#options.mayWrite?.();
    const started = this.#clock.now();
    let answer: HttpAnswer;
    try {
      answer = await httpCall(this.#options.dispatcher, {
        method,
        url: url.href,
        headers: this.#headers(request, token, correlationId),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
    } catch (cause) {
      if (request.signal?.aborted) throw cause;
      this.#requests.inc({ method, status: '0' });
      const message = `Azure Resource Manager at ${url.host} did not answer ${method} ${url.pathname}: ${messageOf(cause)}`;
      throw new AzimuthError('AZ_ARM_UNREACHABLE', message, { cause });
    }
    const problem = answerProblem(method, answer);
    if (problem !== undefined) {
      this.#requests.inc({ method, status: '0' });
      const message = `The server at ${url.host} that answered ${method} with ${answer.status} is not Azure Resource Manager: it sent ${problem}`;
      throw new AzimuthError('AZ_ARM_UNREACHABLE', message);
    }
    span.set('http.response.status_code', answer.status);
    span.set('azure.request_id', answer.headers['x-ms-request-id']);
    this.#requests.inc({ method, status: String(answer.status) });
    this.#seconds.observe({ method }, Math.max(0, this.#clock.now() - started) / 1000);
    this.#limiter.observe(key, answer.headers, request.share);
    if (answer.status === 429 && !isBusyResource(this.info(answer))) {
      const asked = retryAfterOf(answer.headers, this.#clock.now()) ?? DEFAULT_PAUSE_MS;
      this.#limiter.pause(key, Math.max(asked, MIN_PAUSE_MS), request.share);
    }
    const fields = {
      method,
      path: url.pathname,
      status: answer.status,
      requestId: answer.headers['x-ms-request-id'],
      correlationId,
    };
    if (isTransient(answer.status)) this.#log.warn(fields, 'arm request failed');
    else this.#log.debug(fields, 'arm request');
    return answer;
  }

  #headers(request: ArmRequest, { token }: AccessToken, correlationId: string): Record<string, string> {
    return {
      accept: 'application/json',
      'user-agent': this.#userAgent,
      'x-ms-client-request-id': randomUUID(),
      'x-ms-correlation-request-id': correlationId,
      'x-ms-return-client-request-id': 'true',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
      authorization: `Bearer ${token}`,
    };
  }

  /** The cloud whose Resource Manager gets the requests of an authorizer. */
  cloudOf(authorizer: Authorizer): CloudEnvironment {
    return authorizer.cloud ?? this.#options.cloud;
  }

  #allowedTarget(request: ArmRequest): URL {
    const url = this.target(request);
    if (url) return url;
    const wanted = 'a resource id or a URL of Azure Resource Manager';
    throw expected('path of an ARM request', wanted, hostOnly(request.path));
  }

  /** The URL of a request; undefined for a host that must not get a token. */
  target(request: ArmRequest): URL | undefined {
    const cloud = this.cloudOf(request.authorizer);
    const url = resolveArmUrl(request.path, cloud);
    if (!url || !mayReceiveArmToken(url, cloud, this.#options.allowedHosts)) return undefined;
    if (request.apiVersion !== undefined && !url.searchParams.has('api-version')) {
      url.searchParams.set('api-version', request.apiVersion);
    }
    url.pathname = strict(url.pathname);
    url.search = strict(url.search);
    return url;
  }

  /** The error of a refusal, without the texts in `secrets`. */
  info(answer: HttpAnswer, secrets?: readonly string[]): ArmErrorInfo {
    return armErrorInfo({
      secrets,
      status: answer.status,
      body: answer.body,
      text: answer.text,
      requestId: answer.headers['x-ms-request-id'],
      retryAfterMs: retryAfterOf(answer.headers, this.#clock.now()),
    });
  }
}

/** Invented regions share a bucket: with one for each, a tenant would send more than ARM takes from the principal. */
function bucketKey(url: URL, request: ArmRequest, cloud: CloudEnvironment): BucketKey {
  return {
    cloud: cloud.resourceManagerEndpoint,
    principal: request.authorizer.description,
    subscriptionId: /\/subscriptions\/([^/]+)/i.exec(url.pathname)?.[1] ?? '',
    region: regionNamed(request.region ?? '') ?? '',
    requestClass: requestClassOf(request.method),
  };
}

/** A URL keeps some characters that RFC 3986 does not allow, and a proxy may refuse them. */
function strict(text: string): string {
  return text.replaceAll(/[|^`{}]/g, encodeURIComponent);
}

function decodePath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Poll URLs carry signatures; a message shows the host alone. */
function hostOnly(path: string): string {
  return URL.parse(path)?.host ?? path.split('?')[0] ?? '';
}
