/** An embedded Kubernetes and an embedded Azure, with the identity controller between them. */
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { clientSecretAuthorizer } from '../../runtime/azure/identity/authorizers/client-secret.ts';
import type { ArmClient, Authorizer } from '../../runtime/azure/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { createLogger, type Logger } from '../../runtime/base/observability/log.ts';
import { createMetrics, type Metrics } from '../../runtime/base/observability/metrics.ts';
import { addIdentity, type IdentityProgram } from '../../runtime/identity/identity.ts';
import type { IdentityOptions } from '../../runtime/identity/identity-options.ts';
import {
  assignedType,
  bindingsType,
  identitiesType,
  nodesType,
  podsType,
  secretsType,
} from '../../runtime/identity/objects.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import type { LeaseOptions } from '../../runtime/kube/leader-election/lease-record.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import type { EmbeddedKube } from '../../sandbox/kube/index.ts';
import { namespaces } from '../conformance/resources.ts';
import { type Cluster, startCluster } from '../fakes/cluster.ts';
import { reportLog } from '../fakes/eventually.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { WorldObjects } from './world-objects.ts';

export { assignedType, bindingsType, identitiesType, nodesType, podsType, secretsType };

export const eventsType: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

export interface ControllerOptions extends Partial<IdentityOptions> {
  readonly client?: KubeClient;
  readonly arm?: ArmClient;
  readonly log?: Logger;
  /** Who it signs in as. @default an owner of everything */
  readonly app?: RegisteredApp;
  /** @default the machine's */
  readonly clock?: Clock;
  /** Works only while it holds this Lease. @default without one */
  readonly lease?: LeaseOptions;
}

export interface RunningController {
  readonly program: IdentityProgram;
  readonly metrics: Metrics;
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

/** One world for the tests of a file; `reset` empties it between them. */
export class World extends WorldObjects {
  readonly kube: EmbeddedKube;
  readonly #cluster: Cluster;
  readonly #log: string[] = [];
  readonly #endReports = reportLog(this.#log);
  readonly #controllers = new Set<RunningController>();

  private constructor(cluster: Cluster, azure: EmbeddedAzure) {
    super(azure, cluster.client, new TestClient(azure));
    this.kube = cluster.kube;
    this.#cluster = cluster;
  }

  static async start(clock: Clock = systemClock): Promise<World> {
    const cluster = await startCluster({ kinds: podIdentityKinds, namespaces: ['app', 'other', 'azimuth-system'] });
    const world = new World(cluster, await startEmbeddedAzure({ clock }));
    await world.resetAzure();
    return world;
  }

  get kubeconfigFile(): string {
    return this.#cluster.kubeconfig;
  }

  get directory(): string {
    return this.#cluster.files.path;
  }

  newClient(): KubeClient {
    return this.#cluster.newClient();
  }

  async ensureNamespace(name: string): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await this.client.create(namespaces, object).catch(() => undefined);
  }

  /** Everything gone, the resource group `nodes` there. */
  async reset(): Promise<void> {
    await Promise.all([...this.#controllers].map((each) => each.stop()));
    this.#controllers.clear();
    const types = [podsType, assignedType, bindingsType, identitiesType, secretsType, eventsType, nodesType];
    const records = { namespace: 'azimuth-system', labelSelector: 'azimuth.dev/record=attachments' };
    const remove = async (type: ResourceType, { metadata }: KubeObject) => {
      if ((metadata.finalizers ?? []).length > 0) {
        await this.client.patch(type, metadata, { type: 'merge', body: { metadata: { finalizers: [] } } });
      }
      await this.client.delete(type, metadata, { gracePeriodSeconds: 0 }).catch(ignoreNotFound);
    };
    const empty = async (type: ResourceType) => {
      const { items } = await this.client.list<KubeObject>(type, { limit: 0 });
      await Promise.all(items.map((object) => remove(type, object)));
    };
    await Promise.all(types.map(empty));
    const { items } = await this.client.list<KubeObject>(configMapsType, records);
    await Promise.all(items.map((object) => remove(configMapsType, object)));
    await this.resetAzure();
  }

  async resetAzure(): Promise<void> {
    this.azure.reset();
    Object.assign(this.azure.settings, {
      operationMs: 0,
      retryAfterSeconds: 0,
      alwaysRetryAfter: true,
      enforceRbac: false,
    });
    for (const group of ['nodes', 'identities']) {
      await this.rest.arm('PUT', `/subscriptions/${this.azure.subscriptionId}/resourceGroups/${group}`, '2021-04-01', {
        location: 'westus2',
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#controllers].map((each) => each.stop()));
    this.#endReports();
    await this.rest.close();
    await Promise.all([this.#cluster.close(), this.azure.close()]);
  }

  arm(clock: Clock = systemClock): ArmClient {
    const dispatcher = createDispatcher({ ca: this.azure.caPem, proxy: 'none', connections: 0 });
    return createArmClient({ cloud: cloudFromEnvironment(this.azure.env()), dispatcher, clock, defaultPollMs: 20 });
  }

  authorizer(app: RegisteredApp = this.azure.defaultApp): Authorizer {
    const dispatcher = createDispatcher({ ca: this.azure.caPem, proxy: 'none' });
    const { tenantId, clientId, secret = '' } = app;
    const cloud = cloudFromEnvironment(this.azure.env());
    return clientSecretAuthorizer({ tenantId, clientId, clientSecret: secret ?? '' }, { cloud, dispatcher });
  }

  #logger(): Logger {
    return createLogger('identity', { destination: { write: (line) => void this.#log.push(line) } });
  }

  /** Runs a controller. */
  controller({
    client,
    arm,
    log,
    app,
    lease,
    clock = systemClock,
    ...options
  }: ControllerOptions = {}): RunningController {
    const own = client ?? this.newClient();
    const armClient = arm ?? this.arm(clock);
    const metrics = createMetrics();
    const runtime = { client: own, clock, log: log ?? this.#logger(), metrics };
    const manager = new Manager(runtime, { name: 'identity', flushMs: 500, ...(lease && { lease }) });
    const stop = new AbortController();
    const program = addIdentity({
      manager,
      arm: armClient,
      authorizer: this.authorizer(app),
      options: {
        forceNamespaced: false,
        namespace: 'azimuth-system',
        attachEarlyMs: 600_000,
        verificationBackoff: { initialMs: 200, maxMs: 500 },
        ...options,
        machines: { refusedBackoff: { initialMs: 200, maxMs: 500 }, ...options.machines },
      },
    });
    const done = manager.run(stop.signal);
    const running: RunningController = {
      program,
      metrics,
      done,
      stop: async () => {
        stop.abort();
        await done;
        await Promise.all([own.close(), armClient.close()]);
      },
    };
    this.#controllers.add(running);
    return running;
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
