import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Permissions } from '../../runtime/api/permissions/index.ts';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { requestInfo } from '../../sandbox/kube/http/request-info.ts';

/** `verb plural[/subresource][.group]`, as the rules of a role have it. */
export const permission = (group: string, resource: string, verb: string) =>
  `${verb} ${resource}${group && `.${group}`}`;

/** Every permission that a program's roles grant, sorted. */
export function granted({ cluster, namespace }: Permissions): string[] {
  const each = [...cluster, ...namespace].flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((name) => verbs.map((verb) => permission(group, name, verb)))),
  );
  return [...new Set(each)].sort();
}

/** A way to an API server that notes what each bearer token was used for, and what was denied. */
export class ApiRecorder {
  readonly url: string;
  readonly #server: Server;
  readonly #dispatcher: Dispatcher;
  readonly #used = new Map<string, Set<string>>();
  readonly #denied: string[] = [];

  private constructor(server: Server, dispatcher: Dispatcher) {
    this.#server = server;
    this.#dispatcher = dispatcher;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string, ca: string): Promise<ApiRecorder> {
    const server = createServer({ keepAliveTimeout: 90_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endless = { connections: 0, headersTimeoutMs: 0, bodyTimeoutMs: 0 };
    const recorder = new ApiRecorder(server, createDispatcher({ ca, proxy: 'none', ...endless }));
    server.on('request', (incoming, outgoing) => {
      recorder.#forward(target, incoming, outgoing).catch(() => outgoing.destroy());
    });
    return recorder;
  }

  /** What a service account was let do, as `permission` writes it. */
  usedBy(account: string): ReadonlySet<string> {
    return this.#used.get(account) ?? new Set();
  }

  /** `account verb path` of every request that was answered with 403. */
  get denied(): readonly string[] {
    return this.#denied;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#dispatcher.destroy();
  }

  async #forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const answer = await this.#dispatcher.request({
      origin: target,
      path: incoming.url ?? '/',
      method: incoming.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
      signal: gone.signal,
    });
    this.#note(incoming, answer.statusCode);
    outgoing.writeHead(answer.statusCode, answer.headers as Record<string, string>);
    await pipeline(answer.body, outgoing);
  }

  #note(incoming: IncomingMessage, status: number): void {
    const { verb, path, resource } = requestInfo(incoming.method ?? '', incoming.url ?? '');
    const account = subjectOf(incoming.headers.authorization);
    if (status === 403) this.#denied.push(`${account} ${verb} ${path}`);
    if (!resource || status === 403) return;
    const { group, plural, subresource } = resource;
    const used = this.#used.get(account) ?? new Set<string>();
    this.#used.set(account, used.add(permission(group, subresource ? `${plural}/${subresource}` : plural, verb)));
  }
}

/** Who a token is of: `system:serviceaccount:<namespace>:<name>`. */
function subjectOf(authorization = ''): string {
  const claims = Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString();
  return claims === '' ? 'nobody' : JSON.parse(claims).sub;
}
