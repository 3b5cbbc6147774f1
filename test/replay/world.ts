import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf, operatorKinds, tryKindOf } from '../../runtime/api/kinds.ts';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { isAlreadyExists, isNotFound } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import { addOperator } from '../../runtime/operator/operator.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../azure/support.ts';
import { customResourceDefinitions as definitions, namespaces, secrets } from '../conformance/resources.ts';
import { type Cluster, startCluster } from '../fakes/cluster.ts';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import { ReplayServer } from './arm-server.ts';
import { type Manifest, type Step, stepsOf } from './manifests.ts';
import type { Recording } from './recording.ts';

/** Seconds of the play in one of the world: a Retry-After of 15 takes a quarter of a second. */
const speed = 60;

/** An embedded cluster on whose custom resources recordings are played, each in a namespace of its own. */
export class Stage {
  readonly client: KubeClient;
  readonly #cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.client = cluster.client;
  }

  static async open(): Promise<Stage> {
    return new Stage(await startCluster());
  }

  async play(recording: Recording): Promise<Play> {
    // The end tells recordings of one test apart.
    const namespace = recording.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(-60)
      .replace(/^-+/, '');
    const steps = stepsOf(recording, namespace);
    await this.client.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    const used = new Set(steps.flatMap(({ manifests }) => manifests.map(({ type }) => `${type.group}/${type.kind}`)));
    for (const { group, kind } of operatorKinds) {
      if (!used.has(`${group}/${kind}`)) continue;
      const crd = crdManifest(kindOf(group, kind)) as unknown as KubeObject;
      await this.client.create(definitions, crd).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    }
    return Play.begin(recording, namespace, steps, [...used].join(';'), this.#cluster.kubeconfig, this.client);
  }

  async close(): Promise<void> {
    await this.#cluster.close();
  }
}

/** The operator against one recording. */
export class Play {
  readonly arm: ReplayServer;
  readonly steps: readonly Step[];
  readonly log: string[] = [];
  readonly #client: KubeClient;
  readonly #end: () => Promise<void>;

  private constructor(arm: ReplayServer, steps: readonly Step[], client: KubeClient, log: string[], end: Play['end']) {
    this.arm = arm;
    this.steps = steps;
    this.log = log;
    this.#client = client;
    this.#end = end;
  }

  static async begin(
    recording: Recording,
    namespace: string,
    steps: readonly Step[],
    kinds: string,
    kubeconfig: string,
    client: KubeClient,
  ): Promise<Play> {
    const clock = new ScaledClock(speed);
    const server = await ReplayServer.start(recording, clock);
    const { url, ca } = server.fake;
    const cloud = cloudAt(url);
    const dispatcher = dispatcherFor(ca);
    const lines: string[] = [];
    const log = createLogger('operator', { level: 'debug', destination: { write: (line) => lines.push(line) } });
    const metrics = createMetrics();
    const arm = createArmClient({ cloud, dispatcher, clock, log, metrics });
    const own = createKubeClient(loadKubeConnection({ kubeconfig }));
    const manager = new Manager({ client: own, clock, log, metrics }, { name: 'operator' });
    const authorizer = countingAuthorizer(() => clock.now());
    const urls = recording.interactions.map(({ url }) => url);
    const subscriptionId = /\/subscriptions\/([^/?]+)/i.exec(urls.join(' '))?.[1];
    const credential = { authorizer, cloud, subscriptionId, tenantId: undefined, clientId: undefined };
    addOperator({
      manager,
      arm,
      credential: { ...credential, additionalTenants: [] },
      namespace,
      credentialContext: { cloud, dispatcher, imds: createImds({ dispatcher, endpoint: url }) },
      // Recordings are of operators that nothing bounds, and name much by ARM id.
      config: {
        credentialScopes: [{ namespace: '*', scope: '' }],
        targetNamespaces: [namespace],
        kinds,
        syncPeriodMs: undefined,
        // The recorded client read nothing again after a PUT: an answer of a later time would be no answer to that read.
        settleMs: 1,
        maxConcurrentReconciles: 4,
        defaultPolicy: 'manage',
      },
    });
    const stop = new AbortController();
    const ended = manager.run(stop.signal);
    return new Play(server, steps, client, lines, async () => {
      stop.abort();
      await ended;
      await Promise.all([own.close(), arm.close()]);
      await server[Symbol.asyncDispose]();
    });
  }

  async apply({ type, object, secrets: values }: Manifest): Promise<void> {
    const { namespace = '' } = object.metadata;
    for (const [name, value] of Object.entries(values)) {
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, stringData: { value } };
      await this.#client.apply(secrets, secret, { fieldManager: 'user', force: true });
    }
    // The recorded client asked for no instances.
    const annotations = { ...object.metadata.annotations, 'azimuth.dev/instances': 'ignore' };
    const applied =
      type.kind === 'VirtualMachineScaleSet' ? { ...object, metadata: { ...object.metadata, annotations } } : object;
    await this.#client.apply(type, applied, { fieldManager: 'user', force: true });
  }

  read({ type, object }: Manifest): Promise<KubeObject | undefined> {
    const { namespace = '', name } = object.metadata;
    return this.#client.tryGet(stored(type), { namespace, name });
  }

  async delete({ type, object }: Manifest): Promise<void> {
    const { namespace = '', name } = object.metadata;
    // It may go with its owner at any moment.
    await this.#client.delete(stored(type), { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  end(): Promise<void> {
    return this.#end();
  }
}

/** The type under the version all objects can be read under. */
function stored(type: ResourceType): ResourceType {
  const version = tryKindOf(type.group, type.kind)?.versions[0]?.name ?? type.version;
  return { ...type, version };
}
