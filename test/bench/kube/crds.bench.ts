import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type CrdOptions, crdManifest } from '../../../runtime/api/crd.ts';
import { allKinds, resourceOf } from '../../../runtime/api/kinds.ts';
import { createDispatcher, type Dispatcher } from '../../../runtime/base/http/client.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { type ApiServer, startApiServer } from '../../../tools/clusters/envtest.ts';
import { customResourceDefinitions as crds } from '../../conformance/resources.ts';
import { request } from '../../fakes/request.ts';
import type { Bench, Figure } from '../bench.ts';

/** The goal of the project, in RSS of the API server. */
const goalMb = 5;

interface Footprint {
  readonly rss: number;
  readonly live: number;
}
interface Measured {
  readonly bytes: number;
  readonly openApiBytes: number;
  readonly cpuSeconds: number;
  readonly published: Footprint;
  readonly served: Footprint;
}

/** Serves definitions as Kubernetes 1.36 does; measured too if it is beside kube-apiserver. It publishes no OpenAPI documents. */
const newer = 'apiextensions-apiserver-1.36';

/** Memory of an API server of our own before and after it has our definitions; MB by CRD. */
async function measureCrds(assets: string, options: CrdOptions, definitionServer?: string): Promise<Measured> {
  const apiServer = await startApiServer(assets);
  const server = definitionServer ? await apiServer.startDefinitionServer(definitionServer) : apiServer;
  const client = createKubeClient(loadKubeConnection({ kubeconfig: server.kubeconfig }));
  const probe = new Probe(server);
  try {
    const { major, minor } = JSON.parse((await probe.get('/version')).toString()) as Record<string, string>;
    // Servers before 1.25 do not know rules in CEL.
    const cel = Number(major) > 1 || Number.parseInt(minor ?? '', 10) >= 25;
    const before = await probe.footprint();
    const cpu = probe.cpuSeconds();
    let bytes = 0;
    for (const kind of allKinds) {
      const manifest = crdManifest(kind, { cel, ...options });
      bytes += Buffer.byteLength(JSON.stringify(manifest));
      await client.create(crds, manifest as unknown as KubeObject);
    }
    await probe.calm();
    const openApiBytes = definitionServer ? 0 : (await probe.get('/openapi/v2')).length;
    const byCrd = (after: Footprint): Footprint => ({
      rss: (after.rss - before.rss) / allKinds.length,
      live: (after.live - before.live) / allKinds.length,
    });
    const published = byCrd(await probe.footprint());
    await listAllKinds(client);
    const served = byCrd(await probe.footprint());
    return { bytes, openApiBytes, cpuSeconds: probe.cpuSeconds() - cpu, published, served };
  } finally {
    await Promise.all([client.close(), probe.close()]);
    await apiServer.stop();
  }
}

/** The API server makes what serves a kind when the kind is first asked for, as an operator does that watches it. */
async function listAllKinds(client: KubeClient): Promise<void> {
  for (const kind of allKinds) await client.list(resourceOf(kind));
}

class Probe {
  readonly #pid: number;
  readonly #url: string;
  readonly #dispatcher: Dispatcher;

  constructor({ pid, kubeconfig }: Pick<ApiServer, 'pid' | 'kubeconfig'>) {
    const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'));
    const text = (base64: string) => Buffer.from(base64, 'base64').toString();
    this.#pid = pid;
    this.#url = clusters[0].cluster.server;
    this.#dispatcher = createDispatcher({
      ca: text(clusters[0].cluster['certificate-authority-data']),
      cert: text(users[0].user['client-certificate-data']),
      key: text(users[0].user['client-key-data']),
      proxy: 'none',
    });
  }

  async get(path: string): Promise<Buffer> {
    const { body } = await request(this.#url + path, { dispatcher: this.#dispatcher });
    // The OpenAPI document of all definitions has tens of megabytes.
    return Buffer.from(await body.text({ maxBytes: 256 * 1024 * 1024 }));
  }

  cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Waits until the server has done its work, such as merging OpenAPI documents. */
  async calm(): Promise<void> {
    for (let quiet = 0, last = this.cpuSeconds(); quiet < 6; ) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const now = this.cpuSeconds();
      quiet = now - last < 0.1 ? quiet + 1 : 0;
      last = now;
    }
  }

  /** After two garbage collections: what the process holds, and what of it is alive. */
  async footprint(): Promise<Footprint> {
    await this.calm();
    for (const _ of [1, 2]) await this.get('/debug/pprof/heap?gc=1');
    const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1]) / 1024;
    const metrics = (await this.get('/metrics')).toString();
    const next = Number(/^go_memstats_next_gc_bytes (\S+)/m.exec(metrics)?.[1]);
    // The collector runs when the heap has doubled.
    return { rss, live: next / 2 / 1024 / 1024 };
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }
}

const mb = (value: number) => `${value.toFixed(1)} MB`;

export const bench: Bench = {
  name: 'crds',
  description: `memory that a real kube-apiserver takes for each of ${allKinds.length} definitions: \`azimuth\` with AZIMUTH_VERSIONS=newest, \`compared\` with all served versions`,
  async run() {
    const assets = process.env['KUBEBUILDER_ASSETS'];
    if (!assets) throw new Error('Set KUBEBUILDER_ASSETS to a directory with etcd and kube-apiserver');
    const figures = await compare(assets);
    return existsSync(join(assets, newer)) ? [...figures, ...(await compare(assets, newer))] : figures;
  },
};

async function compare(assets: string, definitionServer?: string): Promise<Figure[]> {
  const newest = await measureCrds(assets, { versions: 'newest' }, definitionServer);
  const all = await measureCrds(assets, { versions: 'all' }, definitionServer);
  const row = (what: string, pick: (measured: Measured) => number, show = mb, goal?: number): Figure => ({
    what: definitionServer ? `1.36: ${what}` : what,
    ours: show(pick(newest)),
    theirs: show(pick(all)),
    ratio: pick(all) / pick(newest),
    goal: goal === undefined ? '' : `<= ${show(goal)}`,
    ok: goal === undefined || pick(newest) <= goal,
  });
  const seconds = (value: number) => `${value.toFixed(0)} s`;
  return [
    row('definitions, all together', ({ bytes }) => bytes / 1e6),
    ...(definitionServer ? [] : [row('OpenAPI v2 document', ({ openApiBytes }) => openApiBytes / 1e6)]),
    row('CPU until published', ({ cpuSeconds }) => cpuSeconds, seconds),
    row('each, published: live heap', ({ published }) => published.live),
    row('each, published: RSS', ({ published }) => published.rss, mb, goalMb),
    row('each, watched too: live heap', ({ served }) => served.live),
    row('each, watched too: RSS', ({ served }) => served.rss, mb, goalMb),
  ];
}
