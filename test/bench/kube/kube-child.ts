/**
 * One measurement in a process of its own: `kube-child.ts <azimuth | client-node> <server>`. Fills a cache of all pods,
 * follows the watch as long as asked, and prints its figures as JSON.
 */
const [client, server, wantedEvents = '0', stayMs = '0', idleTimeoutMs = '90000'] = process.argv.slice(2);

/** What both clients are driven by. */
interface Subject {
  /** Resolves when the cache is full. */
  start(onUpdate: () => void): Promise<void>;
  size(): number;
  stop(): Promise<void>;
}

async function azimuth(): Promise<Subject> {
  const { createKubeClient } = await import('../../../runtime/kube/client/client.ts');
  const { anonymous } = await import('../../../runtime/kube/config/connection.ts');
  const { Reflector } = await import('../../../runtime/kube/cache/reflector.ts');
  const { runtimeOf } = await import('../../fakes/kube-objects.ts');
  const kube = createKubeClient({ source: 'bench', server: server ?? '', namespace: 'default', credential: anonymous });
  const type = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
  const reflector = new Reflector(runtimeOf(kube), { type, idleTimeoutMs: Number(idleTimeoutMs) });
  const stop = new AbortController();
  return {
    async start(onUpdate) {
      reflector.onChange(({ type }) => type === 'updated' && onUpdate());
      void reflector.run(stop.signal);
      await reflector.whenSynced();
    },
    size: () => reflector.size,
    async stop() {
      stop.abort();
      await kube.close();
    },
  };
}

async function clientNode(): Promise<Subject> {
  const { importNpmPackage } = await import('../../fakes/npm-program.ts');
  const k8s = await importNpmPackage('@kubernetes/client-node', '2.0.1');
  const config = new k8s.KubeConfig();
  config.loadFromClusterAndUser({ name: 'bench', server: server ?? '', skipTLSVerify: true }, { name: 'nobody' });
  const api = config.makeApiClient(k8s.CoreV1Api);
  const informer = k8s.makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
  informer.on('error', () => undefined);
  return {
    async start(onUpdate) {
      informer.on('update', onUpdate);
      await informer.start();
    },
    size: () => informer.list().length,
    stop: () => informer.stop(),
  };
}

const subject = client === 'azimuth' ? await azimuth() : await clientNode();
const collect = globalThis.gc as () => void;
const heap = () => {
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

const heapBefore = heap();
const started = performance.now();
const cpuBefore = process.cpuUsage();
let updates = 0;
let lastUpdate = started;
await subject.start(() => {
  updates++;
  lastUpdate = performance.now();
});
const listMs = performance.now() - started;
const cpu = process.cpuUsage(cpuBefore);
const cpuMs = (cpu.user + cpu.system) / 1000;
const size = subject.size();
const heapMb = Number(wantedEvents) > 0 ? 0 : heap() - heapBefore;

const followed = performance.now();
const deadline = followed + 60_000;
while (updates < Number(wantedEvents) && performance.now() < deadline) await new Promise((r) => setTimeout(r, 20));
const eventsMs = lastUpdate - followed;
await new Promise((resolve) => setTimeout(resolve, Number(stayMs)));
console.log(JSON.stringify({ listMs, cpuMs, heapMb, size, updates, eventsMs }));
await subject.stop();
process.exit(0);
