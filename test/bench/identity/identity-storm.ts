/** Binds many pods at a time on any Kubernetes API, with an embedded Azure, and says what it took. */
import { crdManifest } from '../../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../../runtime/api/kinds.ts';
import { createArmClient } from '../../../runtime/azure/arm/client.ts';
import { cloudFromEnvironment } from '../../../runtime/azure/clouds.ts';
import { clientSecretAuthorizer } from '../../../runtime/azure/identity/authorizers/client-secret.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { silentLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { addIdentity } from '../../../runtime/identity/identity.ts';
import { assignedType, bindingsType, identitiesType, nodesType, podsType } from '../../../runtime/identity/objects.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { isAlreadyExists, isNotFound } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../../runtime/kube/config/connection.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { customResourceDefinitions as crds, namespaces, serviceAccounts } from '../../conformance/resources.ts';
import { TestClient } from '../../sandbox/azure/client.ts';

export interface StormOptions {
  readonly connection: KubeConnection;
  readonly pods: number;
  readonly nodes: number;
  readonly identities: number;
  readonly scaleSets: number;
  /** Time Azure takes for a change of a scale set, milliseconds. */
  readonly operationMs: number;
  /** Pods that are started one after another, once the storm is over. */
  readonly single: number;
}

export interface StormResult {
  /** From the first binding to the last pod assigned, and to the last released after the pods went. */
  readonly assignedMs: number;
  readonly releasedMs: number;
  /** Time from the first binding until a pod was assigned, of all pods. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** From a pod's creation until it is assigned, where the identity is on the machine already. */
  readonly singleP99Ms: number;
  /** PATCHes by scale set, in the storm and after it. */
  readonly patches: readonly number[];
  readonly releasePatches: readonly number[];
  readonly armReads: number;
  /** Requests to the API server by verb and resource, those of the storm only. */
  readonly requests: Readonly<Record<string, number>>;
  /** Resident memory of this process, with the controller, Azure and the client of the bench in it, when all is assigned. */
  readonly rss: number;
  /** Attached identities that no pod wants, and the other way round, at the end of the storm and after the release. */
  readonly wrong: number;
}

const subscription = '00000000-0000-0000-0000-00000000a1b2';
const group = `/subscriptions/${subscription}/resourceGroups/storm`;

