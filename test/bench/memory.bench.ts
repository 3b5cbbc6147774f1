import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { memoryVariables, nodeOptions } from '../../constructs/private/node-options.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import { allKinds, kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { createKubeClient } from '../../runtime/kube/client.ts';
import { loadKubeConnection } from '../../runtime/kube/kubeconfig.ts';
import { listAll } from '../../runtime/kube/paginate.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/types.ts';
import { type EmbeddedAzure, startEmbeddedAzure } from '../../runtime/sandbox/azure/azure.ts';
import { bundle } from '../../tools/bundle.ts';
import { startApiServer } from '../../tools/envtest.ts';
import { customResourceDefinitions as crdType } from '../conformance/resources.ts';
import { condition } from '../operator/support.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import type { Bench, Figure } from './bench.ts';

const resources = Number(process.env['AZIMUTH_MEMORY_RESOURCES'] ?? 5000);
const foreignSecrets = Number(process.env['AZIMUTH_MEMORY_SECRETS'] ?? 20_000);
const groups = Math.ceil(resources / 20);
/** What the operator must not exceed, in RSS. */
const goalMb = 150;
const restMs = 20_000;
const limitMs = 45 * 60_000;

const core = { group: '', version: 'v1', namespaced: true };
const secretType: ResourceType = { ...core, plural: 'secrets', kind: 'Secret' };
const types = {
  group: resourceOf(kindOf('resources.azure.com', 'ResourceGroup')),
  identity: resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity')),
  account: resourceOf(kindOf('storage.azure.com', 'StorageAccount')),
};

interface Wanted {
  readonly type: ResourceType;
  readonly name: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly spec: object;
  readonly body: object;
}

/** The operator as it is deployed, bundle and Node flags included, beside a real API server and an embedded Azure. */
export const bench: Bench = {
  name: 'memory',
  description: `RSS of \`azimuth operator\` with every kind watched, ${resources} custom resources and ${foreignSecrets} foreign Secrets of 4 KB`,
  async run() {
    const assets = process.env['KUBEBUILDER_ASSETS'];
    if (!assets) throw new Error('Set KUBEBUILDER_ASSETS to a directory with etcd and kube-apiserver');
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-memory-'));
    const server = await startApiServer(assets);
    const azure = await startEmbeddedAzure({ arm: { operationMs: 0, retryAfterSeconds: 0 } });
    const client = createKubeClient(loadKubeConnection({ kubeconfig: server.kubeconfig }));
    try {
      await bundle(join(directory, 'image'));
      const program = join(directory, 'image', 'azimuth.mjs');
      await fill(client, azure);
      const start = () => startOperator(program, { directory, kubeconfig: server.kubeconfig, azure });
      // Every object is taken over, which is most of the work that there ever is at a time.
      const busy = await start();
      await makeResources(client, azure);
      await allReady(client);
      await busy.rest();
      const worked = busy.memory();
      tell('taken over', worked);
      await busy.stop();
      const restarted = await start();
      await restarted.rest();
      const after = restarted.memory();
      await restarted.stop();
      const figure = (what: string, mb: number, goal?: number): Figure => ({
        what,
        ours: `${mb.toFixed(0)} MB`,
        theirs: '',
        goal: goal === undefined ? 'shown' : `<= ${goal} MB`,
        ok: goal === undefined || mb <= goal,
      });
      return [
        figure('RSS once all resources are taken over', worked.rss, goalMb),
        figure('  its peak', worked.peak),
        figure('RSS after a restart', after.rss, goalMb),
        figure('  its peak, LIST of everything included', after.peak, goalMb),
      ];
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([client.close(), azure.close()]);
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function tell(what: string, { rss, peak }: { readonly rss: number; readonly peak: number }): void {
  console.log(`  ${what}: ${rss.toFixed(0)} MB, ${peak.toFixed(0)} MB at most`);
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: 24 }, worker));
}

async function fill(client: KubeClient, azure: EmbeddedAzure): Promise<void> {
  const { throttle } = azure;
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e9, refillPerSecond: 1e9 });
  throttle.reset();
  for (const kind of allKinds) {
    await client.create(crdType, crdManifest(kind, { cel: false, versions: 'newest' }) as unknown as KubeObject);
  }
  const value = Buffer.alloc(3000, 'x').toString('base64');
  await inTurns(
    Array.from({ length: foreignSecrets }, (_, index) => index + 1),
    (index) =>
      client.create<KubeObject>(secretType, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'default', name: `foreign-${index}`, labels: { app: `service-${index % 200}` } },
        data: { value },
      }),
  );
}

