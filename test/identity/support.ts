/** An embedded Kubernetes and an embedded Azure, with the identity controller between them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest } from '../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { clientSecretAuthorizer } from '../../runtime/azure/identity/authorizers/client-secret.ts';
import type { ArmClient, Authorizer } from '../../runtime/azure/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { type Logger, silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics, type Metrics } from '../../runtime/base/observability/metrics.ts';
import { addIdentity, type IdentityOptions, type IdentityProgram } from '../../runtime/identity/identity.ts';
import {
  type Assigned,
  assignedType,
  bindingsType,
  identitiesType,
  nodesType,
  podsType,
  secretsType,
} from '../../runtime/identity/objects.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import type { LeaseOptions } from '../../runtime/kube/leader-election/lease-record.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { customResourceDefinitions as crds, namespaces } from '../conformance/resources.ts';
import { pollMs } from '../fakes/eventually.ts';
import { TestClient } from '../sandbox/azure/client.ts';

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
export class World {
  readonly kube: EmbeddedKube;
  readonly azure: EmbeddedAzure;
  readonly client: KubeClient;
  readonly rest: TestClient;
  readonly #connection;
  readonly #directory: string;
  readonly #controllers = new Set<RunningController>();

  private constructor(kube: EmbeddedKube, azure: EmbeddedAzure, directory: string) {
    this.kube = kube;
    this.azure = azure;
    this.#directory = directory;
    const kubeconfig = join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
    this.#connection = loadKubeConnection({ kubeconfig });
    this.client = createKubeClient(this.#connection);
    this.rest = new TestClient(azure);
  }

  static async start(clock: Clock = systemClock): Promise<World> {
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-identity-'));
    const world = new World(await startEmbeddedKube(), await startEmbeddedAzure({ clock }), directory);
    for (const kind of podIdentityKinds) await world.client.create(crds, crdManifest(kind) as unknown as KubeObject);
    for (const name of ['app', 'other', 'azimuth-system']) await world.ensureNamespace(name);
    await world.resetAzure();
    return world;
  }

  get kubeconfigFile(): string {
    return join(this.#directory, 'kubeconfig');
  }

  get directory(): string {
    return this.#directory;
  }

  newClient(): KubeClient {
    return createKubeClient(this.#connection);
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
    Object.assign(this.azure.settings, { operationMs: 0, retryAfterSeconds: 0, enforceRbac: false });
    for (const group of ['nodes', 'identities']) {
      await this.rest.arm('PUT', `/subscriptions/${this.azure.subscriptionId}/resourceGroups/${group}`, '2021-04-01', {
        location: 'westus2',
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#controllers].map((each) => each.stop()));
    await Promise.all([this.client.close(), this.rest.close()]);
    await Promise.all([this.kube.close(), this.azure.close()]);
    rmSync(this.#directory, { recursive: true, force: true });
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
    const runtime = { client: own, clock, log: log ?? silentLogger, metrics };
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

  identityId(name: string): string {
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  }

  machineId(kind: 'vm' | 'vmss', name: string): string {
    const type = kind === 'vm' ? 'virtualMachines' : 'virtualMachineScaleSets';
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/nodes/providers/Microsoft.Compute/${type}/${name}`;
  }

  /** A user-assigned identity in Azure; gives its client id. */
  async azureIdentity(name: string): Promise<string> {
    const { body } = await this.rest.arm('PUT', this.identityId(name), '2023-01-31', { location: 'westus2' });
    return body.properties.clientId;
  }

  /** A machine in Azure, with these identities (names) and type. */
  async machine(
    kind: 'vm' | 'vmss',
    name: string,
    identity: object = { type: 'None' },
    location = 'westus2',
  ): Promise<string> {
    const id = this.machineId(kind, name);
    await this.rest.arm('PUT', id, '2019-12-01', { location, identity, properties: {} });
    return id;
  }

  /** Names of the identities attached, and the type. */
  async attached(machine: string): Promise<{ type: string; names: string[] }> {
    const { body } = await this.rest.arm('GET', machine, '2019-12-01');
    const ids = Object.keys(body.identity?.userAssignedIdentities ?? {});
    return { type: body.identity?.type ?? '', names: ids.map((id) => id.split('/').at(-1) as string).sort() };
  }

  /** PATCHes of machines that Azure accepted or refused, in order. */
  patches(machine = '') {
    return this.azure.journal.entries({ service: 'arm', method: 'PATCH', path: machine.replaceAll('.', '\\.') });
  }

  async node(name: string, providerID: string): Promise<void> {
    await this.client.create(nodesType, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } });
  }

  async vmNode(name: string): Promise<string> {
    const id = await this.machine('vm', name);
    await this.node(name, `azure://${id}`);
    return id;
  }

  async pod(name: string, label: string | undefined, node: string, namespace = 'app'): Promise<void> {
    await this.client.create(podsType, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels: label === undefined ? {} : { aadpodidbinding: label } },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'none' }] },
    });
  }

  async deletePod(name: string, namespace = 'app'): Promise<void> {
    await this.client.delete(podsType, { namespace, name }, { gracePeriodSeconds: 0 });
  }

  /** An AzureIdentity of type 0 for a user-assigned identity of the same name, unless the spec says otherwise. */
  async identity(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    await this.client.create(identitiesType, {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: 'AzureIdentity',
      metadata: { namespace: 'default', name, ...metadata },
      spec: {
        type: 0,
        resourceID: this.identityId(name),
        clientID: 'type' in spec && spec.type !== 0 ? `client-${name}` : '',
        ...spec,
      },
    });
  }

  async binding(
    name: string,
    selector: string,
    azureIdentity = name,
    spec: object = {},
    namespace = 'default',
  ): Promise<void> {
    await this.client.create(bindingsType, {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: 'AzureIdentityBinding',
      metadata: { namespace, name },
      spec: { selector, azureIdentity, ...spec },
    });
  }

  /** The identity in Azure, its AzureIdentity and a binding with its name as selector. */
  async bound(name: string): Promise<void> {
    const clientID = await this.azureIdentity(name);
    await this.identity(name, { clientID });
    await this.binding(name, name);
  }

  /** Polls until the AzureIdentity has the condition Ready with this reason; gives its message. */
  async untilReady(name: string, reason = 'Accepted', namespace = 'default'): Promise<string> {
    let message = '';
    await this.until(async () => {
      const object = await this.client.get(identitiesType, { namespace, name });
      const ready = object['status']?.conditions?.find((each: { type: string }) => each.type === 'Ready');
      message = ready?.message ?? '';
      return { ok: ready?.reason === reason, seen: ready };
    }, `${name} ${reason}`);
    return message;
  }

  async deleteAzureIdentity(name: string): Promise<void> {
    await this.rest.arm('DELETE', this.identityId(name), '2023-01-31');
  }

  /** Names of the identities that the controller has recorded as attached by it. */
  async recorded(machine: string): Promise<string[]> {
    const { items } = await this.client.list(configMapsType, { namespace: 'azimuth-system' });
    const found = items.find(({ data }) => data?.machine === machine.toLowerCase());
    const ids: string[] = JSON.parse(found?.data?.identities ?? '[]');
    return ids.map((id) => id.split('/').at(-1) as string).sort();
  }

  async assigned(): Promise<Assigned[]> {
    return (await this.client.list<Assigned>(assignedType, { limit: 0 })).items;
  }

  /** `namespace/name state` of every AzureAssignedIdentity, sorted. */
  async states(): Promise<string[]> {
    return (await this.assigned())
      .map(({ metadata, status }) => `${metadata.namespace}/${metadata.name} ${status?.status}`)
      .sort();
  }

  /** Polls until the states are these; fails with the last ones seen. */
  async untilStates(expected: readonly string[], limitMs = 60_000): Promise<void> {
    await this.until(
      async () => {
        const seen = await this.states();
        return { ok: same(seen, expected), seen };
      },
      expected,
      limitMs,
    );
  }

  async untilAttached(machine: string, names: readonly string[], limitMs = 60_000): Promise<void> {
    await this.until(
      async () => {
        const seen = await this.attached(machine);
        return { ok: same(seen.names, [...names].sort()), seen };
      },
      names,
      limitMs,
    );
  }

  async until(
    check: () => Promise<{ ok: boolean; seen: unknown }>,
    expected: unknown,
    limitMs = 60_000,
  ): Promise<void> {
    const started = Date.now();
    const deadline = started + limitMs;
    for (;;) {
      const { ok, seen } = await check();
      if (ok) return;
      if (Date.now() > deadline) {
        throw new Error(`Still not ${JSON.stringify(expected)} after ${limitMs} ms: ${JSON.stringify(seen)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs(started)));
    }
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
