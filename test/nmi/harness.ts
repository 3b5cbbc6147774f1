import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { clouds } from '../../runtime/azure/clouds.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { HealthServer } from '../../runtime/base/observability/health.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import { eventsType } from '../../runtime/kube/events/event-object.ts';
import { type NmiConfig, nmiConfig } from '../../runtime/nmi/config/config.ts';
import type { LimitsOptions } from '../../runtime/nmi/http/limits.ts';
import { createNmi } from '../../runtime/nmi/nmi.ts';
import {
  assignedType,
  bindingsType,
  exceptionsType,
  identitiesType,
  podsType,
  secretsType,
} from '../../runtime/nmi/objects.ts';
import type { ReversePathOptions } from '../../runtime/nmi/pods/reverse-path-check.ts';
import { type FakeAnswer, FakeAzure, type SeenRequest } from '../fakes/azure-server.ts';
import { eventually } from '../fakes/eventually.ts';
import { FakeKube } from '../fakes/kube-client.ts';

/** A cluster in memory whose API server also issues service account tokens. */
export class NmiKube extends FakeKube {
  readonly tokenRequests: { account: string; body: object }[] = [];

  override async createSubresource<R>(
    _type?: ResourceType,
    key?: { namespace?: string; name: string },
    _subresource?: string,
    body: object = {},
  ): Promise<R> {
    this.tokenRequests.push({ account: `${key?.namespace}/${key?.name}`, body });
    const expirationTimestamp = new Date(Date.now() + 3600_000).toISOString();
    return { status: { token: `sa-token-${key?.namespace}-${key?.name}`, expirationTimestamp } } as R;
  }

  async put(type: ResourceType, object: Partial<KubeObject> & { metadata: { name: string } }): Promise<KubeObject> {
    const { namespace, name } = object.metadata as { namespace?: string; name: string };
    const whole = { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject;
    const old = await this.tryGet(type, { ...(namespace && { namespace }), name });
    if (!old) return this.create(type, whole);
    const { resourceVersion, uid } = old.metadata;
    return this.replace(type, { ...whole, metadata: { ...whole.metadata, resourceVersion, uid } } as KubeObject);
  }
}

export interface Harness extends AsyncDisposable {
  readonly kube: NmiKube;
  readonly imds: FakeAzure;
  readonly aad: FakeAzure;
  readonly port: number;
  readonly log: Record<string, unknown>[];
  readonly hostTokenFile: string;
  readonly hostSocket: string;
  metrics(): Promise<string>;
  ready(): Promise<{ status: number; body: string }>;
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** The token path with the Metadata header, from a pod's address. */
  token(from: string, query?: Record<string, string>, options?: AskOptions): Promise<Answer>;
  /** Ends and writes what is owed. */
  stop(): Promise<void>;
}

export interface AskOptions {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Over this Unix socket in place of TCP. */
  readonly socketPath?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of all shapes
  readonly json: any;
}

export interface HarnessOptions {
  readonly args?: readonly string[];
  readonly imds?: (request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>;
  readonly aad?: (request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>;
  readonly clock?: Clock;
  readonly limits?: LimitsOptions;
  readonly reversePath?: ReversePathOptions;
  /** A client in front of the fake, to break it. */
  readonly client?: (kube: NmiKube) => KubeClient;
  readonly waitForSync?: boolean;
  /** Where log lines go in place of `log`. */
  readonly logTo?: DestinationStream;
}

export const resource = 'https://vault.azure.net';
let counter = 0;

/** A token that says what it is for; unsigned, as nobody here checks signatures. */
export function fakeToken(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ jti: ++counter, nbf: 1_700_000_000, ...claims })}.x`;
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
}

/** The metadata endpoint of these tests knows the identity `rid('x')` as `client-x`. */
function clientOf(resourceId: string): string {
  return resourceId.startsWith(rid('')) ? `client-${resourceId.slice(rid('').length)}` : resourceId;
}

/** An IMDS that knows every identity; `oid` of a token is `oid-` and the client id. */
export function anyIdentity({ url }: SeenRequest): FakeAnswer {
  const parsed = new URL(`http://imds${url.startsWith('/') ? url : '/'}`);
  if (!parsed.pathname.startsWith('/metadata/identity/oauth2/token')) return { body: { path: url } };
  const resourceId = parsed.searchParams.get('msi_res_id');
  const client = parsed.searchParams.get('client_id') ?? (resourceId && clientOf(resourceId)) ?? 'system';
  const audience = parsed.searchParams.get('resource');
  const expires = Math.floor(Date.now() / 1000) + 86_399;
  const token = fakeToken({ appid: client, aud: audience, oid: `oid-${client}` });
  return {
    body: {
      access_token: token,
      client_id: client,
      expires_in: '86399',
      expires_on: String(expires),
      not_before: '1700000000',
      resource: audience,
      token_type: 'Bearer',
    },
  };
}

