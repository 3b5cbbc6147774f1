/** Both programs as they are deployed, on any Kubernetes API: how long after its binding a waiting pod has its token. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultMebibytes, memoryVariables, nodeOptions } from '../../../constructs/private/node-options.ts';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../../runtime/api/kinds.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { assignedType, bindingsType, identitiesType, nodesType, podsType } from '../../../runtime/identity/objects.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { isAlreadyExists, isNotFound } from '../../../runtime/kube/client/status-error.ts';
import {
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { serviceAccountsType } from '../../../runtime/nmi/objects.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { bundle } from '../../../tools/bundle.ts';
import { eventually } from '../../fakes/eventually.ts';
import { fakeToken } from '../../nmi/harness.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import type { Bench, Figure } from '../bench.ts';
import { usageOf } from '../process-usage.ts';
import type { Usage } from '../usage.ts';
import { bareUsage } from './bare-memory.ts';

const count = Number(process.env['BENCH_PODS'] ?? 200);
/** Megabytes of the controller above a bare node:http server. */
const mostAboveBare = 15;
/** The container of the controller. */
const container = { NODE_ENV: 'production', NODE_OPTIONS: nodeOptions(defaultMebibytes), ...memoryVariables };
const subscription = '00000000-0000-0000-0000-00000000a1b2';
const cluster = (kind: string, plural: string, of = ''): ResourceType => ({
  group: of,
  version: 'v1',
  plural,
  kind,
  namespaced: false,
});

export const bench: Bench = {
  name: 'pod-identity',
  description: `controller and node daemon together; ${count} pods, each asks before its binding is made; ARM answers at once; KUBECONFIG or the embedded API`,
  async run() {
    await using stack = new AsyncDisposableStack();
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
    stack.defer(() => rmSync(directory, { recursive: true }));
    const kubeconfig = await apiServer(directory, stack);
    const client = createKubeClient(loadKubeConnection({ kubeconfig }));
    stack.defer(() => client.close());
    const run = `latency-${Date.now().toString(36)}`;
    const group = `/subscriptions/${subscription}/resourceGroups/${run}`;
    const machine = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/pool`;
    const put = (type: ResourceType, name: string, rest: object, labels: Record<string, string> = {}) => {
      const metadata = { name, labels, ...(type.namespaced && { namespace: run }) };
      return client.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...rest } as KubeObject);
    };
    const azure = await startEmbeddedAzure({
      subscriptionIds: [subscription],
      arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true },
    });
    stack.defer(() => azure.close());
    const rest = new TestClient(azure);
    stack.defer(() => rest.close());
    await rest.arm('PUT', group, '2021-04-01', { location: 'westus2' });
    await rest.arm('PUT', machine, '2024-03-01', { location: 'westus2', properties: {} });
    await definitions(client);
    await put(cluster('Namespace', 'namespaces'), run, {});
    await put(serviceAccountsType, 'sa', {});
    await put(nodesType, run, { spec: { providerID: `azure://${machine}/virtualMachines/0` } });
    const clientIds = new Map<string, string>();
    const idOf = (i: number) => `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id${i}`;
    for (let i = 0; i < count; i++) {
      const { body } = await rest.arm('PUT', idOf(i), '2023-01-31', { location: 'westus2' });
      const clientID: string = body.properties.clientId;
      clientIds.set(idOf(i).toLowerCase(), clientID);
      await put(identitiesType, `id${i}`, { spec: { type: 0, resourceID: idOf(i), clientID } });
      const containers = [{ name: 'main', image: 'none' }];
      const spec = { nodeName: run, serviceAccountName: 'sa', automountServiceAccountToken: false, containers };
      const pod = await put(podsType, `pod-${i}`, { spec }, { aadpodidbinding: `${run}-${i}` });
      const ip = addressOf(i);
      const patch = { type: 'merge', body: { status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] } } } as const;
      await client.patch(podsType, pod.metadata, patch, { subresource: 'status' });
    }

    const image = join(directory, 'image');
    await bundle(image);
    const { clientId, secret, tenantId } = azure.defaultApp;
    const cloudconfig = join(directory, 'azure.json');
    const app = { tenantId, aadClientId: clientId, aadClientSecret: secret, subscriptionId: subscription };
    writeFileSync(cloudconfig, JSON.stringify({ cloud: 'AzurePublicCloud', ...app }), { mode: 0o600 });
    const { AZURE_CLIENT_SECRET: _, ...env } = azure.env();
    const port = await freePort();
    const start = async (program: string, ...flags: string[]) => {
      const health = await freePort();
      const args = [program, `--health-port=${health}`, `--kubeconfig=${kubeconfig}`, ...flags];
      const log = openSync(join(directory, `${program}.log`), 'w');
      const child = spawn(process.execPath, [join(image, 'azimuth.mjs'), ...args], {
        env: { PATH: process.env['PATH'], NO_PROXY: 'localhost,127.0.0.1', ...container, ...env },
        stdio: ['ignore', log, log],
      });
      stack.defer(async () => {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      });
      const ready = async () => (await fetch(`http://127.0.0.1:${health}/readyz`).catch(() => undefined))?.ok === true;
      await eventually(`${program} ready`, ready, 60_000).catch((error) => {
        throw new Error(readFileSync(join(directory, `${program}.log`), 'utf8').slice(-2000), { cause: error });
      });
      const metric = async (name: string) => {
        const text = await (await fetch(`http://127.0.0.1:${health}/metrics`)).text();
        return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
      };
      return { metric, usage: () => usageOf(child.pid ?? 0) };
    };
    const lease = ['--leader-election-namespace', run];
    const controller = await start('identity', `--cloudconfig=${cloudconfig}`, ...lease);
    const imds = await metadataEndpoint(stack, clientIds);
    const proof = `--host-token-file=${join(directory, 'host', 'token')}`;
    const flags = [
      `--node=${run}`,
      '--iptables=off',
      '--metrics-port=off',
      `--nmi-port=${port}`,
      `--imds-endpoint=${imds}`,
      proof,
    ];
    const { metric } = await start('nmi', ...flags);
    stack.defer(() => cleanUp(client, run));

    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const token = ask(port, addressOf(i));
      token.catch(() => undefined);
      await eventually('the pod waits', async () => (await metric('azimuth_nmi_waiting_requests')) === 1, 30_000);
      const begun = performance.now();
      await put(bindingsType, `b${i}`, { spec: { azureIdentity: `id${i}`, selector: `${run}-${i}` } });
      const client = await token;
      times.push(performance.now() - begun);
      if (client !== clientIds.get(idOf(i).toLowerCase())) throw new Error(`pod ${i} got a token of ${client}`);
    }
    const [mine, bare] = [controller.usage(), await bareUsage(directory, container)];
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(count * share)] ?? 0;
    const patches = azure.journal.entries({ service: 'arm', method: 'PATCH', path: `${machine}$` }).length;
    return [
      {
        what: 'binding to token: p50, p99, most',
        ours: `${at(0.5).toFixed(0)} ms, ${at(0.99).toFixed(0)} ms, ${(times.at(-1) ?? 0).toFixed(0)} ms`,
        theirs: 'upstream: steps of 5 s',
        goal: 'p99 under 250 ms',
        ok: at(0.99) < 250,
      },
      {
        what: 'ARM writes, each identity being another',
        ours: String(patches),
        theirs: '',
        goal: `${count}`,
        ok: patches === count,
      },
      memoryFigure('controller: own memory', mine, bare, 'own'),
      memoryFigure('controller: RSS', mine, bare, 'rss'),
    ];
  },
};

