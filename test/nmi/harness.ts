import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { clouds } from '../../runtime/azure/clouds.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { HealthServer } from '../../runtime/base/observability/health.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
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
import { mostConnections } from '../../runtime/nmi/request-places.ts';
import { type FakeAnswer, FakeAzure, type SeenRequest } from '../fakes/azure-server.ts';
import { eventually, reportLog } from '../fakes/eventually.ts';
import { anyCredential, anyIdentity, resource } from './fake-tokens.ts';
import { NmiKube } from './nmi-kube.ts';
import { assigned, binding, identity, pod } from './objects.ts';

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
  /** The description of a refusal; the body of every other answer. */
  readonly text: string;
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
  const endReports = reportLog(log);
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
  const [direct, forwarding, dispatcher] = [{}, {}, { ca: aad.ca }].map((each) =>
    createDispatcher({ ...each, proxy: 'none', connections: mostConnections }),
  ) as [Dispatcher, Dispatcher, Dispatcher];
  const stop = new AbortController();
  const nmi = createNmi({
    config,
    manager,
    health,
    forwarding,
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
          const json = isJson && text !== '' ? JSON.parse(text) : undefined;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
            text: json?.error_description ?? text,
            json,
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
    await Promise.all([health.close(), direct.close(), forwarding.close(), dispatcher.close()]);
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
      endReports();
      await end();
      await Promise.all([imds[Symbol.asyncDispose](), aad[Symbol.asyncDispose]()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Retries of the metadata endpoint without their pauses. */
const quick: Clock = { ...systemClock, sleep: () => Promise.resolve() };

/** One pod with one assigned identity. */
export async function simple(harness: Harness, spec: object = {}, bindingSpec: object = {}): Promise<void> {
  const { kube } = harness;
  await kube.put(identitiesType, identity('id', spec));
  await kube.put(bindingsType, binding('b', bindingSpec));
  await kube.put(assignedType, assigned(pod(), identity('id', spec)));
  await kube.put(podsType, pod());
}

/** The pod of `simple`, and the pod `greedy` at 127.0.0.6 with the same identity, which gets a token. */
export async function withGreedyPod(harness: Harness): Promise<void> {
  await harness.kube.put(podsType, pod({ name: 'greedy', ip: '127.0.0.6' }));
  await harness.kube.put(assignedType, assigned(pod({ name: 'greedy' }), identity()));
  await simple(harness);
  await eventually('served', async () => (await harness.token('127.0.0.6')).status === 200);
}

export function eventsOf(harness: Harness): KubeObject[] {
  return harness.kube.all(eventsType);
}

export * from './fake-tokens.ts';
export { NmiKube } from './nmi-kube.ts';
export * from './objects.ts';
export { assignedType, bindingsType, eventsType, exceptionsType, identitiesType, podsType, secretsType };