async function makeResources(client: KubeClient, azure: EmbeddedAzure): Promise<void> {
  const portal = new TestClient(azure);
  const all = [...wanted(azure.subscriptionId)];
  const depth = (path: string) => path.split('/').length;
  for (const level of [4, 8]) {
    const here = all.filter(({ path }) => (depth(path) > 5 ? 8 : 4) === level);
    await inTurns(here, async ({ path, apiVersion, body }) => {
      // Its connections time out while this process, which is also the server, is busy.
      for (let attempt = 1; ; attempt++) {
        try {
          return await portal.arm('PUT', path, apiVersion, body);
        } catch (error) {
          if (attempt === 10) throw error;
        }
      }
    });
  }
  await inTurns(all, ({ type, name, spec }) =>
    client.create<KubeObject>(type, {
      apiVersion: `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: { namespace: 'default', name, labels: { team: `team-${name.length}` } },
      spec,
    }),
  );
  await portal.close();
}

function* wanted(subscriptionId: string): Generator<Wanted> {
  const location = 'westeurope';
  const group = (index: number) => `/subscriptions/${subscriptionId}/resourceGroups/group-${index}`;
  for (let index = 0; index < groups; index++) {
    const body = { location, tags: { team: `team-${index % 10}` } };
    yield { type: types.group, name: `group-${index}`, path: group(index), apiVersion: '2021-04-01', spec: body, body };
  }
  for (let index = 0; index < resources - groups; index++) {
    const owner = { name: `group-${index % groups}` };
    const path = `${group(index % groups)}/providers`;
    const tags = { index: String(index), 'cost-center': `cc-${index % 30}` };
    if (index % 2 === 0) {
      const id = `${path}/Microsoft.ManagedIdentity/userAssignedIdentities/identity-${index}`;
      const apiVersion = '2023-01-31';
      const body = { location, tags };
      yield { type: types.identity, name: `identity-${index}`, path: id, apiVersion, spec: { ...body, owner }, body };
    } else {
      const own = { location, tags, kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
      const properties = { accessTier: 'Hot', minimumTlsVersion: 'TLS1_2', supportsHttpsTrafficOnly: true };
      const id = `${path}/Microsoft.Storage/storageAccounts/azm${index}`;
      const apiVersion = '2023-01-01';
      const spec = { ...own, ...properties, owner };
      yield { type: types.account, name: `azm${index}`, path: id, apiVersion, spec, body: { ...own, properties } };
    }
  }
}

async function allReady(client: KubeClient): Promise<void> {
  for (const deadline = Date.now() + limitMs; ; ) {
    const lists = await Promise.all(Object.values(types).map((type) => listAll(client, type)));
    const ready = lists.flatMap(({ items }) => items).filter((each) => condition(each)?.status === 'True').length;
    if (ready === resources) return;
    if (Date.now() > deadline) throw new Error(`Only ${ready} of ${resources} are ready after ${limitMs / 60_000} min`);
    await new Promise((resolve) => setTimeout(resolve, 5000));
  }
}

/** Operators that still run. */
const children = new Set<ChildProcess>();

interface RunningProgram {
  /** Waits until nothing has been going on for a while. */
  rest(): Promise<void>;
  /** Now and at its most, in MB. */
  memory(): { readonly rss: number; readonly peak: number };
  stop(): Promise<void>;
}

async function startOperator(
  program: string,
  { directory, kubeconfig, azure }: { directory: string; kubeconfig: string; azure: EmbeddedAzure },
): Promise<RunningProgram> {
  const authority = join(directory, 'azure.pem');
  writeFileSync(authority, azure.caPem);
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...azure.env(),
    NODE_ENV: 'production',
    NODE_OPTIONS: nodeOptions(256),
    ...memoryVariables,
    NODE_EXTRA_CA_CERTS: authority,
    KUBECONFIG: kubeconfig,
  };
  const argv = [program, 'operator', '--health-port=0', '--health-address=127.0.0.1', '--namespace=default'];
  const child: ChildProcess = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The operator ended with ${code}: ${output.slice(-2000)}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 1e6) output += text;
      const found = /"healthPort":(\d+)/.exec(output)?.[1];
      if (found) resolve(Number(found));
    });
  });
  const gauge = async (name: string) => {
    const { body } = await request(`http://127.0.0.1:${port}/metrics`);
    const lines = (await body.text()).matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  const status = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  return {
    async rest() {
      for (let quietSince = Date.now(), last = -1; Date.now() - quietSince < restMs; ) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const { statusCode, body } = await request(`http://127.0.0.1:${port}/readyz`);
        await body.dump();
        const done = await gauge('controller_runtime_reconcile_total');
        const waiting = await gauge('workqueue_depth');
        if (done !== last || waiting > 0 || statusCode !== 200) quietSince = Date.now();
        last = done;
      }
    },
    memory: () => ({ rss: status('VmRSS'), peak: status('VmHWM') }),
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      children.delete(child);
    },
  };
}
