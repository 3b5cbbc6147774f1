import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, ManualClock } from '../../../runtime/base/clock.ts';
import { expected, messageOf } from '../../../runtime/base/errors.ts';
import { isObject } from '../../../runtime/base/json.ts';
import type { RegisterAppOptions } from '../apps.ts';
import type { HealthChange } from '../arm/compute/health-change.ts';
import type { FeatureDecision } from '../arm/features/feature-state.ts';
import type { EmbeddedAzure } from '../embedded-azure.ts';
import type { Fault } from '../faults.ts';
import type { JournalFilter } from '../journal.ts';
import { type Json, objectOf } from '../json.ts';
import type { Outage } from '../key-vault/vault-outages.ts';
import type { MachineIdentity } from '../state.ts';

type AdminAzure = Omit<EmbeddedAzure, 'endpoints' | 'adminToken'>;

type Route = (request: { body: Json; query: URLSearchParams; id: string }) => unknown;

/**
 * The API for tests in other processes, in place of the in-process one: HTTP on loopback,
 * `Authorization: Bearer <token>`. Paths: docs/reference/sandbox.md.
 */
export class AdminServer {
  readonly #server: Server;
  readonly #token: string;
  readonly #routes: Readonly<Record<string, Route>>;

  /** Every method and path that is served, as `GET /journal`. */
  get paths(): readonly string[] {
    return Object.keys(this.#routes);
  }

  constructor(azure: AdminAzure, clock: Clock, token: string) {
    this.#token = token;
    this.#routes = routesOf(azure, clock);
    this.#server = createServer((request, response) => {
      this.#answer(request).then(
        ([status, body]) => {
          const text = body === undefined ? '' : JSON.stringify(body);
          response.writeHead(status, { 'content-type': 'application/json' }).end(text);
        },
        (error: unknown) => {
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error: messageOf(error) }));
        },
      );
    });
  }

  /** Resolves to the port in use. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage): Promise<[number, unknown]> {
    const given = Buffer.from(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
    const known = Buffer.from(this.#token);
    if (given.length !== known.length || !timingSafeEqual(given, known))
      return [401, { error: 'The admin token is missing or wrong.' }];
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, first = '', second] = url.pathname.split('/');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const body: unknown = text === '' ? {} : JSON.parse(text);
    if (!isObject(body)) throw expected('body', 'a JSON object', body);
    const route =
      this.#routes[`${request.method} /${[first, second].filter(Boolean).join('/')}`] ??
      (second === undefined ? undefined : this.#routes[`${request.method} /${first}/{id}`]);
    if (!route) return [404, { error: `There is no ${request.method} ${url.pathname}.` }];
    const result = await route({ body, query: url.searchParams, id: second ?? '' });
    return result === undefined ? [204, undefined] : [200, result];
  }
}

function routesOf(azure: AdminAzure, clock: Clock): Record<string, Route> {
  return {
    'GET /journal': ({ query }) => azure.journal.entries(filterOf(query)),
    'GET /journal/tokens': () => azure.journal.tokenRequests(),
    'GET /journal/reused': () => azure.journal.reusedTokens(),
    'DELETE /journal': () => azure.journal.clear(),
    'GET /faults': () => azure.faults.list(),
    'POST /faults': ({ body }) => ({ id: azure.faults.add(body as Fault) }),
    'DELETE /faults': () => azure.faults.clear(),
    'DELETE /faults/{id}': ({ id }) => {
      if (!azure.faults.remove(id)) throw expected('id', 'the id of a fault', id);
    },
    'GET /settings': () => settings(azure),
    'PATCH /settings': ({ body }) => {
      Object.assign(azure.settings, objectOf(body['arm']));
      Object.assign(azure.graph, objectOf(body['graph']));
      Object.assign(azure.imds, objectOf(body['imds']));
      Object.assign(azure.throttle.limits, objectOf(body['throttle']));
      Object.assign(azure.tokenSettings, objectOf(body['tokens']));
      return settings(azure);
    },
    'POST /apps': ({ body }) => azure.registerApp(body as RegisterAppOptions),
    'POST /identities': ({ body }) => azure.addIdentity(body as Partial<MachineIdentity>),
    'POST /roles': ({ body }) =>
      azure.assignRole(String(body['principalId']), String(body['role']), String(body['scope'])),
    'POST /vault-outages': ({ body: { outage, ...scope } }) => azure.vaultOutages.set(scope, outage as Outage | 'none'),
    'POST /features': ({ body }) => azure.decideFeature(body as unknown as FeatureDecision),
    'POST /instances': ({ body }) => azure.setInstanceHealth(body as unknown as HealthChange),
    'POST /issuer-cas': ({ body }) => azure.trustIssuerCa(String(body['pem'])),
    'GET /clock': () => ({ now: clock.now(), manual: clock instanceof ManualClock }),
    'POST /clock': ({ body }) => {
      const ms = Number(body['advanceMs']);
      if (!(clock instanceof ManualClock)) throw expected('clock', 'a manual clock', 'the system clock');
      if (!Number.isFinite(ms) || ms < 0) throw expected('advanceMs', 'a number >= 0', body['advanceMs']);
      return clock.advance(ms).then(() => ({ now: clock.now() }));
    },
    'GET /env': () => azure.env(),
    'POST /reset': () => azure.reset(),
  };
}

const settings = (azure: AdminAzure) => ({
  arm: azure.settings,
  graph: azure.graph,
  imds: azure.imds,
  throttle: azure.throttle.limits,
  tokens: azure.tokenSettings,
});

function filterOf(query: URLSearchParams): JournalFilter {
  const filter: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (['service', 'method', 'path', 'tokenId', 'clientId'].includes(name)) filter[name] = value;
    else if (name === 'status' || name === 'after') filter[name] = Number(value);
    else if (name === 'effective') filter[name] = value === 'true';
    else throw expected(name, 'service, method, path, status, effective, tokenId, clientId or after', value);
  }
  return filter;
}