/** An AAD that takes every credential. */
export function anyCredential({ url, body }: SeenRequest): FakeAnswer {
  const form = new URLSearchParams(body);
  const tenant = url.split('/')[1];
  const token = fakeToken({ appid: form.get('client_id'), tid: tenant, aud: form.get('scope') });
  return { body: { access_token: token, expires_in: 3599, token_type: 'Bearer' } };
}

export async function startNmi(options: HarnessOptions = {}): Promise<Harness> {
  const kube = new NmiKube();
  const imds = await FakeAzure.start(options.imds ?? anyIdentity, { plain: true });
  const aad = await FakeAzure.start(options.aad ?? anyCredential);
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-nmi-'));
  const hostTokenFile = join(directory, 'run', 'host-token');
  const hostSocket = join(directory, 'run', 'nmi.sock');
  const log: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) log.push(JSON.parse(line) as Record<string, unknown>);
      done();
    },
  });
  const clock = options.clock ?? systemClock;
  const config = nmiConfig(
    [
      '--node=n1',
      '--nmi-port=0',
      '--iptables=off',
      `--imds-endpoint=${imds.url}`,
      `--host-token-file=${hostTokenFile}`,
      ...(options.args ?? []),
    ],
    {},
  ) as NmiConfig;
  const metrics = createMetrics();
  const health = new HealthServer(metrics);
  const client = options.client?.(kube) ?? kube;
  const manager = new Manager(
    { client, clock, log: createLogger('nmi', { destination: options.logTo ?? destination }), metrics },
    { name: 'nmi', health, flushMs: 5000 },
  );
  const direct = createDispatcher({ proxy: 'none' });
  const dispatcher = createDispatcher({ proxy: 'none', ca: aad.ca });
  const stop = new AbortController();
  const nmi = createNmi({
    config,
    manager,
    health,
    direct,
    imds: createImds({ dispatcher: direct, endpoint: imds.url, clock: quick }),
    entra: { cloud: { ...clouds.AzurePublicCloud, authorityHost: aad.url }, dispatcher },
    auditLines: options.logTo ?? destination,
    ...(options.limits && { limits: options.limits }),
    ...(options.reversePath && { reversePath: options.reversePath }),
  });
  const running = nmi.run(stop.signal);
  running.catch(() => undefined);
  const port = await nmi.listening;
  const healthPort = await health.listen(0, '127.0.0.1');
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`);
    return { status: response.status, body: await response.text() };
  };
  if (options.waitForSync !== false) await eventually('ready', async () => (await ready()).status === 200);

  const ask: Harness['ask'] = (
    path,
    { from = '127.0.0.1', method = 'GET', headers = {}, body, signal, socketPath } = {},
  ) =>
    new Promise((resolve, reject) => {
      const request = httpRequest({
        ...(socketPath ? { socketPath } : { host: '127.0.0.1', port, localAddress: from }),
        path,
        method,
        headers,
        signal,
        agent: false,
      });
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
            json: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      });
      request.end(body);
    });
  let stopped = false;
  const end = async () => {
    if (stopped) return;
    stopped = true;
    stop.abort(new Error('the test has ended'));
    await running.catch(() => undefined);
    await Promise.all([health.close(), direct.close(), dispatcher.close()]);
  };
  return {
    kube,
    imds,
    aad,
    port,
    log,
    hostTokenFile,
    hostSocket,
    ready,
    ask,
    metrics: () => metrics.metrics(),
    token: (from, query = {}, asked = {}) => {
      const all = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...query });
      return ask(`/metadata/identity/oauth2/token?${all}`, { from, headers: { metadata: 'true' }, ...asked });
    },
    stop: end,
    async [Symbol.asyncDispose]() {
      await end();
      await Promise.all([imds[Symbol.asyncDispose](), aad[Symbol.asyncDispose]()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Retries of the metadata endpoint without their pauses. */
const quick: Clock = { ...systemClock, sleep: () => Promise.resolve() };

export interface PodOptions {
  readonly namespace?: string;
  readonly name?: string;
  readonly ip?: string;
  readonly label?: string | undefined;
  readonly phase?: string;
  readonly hostNetwork?: boolean;
  readonly labels?: Record<string, string>;
  readonly serviceAccount?: string;
  readonly deleting?: Date;
  readonly running?: boolean;
}

export function pod(options: PodOptions = {}) {
  const { namespace = 'app', name = 'p', ip = '127.0.0.5', label = 'sel', phase = 'Running' } = options;
  return {
    metadata: {
      namespace,
      name,
      labels: { ...(label && { aadpodidbinding: label }), ...options.labels },
      // Without a finalizer the fake would take it away at once.
      ...(options.deleting && { deletionTimestamp: options.deleting.toISOString(), finalizers: ['example.com/stay'] }),
    },
    spec: {
      nodeName: 'n1',
      serviceAccountName: options.serviceAccount ?? 'sa',
      ...(options.hostNetwork && { hostNetwork: true }),
    },
    status: {
      phase,
      ...(ip && { podIP: ip, podIPs: [{ ip }] }),
      containerStatuses: [{ state: (options.running ?? true) ? { running: {} } : { terminated: {} } }],
    },
  };
}

export function identity(name = 'id', spec: object = {}, namespace = 'app') {
  return {
    metadata: { namespace, name },
    spec: { type: 0, clientID: `client-${name}`, resourceID: rid(name), ...spec },
  };
}

export const rid = (name: string) =>
  `/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