export async function storm(options: StormOptions): Promise<StormResult> {
  const { connection, pods, nodes, identities, scaleSets, operationMs, single } = options;
  const run = `storm-${Date.now().toString(36)}`;
  await using stack = new AsyncDisposableStack();
  const azure = await startEmbeddedAzure({
    subscriptionIds: [subscription],
    arm: { operationMs: 0, retryAfterSeconds: 1, alwaysRetryAfter: true },
  });
  stack.defer(() => azure.close());
  const rest = new TestClient(azure);
  stack.defer(() => rest.close());
  const client = createKubeClient(connection);
  stack.defer(() => client.close());

  for (const kind of podIdentityKinds) {
    await client.create(crds, crdManifest(kind, { cel: false }) as unknown as KubeObject).catch(ignoreExisting);
  }
  await eventuallyServed(client);
  const core = (kind: string, name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind,
    metadata: { name },
    ...more,
  });
  await client.create(namespaces, core('Namespace', run));
  // Where no controller manager runs nobody makes the default one.
  const account = { ...core('ServiceAccount', 'storm'), metadata: { name: 'storm', namespace: run } };
  await client.create(serviceAccounts, { ...account, automountServiceAccountToken: false });
  await rest.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const machines = Array.from(
    { length: scaleSets },
    (_, i) => `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/pool${i}`,
  );
  for (const id of machines) await rest.arm('PUT', id, '2024-03-01', { location: 'westus2', properties: {} });
  const identityId = (i: number) => `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id${i}`;
  const clientIds: string[] = [];
  for (let i = 0; i < identities; i++) {
    const { body } = await rest.arm('PUT', identityId(i), '2023-01-31', { location: 'westus2' });
    clientIds.push((body as { properties: { clientId: string } }).properties.clientId);
  }
  for (let i = 0; i < nodes; i++) {
    const providerID = `azure://${machines[i % scaleSets]}/virtualMachines/${i}`;
    await client.create(nodesType, core('Node', `${run}-node-${i}`, { spec: { providerID } }));
  }
  const object = (kind: string, name: string, spec: object) => ({
    apiVersion: 'aadpodidentity.k8s.io/v1',
    kind,
    metadata: { name, namespace: run },
    spec,
  });
  for (let i = 0; i < identities; i++) {
    await client.create(
      identitiesType,
      object('AzureIdentity', `id${i}`, { type: 0, resourceID: identityId(i), clientID: clientIds[i] }),
    );
  }
  const pod = (name: string, i: number) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: run, labels: { aadpodidbinding: `${run}-${i % identities}` } },
    spec: {
      nodeName: `${run}-node-${i % nodes}`,
      serviceAccountName: account.metadata.name,
      containers: [{ name: 'main', image: 'none' }],
    },
  });
  await inParallel(pods, 16, (i) => client.create(podsType, pod(`pod-${i}`, i)));
  azure.settings.operationMs = operationMs;

  const counted = counting(createKubeClient(connection));
  const cloud = cloudFromEnvironment(azure.env());
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  const arm = createArmClient({ cloud, dispatcher, defaultPollMs: 100 });
  const { tenantId, clientId, secret } = azure.defaultApp;
  const authorizer = clientSecretAuthorizer({ tenantId, clientId, clientSecret: secret ?? '' }, { cloud, dispatcher });
  const manager = new Manager(
    { client: counted.client, clock: systemClock, log: silentLogger, metrics: createMetrics() },
    { name: 'identity', flushMs: 100 },
  );
  addIdentity({ manager, arm, authorizer, options: { forceNamespaced: false, namespace: run } });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
    await Promise.all([counted.client.close(), arm.close()]);
  });
  const watch = new AssignedWatch(client, run);
  stack.defer(() => watch.stop());
  await watch.start();
  stack.defer(() => cleanUp(client, run, nodes));

  counted.reset();
  azure.journal.clear();
  const started = performance.now();
  await inParallel(identities, 8, (i) =>
    client.create(
      bindingsType,
      object('AzureIdentityBinding', `id${i}`, { azureIdentity: `id${i}`, selector: `${run}-${i}` }),
    ),
  );
  await watch.until('assigned', () => watch.assigned.size >= pods, 600_000);
  const times = [...watch.assigned.values()].map((at) => at - started).sort((a, b) => a - b);
  const requests = counted.reset();
  const rss = process.memoryUsage.rss();
  const patchesOf = () =>
    machines.map((id) => azure.journal.entries({ service: 'arm', method: 'PATCH', path: `${id}$` }).length);
  const patches = patchesOf();
  const armReads = azure.journal.entries({ service: 'arm', method: 'GET' }).length;
  const wanted = machines.map(() => new Set<number>());
  for (let i = 0; i < pods; i++) wanted[(i % nodes) % scaleSets]?.add(i % identities);
  let wrong = await difference(rest, machines, (index) => wanted[index]?.size ?? 0);

  azure.settings.operationMs = 0;
  const singles: number[] = [];
  for (let i = 0; i < single; i++) {
    const name = `single-${i}`;
    const begun = performance.now();
    await client.create(podsType, pod(name, i));
    await watch.until(name, () => watch.assigned.has(`${name}-${run}-id${i % identities}`), 60_000);
    singles.push((watch.assigned.get(`${name}-${run}-id${i % identities}`) ?? begun) - begun);
  }
  azure.settings.operationMs = operationMs;
  azure.journal.clear();
  const ended = performance.now();
  await inParallel(pods + single, 16, (i) => {
    const name = i < pods ? `pod-${i}` : `single-${i - pods}`;
    return client.delete(podsType, { namespace: run, name }, { gracePeriodSeconds: 0 });
  });
  await watch.until('released', () => watch.present.size === 0, 600_000);
  const releasedMs = performance.now() - ended;
  // An assignment goes once the record of its machine has what is to be detached; the PATCH may come after it.
  const remaining = () => difference(rest, machines, () => 0);
  const settled = performance.now() + 60_000;
  while ((await remaining()) > 0 && performance.now() < settled) await new Promise((done) => setTimeout(done, 100));
  wrong += await remaining();
  return {
    assignedMs: times.at(-1) ?? 0,
    releasedMs,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    singleP99Ms: singles.sort((a, b) => a - b)[Math.floor(singles.length * 0.99)] ?? 0,
    patches,
    releasePatches: patchesOf(),
    armReads,
    requests,
    rss,
    wrong,
  };
}

