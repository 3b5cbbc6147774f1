import { constants } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AzimuthError, messageOf } from '../../../runtime/base/errors.ts';
import type { Logger } from '../../../runtime/base/observability/log.ts';
import type { Authenticator } from '../access/authentication.ts';
import type { ServingKeys } from '../access/certificates.ts';
import { impersonated } from '../access/impersonation.ts';
import type { Rbac } from '../access/rbac.ts';
import { forbidden, internal, methodNotAllowed, StatusError, tooLarge, unauthorized } from '../model/status.ts';
import type { User } from '../model/user.ts';
import type { Objects } from '../storage/objects.ts';
import { selection } from '../storage/selection.ts';
import { parseFieldSelector } from '../storage/selectors.ts';
import { bodyLimit } from './encoding.ts';
import type { ResourceRequests } from './handlers.ts';
import { negotiate } from './negotiation.ts';
import type { Pages } from './pages.ts';
import { type RequestInfo, requestInfo } from './request-info.ts';
import { notFoundPage, type Reply, send, statusReply } from './respond.ts';
import { streamWatch } from './stream-watch.ts';

/** One request as authorization saw it. `plural` is absent for paths that are no resources. */
export interface AuditEntry {
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  readonly group?: string;
  readonly plural?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly allowed: boolean;
}

/** The dependencies that the HTTP server uses. */
export interface ApiServerDeps {
  readonly objects: Objects;
  readonly authenticator: Authenticator;
  readonly rbac: Rbac;
  readonly resources: ResourceRequests;
  readonly pages: Pages;
  readonly log: Logger;
  readonly bookmarkMs?: number | undefined;
  /** Called for every request of somebody known. */
  readonly audit?: ((entry: AuditEntry) => void) | undefined;
}

/** HTTPS on 127.0.0.1: reads a request, authenticates and authorizes its sender, and has it answered. */
export class ApiServer {
  readonly #server: Server;
  readonly #stop = new AbortController();
  #deps: ApiServerDeps | undefined;

  constructor(keys: ServingKeys) {
    this.#server = createServer(
      {
        key: keys.server.key,
        cert: keys.server.cert,
        ca: keys.ca.cert,
        requestCert: true,
        rejectUnauthorized: false,
        // A resumed session would come without the client's certificate.
        secureOptions: constants.SSL_OP_NO_TICKET,
        sessionTimeout: 1,
        keepAliveTimeout: 90_000,
        requestTimeout: 60_000,
      },
      (request, response) => void this.#serve(request, response),
    );
  }

  /** Resolves with the URL. The parts follow with `open`, because tokens name the URL as their issuer. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `The sandbox's Kubernetes API cannot listen on 127.0.0.1:${port}: ${messageOf(cause)}`;
        reject(new AzimuthError('AZ_CONFIG_INVALID', message, { cause }));
      });
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  open(deps: ApiServerDeps): void {
    this.#deps = deps;
  }

  /** Ends the watches, lets requests in flight finish for a moment, then closes every connection. */
  async close(): Promise<void> {
    this.#stop.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const force = setTimeout(() => this.#server.closeAllConnections(), 500);
    await closed;
    clearTimeout(force);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts = this.#deps;
    const yaml = /application\/yaml/.test(request.headers.accept ?? '') && !/json/.test(request.headers.accept ?? '');
    const warnings: string[] = [];
    let reply: Reply | undefined;
    try {
      if (!parts) throw internal('the server is starting');
      const body = await readBody(request);
      reply = await this.#answer(parts, request, response, body, warnings);
    } catch (error) {
      if (!(error instanceof StatusError))
        parts?.log.error({ method: request.method, path: request.url, cause: messageOf(error) }, 'a request failed');
      reply = statusReply(
        error instanceof StatusError ? error : internal(`Internal error occurred: ${messageOf(error)}`),
      );
    }
    if (!reply || response.headersSent || response.destroyed) return;
    if (this.#stop.signal.aborted) response.setHeader('Connection', 'close');
    send(response, reply, yaml, warnings);
  }

  /** Undefined where the response is streamed. */
  async #answer(
    deps: ApiServerDeps,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    warnings: string[],
  ): Promise<Reply | undefined> {
    const info = requestInfo(request.method ?? 'GET', request.url ?? '/');
    const sender = await deps.authenticator.authenticate(request.socket as TLSSocket, request.headers.authorization);
    if (!sender) throw unauthorized();
    const user = impersonated(deps.rbac, sender, request.headers);
    const allowed = allows(deps.rbac, user, info);
    deps.audit?.({ user: user.name, verb: info.verb, path: info.path, ...info.resource, allowed });
    if (!allowed) throw refusal(user, info);
    if (!info.resource) return deps.pages.answer(info, request.headers);
    const { group, version, plural } = info.resource;
    const resource = deps.objects.registry.get(group, version, plural);
    if (!resource) return notFoundPage;
    const accepted = negotiate(request.headers.accept, 'object');
    if (info.verb !== 'watch') {
      const typed = { ...info, resource: info.resource };
      return deps.resources.handle({
        info: typed,
        resource,
        accepted,
        headers: request.headers,
        body,
        user,
        warnings,
      });
    }
    if (!resource.verbs.includes('watch')) throw methodNotAllowed();
    const { namespace, name } = info.resource;
    const fields = [info.query.get('fieldSelector'), name && `metadata.name=${name}`].filter(Boolean).join(',');
    const selected = selection(
      resource,
      (resource.namespaced && namespace) || undefined,
      info.query.get('labelSelector') ?? '',
      fields,
    );
    streamWatch(request, response, deps.objects.store, selected, info.query, {
      accepted,
      now: () => deps.objects.clock.now(),
      bookmarkMs: deps.bookmarkMs,
      signal: this.#stop.signal,
    });
    return undefined;
  }
}

function allows(rbac: Rbac, user: User, info: RequestInfo): boolean {
  const { resource, verb, path } = info;
  if (!resource) return rbac.allows(user, { verb, path });
  const { group, plural, namespace, subresource } = resource;
  const name = resource.name || (verb === 'list' || verb === 'watch' ? selectedName(info.query) : '');
  return rbac.allows(user, { verb, group, plural, subresource, namespace, name });
}

/** The name that a list or watch selects: a rule with names of objects allows it, as in RequestInfo of k8s.io/apiserver. */
function selectedName(query: URLSearchParams): string {
  try {
    const terms = parseFieldSelector(query.get('fieldSelector') ?? '');
    return terms.find(({ path, negated }) => !negated && path === 'metadata.name')?.value ?? '';
  } catch {
    return '';
  }
}

/** 403 with the sentence kubectl shows. */
function refusal(user: User, { resource, verb, path }: RequestInfo): StatusError {
  if (!resource) {
    const message = `forbidden: User "${user.name}" cannot ${verb} path "${path}"`;
    return new StatusError(403, 'Forbidden', message, { details: {} });
  }
  const { group, plural, namespace, name, subresource } = resource;
  const what = subresource ? `${plural}/${subresource}` : plural;
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
  return forbidden(
    { group, plural, kind: plural },
    name,
    `User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`,
  );
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped, so that the client gets to see the answer.
    if (size <= bodyLimit) chunks.push(chunk);
  }
  if (size > bodyLimit) throw tooLarge(bodyLimit);
  return Buffer.concat(chunks);
}
