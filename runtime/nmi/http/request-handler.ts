import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Audit } from '../audit.ts';
import type { NmiMetrics } from '../nmi-metrics.ts';
import type { NamedPod } from '../pods/pod-by-address.ts';
import { HttpError, httpErrors } from '../protocol/http-error.ts';
import { readTokenRequest } from '../protocol/token-request.ts';
import type { ExceptedPods } from '../tokens/excepted-pods.ts';
import type { IdentityUse } from '../tokens/pod-identities.ts';
import type { TokenHandler } from '../tokens/token-handler.ts';
import { AllowedPaths, machineDocuments, parseAllowedPath } from './allowed-paths.ts';
import { type FastPath, tokenPath } from './fast-path.ts';
import type { HostChallenge } from './host-token.ts';
import { type PassthroughDeps, passThrough } from './passthrough.ts';
import type { Target } from './request-target.ts';
import { hasMetadataHeader, header, sendJson, sendRedirect } from './responses.ts';

/** Dependencies and settings of the request handler. */
export interface RequestHandlerDeps {
  readonly tokens: TokenHandler;
  readonly excepted: ExceptedPods;
  readonly passthrough: PassthroughDeps;
  readonly audit: Audit;
  readonly metrics: NmiMetrics;
  readonly clock: Clock;
  readonly metadataHeaderRequired: boolean;
  /** Host token requests by TCP: refused, for any caller on the loopback (as upstream), or after a challenge. */
  readonly hostTcp: 'off' | 'anyone' | HostChallenge;
}

/** A request with the server's knowledge of its caller. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** Canonical source address of the caller; '' where it has none. */
  readonly address: string;
  /** Of the pod with the address, or of the one that root names; '' where there is none. */
  readonly namespace: string;
  /** Whether the address may belong to another pod than the one that the daemon knows. */
  readonly addressReused: boolean;
  readonly fromRoot: boolean;
  /** Aborts when the caller hangs up, or when a limit evicts it. */
  readonly signal: AbortSignal;
}

/** What excepted pods may ask the metadata endpoint about the machine's identity. */
const machineInfo = new AllowedPaths([parseAllowedPath('GET /metadata/identity/info', 'machineInfo')]);

const documentsOfMachine = new AllowedPaths([], machineDocuments);

/** Answers requests by their route. The fast path caches its token answers. */
export class RequestHandler {
  readonly #deps: RequestHandlerDeps;
  readonly #fastPath: FastPath;

  constructor(deps: RequestHandlerDeps, fastPath: FastPath) {
    this.#deps = deps;
    this.#fastPath = fastPath;
  }

