/** An embedded Kubernetes and an embedded Azure, with the identity controller between them. */
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import type { ArmClient, Authorizer } from '../../runtime/azure/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createLogger, type Logger } from '../../runtime/base/observability/log.ts';
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
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import type { EmbeddedKube } from '../../sandbox/kube/index.ts';
import { namespaces } from '../conformance/resources.ts';
import { type Cluster, startCluster } from '../fakes/cluster.ts';
import { reportLog } from '../fakes/eventually.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import {
  armClientOf,
  authorizerOf,
  type ControllerOptions,
  type RunningController,
  startController,
} from './in-process-controller.ts';
import { WorldObjects } from './world-objects.ts';

export { assignedType, bindingsType, identitiesType, nodesType, podsType, secretsType };

export const eventsType: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

export interface WorldControllerOptions extends ControllerOptions {
  /** @default one of its own */
  readonly client?: KubeClient;
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

  arm(clock?: Clock): ArmClient {
    return armClientOf(this.azure, clock);
  }

  authorizer(app?: RegisteredApp): Authorizer {
    return authorizerOf(this.azure, app);
  }

  #logger(): Logger {
    return createLogger('identity', { destination: { write: (line) => void this.#log.push(line) } });
  }

  /** Runs a controller. */
  controller({
    client = this.newClient(),
    log = this.#logger(),
    ...options
  }: WorldControllerOptions = {}): RunningController {
    const running = startController(this.azure, client, { log, ...options });
    this.#controllers.add(running);
    return running;
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