function memoryFigure(what: string, mine: Usage, bare: Usage, member: 'own' | 'rss'): Figure {
  const [ours, theirs] = [mine[member] / 2 ** 20, bare[member] / 2 ** 20];
  return {
    what,
    ours: `${ours.toFixed(0)} MB`,
    theirs: `${theirs.toFixed(0)} MB, bare node:http after 60,000 requests`,
    goal: `at most ${mostAboveBare} MB more`,
    ok: ours <= theirs + mostAboveBare,
  };
}

const addressOf = (i: number) => `127.0.${4 + Math.floor(i / 200)}.${(i % 200) + 1}`;

async function apiServer(directory: string, stack: AsyncDisposableStack): Promise<string> {
  const given = process.env['KUBECONFIG'];
  if (given) return given;
  const kube = await startEmbeddedKube();
  stack.defer(() => kube.close());
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
  return kubeconfig;
}

async function definitions(client: KubeClient): Promise<void> {
  const crds = cluster('CustomResourceDefinition', 'customresourcedefinitions', 'apiextensions.k8s.io');
  for (const kind of podIdentityKinds) {
    await client.create(crds, crdManifest(kind, { cel: false }) as unknown as KubeObject).catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
  for (const type of [assignedType, bindingsType, identitiesType]) {
    await eventually(
      `${type.plural} served`,
      () =>
        client.list(type, { limit: 1 }).then(
          () => true,
          () => false,
        ),
      60_000,
    );
  }
}

/** The id of whom the token is for. Waits as long as the daemon lets it. */
function ask(port: number, localAddress: string): Promise<string> {
  const path = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net';
  return new Promise((resolve, reject) => {
    const agent = new Agent();
    const headers = { metadata: 'true' };
    const sent = request({ host: '127.0.0.1', port, path, agent, localAddress, headers }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}: ${text}`));
      else resolve(JSON.parse(Buffer.from(JSON.parse(text).access_token.split('.')[1], 'base64url').toString()).appid);
      agent.destroy();
    });
    sent.on('error', reject).end();
  });
}

async function metadataEndpoint(stack: AsyncDisposableStack, clientIds: ReadonlyMap<string, string>): Promise<string> {
  const server = createServer((incoming, response) => {
    const query = new URL(incoming.url ?? '/', 'http://imds').searchParams;
    const byResource = clientIds.get((query.get('msi_res_id') ?? query.get('mi_res_id') ?? '').toLowerCase());
    const appid = query.get('client_id') ?? byResource;
    const expires_on = String(Math.floor(Date.now() / 1000) + 86_399);
    const body = { access_token: fakeToken({ appid }), expires_in: '86399', expires_on, token_type: 'Bearer' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** While the controller still runs, so that it takes its finalizers away. The namespace stays, empty. */
async function cleanUp(client: KubeClient, run: string): Promise<void> {
  for (const type of [podsType, bindingsType, identitiesType]) {
    const { items } = await client.list(type, { namespace: run, limit: 0, metadataOnly: true });
    for (const { metadata } of items) {
      await client.delete(type, metadata, { gracePeriodSeconds: 0 }).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }
  await client.delete(nodesType, { name: run }).catch(() => undefined);
}