/** How many attached identities there are too many or too few, over all machines. */
async function difference(
  rest: TestClient,
  machines: readonly string[],
  expected: (machine: number) => number,
): Promise<number> {
  let wrong = 0;
  for (const [index, id] of machines.entries()) {
    const { body } = await rest.arm('GET', id, '2024-03-01');
    wrong += Math.abs(Object.keys(body.identity?.userAssignedIdentities ?? {}).length - expected(index));
  }
  return wrong;
}

/** Sees when assignments of the run become Assigned, and which there are. */
class AssignedWatch {
  readonly assigned = new Map<string, number>();
  readonly present = new Set<string>();
  readonly #client: KubeClient;
  readonly #run: string;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(client: KubeClient, run: string) {
    this.#client = client;
    this.#run = run;
  }

  async start(): Promise<void> {
    const { resourceVersion } = await this.#client.list(assignedType, { limit: 1 });
    this.#done = this.#read(resourceVersion).catch((error) => {
      if (!this.#stop.signal.aborted) throw error;
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async until(what: string, check: () => boolean, limitMs: number): Promise<void> {
    for (const deadline = performance.now() + limitMs; !check(); ) {
      if (performance.now() > deadline)
        throw new Error(
          `not ${what} within ${limitMs} ms: ${this.assigned.size} assigned, ${this.present.size} present`,
        );
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async #read(from: string): Promise<void> {
    let resourceVersion = from;
    while (!this.#stop.signal.aborted) {
      for await (const event of this.#client.watch(assignedType, { resourceVersion, signal: this.#stop.signal })) {
        if (event.type === 'BOOKMARK') {
          resourceVersion = event.resourceVersion;
          continue;
        }
        const { name, resourceVersion: version = '' } = event.object.metadata;
        resourceVersion = version;
        if (event.object['spec']?.podNamespace !== this.#run) continue;
        if (event.type === 'DELETED') this.present.delete(name);
        else this.present.add(name);
        const assigned = event.object['status']?.status === 'Assigned';
        if (assigned && !this.assigned.has(name)) this.assigned.set(name, performance.now());
      }
    }
  }
}

function counting(client: KubeClient): { client: KubeClient; reset(): Record<string, number> } {
  let counts: Record<string, number> = {};
  const verbs = ['get', 'tryGet', 'list', 'create', 'replace', 'patch', 'apply', 'delete', 'watch'] as const;
  const proxy = new Proxy(client, {
    get(target, name: keyof KubeClient) {
      const value = target[name] as (...args: unknown[]) => unknown;
      if (!(verbs as readonly string[]).includes(name)) return typeof value === 'function' ? value.bind(target) : value;
      return (type: ResourceType, ...args: unknown[]) => {
        const key = `${name} ${type.plural}`;
        counts[key] = (counts[key] ?? 0) + 1;
        return value.call(target, type, ...args);
      };
    },
  });
  return {
    client: proxy,
    reset: () => {
      const before = counts;
      counts = {};
      return before;
    },
  };
}

async function inParallel(count: number, width: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Without a controller manager a namespace never goes, so it stays, empty. */
async function cleanUp(client: KubeClient, run: string, nodes: number): Promise<void> {
  for (const type of [bindingsType, identitiesType, podsType]) {
    const { items } = await client.list(type, { namespace: run, limit: 0, metadataOnly: true });
    await inParallel(items.length, 16, async (i) => {
      const item = items[i];
      if (item) await client.delete(type, item.metadata, { gracePeriodSeconds: 0 }).catch(ignoreMissing);
    });
  }
  await inParallel(nodes, 8, (i) => client.delete(nodesType, { name: `${run}-node-${i}` }).catch(ignoreMissing));
}

async function eventuallyServed(client: KubeClient): Promise<void> {
  for (const type of [assignedType, bindingsType, identitiesType]) {
    for (let tries = 0; ; tries++) {
      const served = await client.list(type, { limit: 1 }).catch((error) => {
        if (!isNotFound(error) || tries > 200) throw error;
      });
      if (served) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