  /** Answers the request and resolves to the status. Throws an HTTP error, which the caller sends. */
  async handle(exchange: Exchange): Promise<number> {
    const { request, response, target, fromRoot } = exchange;
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
      case 'info':
        this.#checkHeader(request);
        return this.#info(exchange, target.query);
      case 'unknown':
        // Without the header too: MSAL.NET takes 400 here for a host with the second version of the service.
        throw httpErrors.unknownIdentityPath();
      case 'host':
        return this.#hostToken(exchange, target.query);
      case 'passthrough':
        this.#checkHeader(request);
        return this.#forward(exchange, target.path);
    }
  }

  async #token(exchange: Exchange, query: URLSearchParams): Promise<number> {
    const { request, response, address, signal } = exchange;
    return this.#measured(tokenPath, query, async (labels) => {
      this.#checkAddress(exchange);
      const tokenRequest = readTokenRequest(query);
      const granted = await this.#deps.tokens.handle(address, tokenRequest, signal);
      labels.namespace = granted.pod.metadata.namespace ?? '';
      this.#deps.audit.commit();
      this.#fastPath.add(address, request.url ?? '', tokenRequest, granted);
      return sendJson(request, response, granted.body);
    });
  }

  /** The tenant of the pod's identity; that of the machine's for an excepted pod. */
  async #info(exchange: Exchange, query: URLSearchParams): Promise<number> {
    const { request, response, address, signal } = exchange;
    this.#checkAddress(exchange);
    const tenantId = await this.#deps.tokens.tenant(address, query, signal);
    this.#deps.audit.commit();
    if (tenantId === undefined) return passThrough(exchange, { ...this.#deps.passthrough, allowed: machineInfo });
    return sendJson(request, response, JSON.stringify({ tenantId }));
  }

  /** Attested documents go to excepted pods alone, unless the settings list them for every pod. */
  async #forward(exchange: Exchange, path: string): Promise<number> {
    const { passthrough, excepted } = this.#deps;
    const { method = 'GET' } = exchange.request;
    if (passthrough.allowed.lists(method, path) || !documentsOfMachine.lists(method, path))
      return passThrough(exchange, passthrough);
    this.#checkAddress(exchange);
    if (!(await excepted.has(exchange.address, exchange.signal))) throw httpErrors.documentOfMachine();
    return passThrough(exchange, { ...passthrough, allowed: documentsOfMachine });
  }

  async #hostToken(exchange: Exchange, query: URLSearchParams): Promise<number> {
    const { request, response, signal } = exchange;
    return this.#measured('/host/token', query, async (labels) => {
      const pod = {
        namespace: header(request, 'podns'),
        name: header(request, 'podname'),
        uid: header(request, 'poduid'),
      };
      if (pod.namespace === '' || pod.name === '') throw httpErrors.hostHeaders();
      if (!exchange.fromRoot) this.#checkHostCaller(exchange, pod);
      const granted = await this.#deps.tokens.handleForHost(pod, readTokenRequest(query), signal);
      labels.namespace = granted.pod.metadata.namespace ?? '';
      this.#deps.audit.commit();
      const { body, use } = granted;
      const more = JSON.stringify({ clientid: use?.spec.clientID ?? '', binding: bindingOf(use) });
      return sendJson(request, response, `{"token":${body},${more.slice(1)}`);
    });
  }

  /** Observes the duration of a token request; `answer` sets the labels that only it knows. */
  async #measured(
    path: string,
    query: URLSearchParams,
    answer: (labels: { namespace: string }) => Promise<number>,
  ): Promise<number> {
    const { clock, metrics } = this.#deps;
    const started = clock.monotonic();
    const labels = { namespace: '' };
    let status = 500;
    try {
      status = await answer(labels);
      return status;
    } catch (error) {
      if (error instanceof HttpError) status = error.status;
      throw error;
    } finally {
      const seconds = (clock.monotonic() - started) / 1000;
      metrics.operation(path, status, labels.namespace, query.get('resource') ?? '', seconds);
    }
  }

  #checkAddress({ response, address, addressReused }: Exchange): void {
    if (address === '') throw httpErrors.noAddress();
    if (!addressReused) return;
    response.setHeader('connection', 'close');
    throw httpErrors.addressReused(address);
  }

  #checkHostCaller({ request, response, address }: Exchange, pod: NamedPod): void {
    if (!address.startsWith('127.') && address !== '::1') throw httpErrors.hostRemote();
    const { hostTcp } = this.#deps;
    if (hostTcp === 'anyone') return;
    if (hostTcp === 'off') throw httpErrors.hostTcpOff();
    const { method = 'GET', url: target = '' } = request;
    if (hostTcp.accepts(request.headers.authorization, { method, target, ...pod })) return;
    response.setHeader('www-authenticate', hostTcp.challenge());
    throw httpErrors.hostMac();
  }

  #checkHeader(request: IncomingMessage): void {
    if (this.#deps.metadataHeaderRequired && !hasMetadataHeader(request)) throw httpErrors.metadataHeader();
  }
}

/** An addition to upstream's answer: the binding that allowed the token, for callers that restrict its use. */
function bindingOf(use: IdentityUse | undefined): object | undefined {
  if (!use) return undefined;
  const { namespace, name, uid } = use.binding.metadata;
  return { namespace, name, uid, volumes: use.binding.spec?.volumes };
}