export function binding(name = 'b', spec: object = {}, namespace = 'app', annotations: Record<string, string> = {}) {
  return { metadata: { namespace, name, annotations }, spec: { azureIdentity: 'id', selector: 'sel', ...spec } };
}

/** The assignment of an identity to a pod, as the controller writes it. */
export function assigned(
  thePod: ReturnType<typeof pod>,
  theIdentity: ReturnType<typeof identity>,
  status = 'Assigned',
  namespace = 'default',
) {
  const { name, namespace: podNamespace } = thePod.metadata;
  const embedded = { apiVersion: 'aadpodidentity.k8s.io/v1', kind: 'AzureIdentity', ...theIdentity };
  return {
    metadata: { namespace, name: `${name}-${podNamespace}-${theIdentity.metadata.name}`, labels: { nodename: 'n1' } },
    spec: { pod: name, podNamespace, nodename: 'n1', azureIdentityRef: embedded },
    status: { status },
  };
}

/** One pod with one assigned identity. */
export async function simple(harness: Harness, spec: object = {}, bindingSpec: object = {}): Promise<void> {
  const { kube } = harness;
  await kube.put(identitiesType, identity('id', spec));
  await kube.put(bindingsType, binding('b', bindingSpec));
  await kube.put(assignedType, assigned(pod(), identity('id', spec)));
  await kube.put(podsType, pod());
}

export function eventsOf(harness: Harness): KubeObject[] {
  return harness.kube.all(eventsType);
}

export { assignedType, bindingsType, eventsType, exceptionsType, identitiesType, podsType, secretsType };
