import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest, type VersionChoice } from '../../runtime/api/crd.ts';
import { selectKinds } from '../../runtime/api/kind-pattern.ts';
import { deploymentKinds, kindOf, machineKinds, operatorKinds, resourceOf } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { type EmbeddedKube, type EmbeddedKubeOptions, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { lastLines, reportWithFailedWaits, until } from '../fakes/eventually.ts';
import { rememberingReads } from '../fakes/last-reads.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import {
  type OperatorOptions,
  type OperatorPlace,
  type RunningOperator,
  startOperator,
} from './in-process-operator.ts';

export type { RunningOperator };
export { until };

export const types = {
  group: resourceOf(kindOf('resources.azure.com', 'ResourceGroup')),
  network: resourceOf(kindOf('network.azure.com', 'VirtualNetwork')),
  account: resourceOf(kindOf('storage.azure.com', 'StorageAccount')),
  blobService: resourceOf(kindOf('storage.azure.com', 'StorageAccountsBlobService')),
  container: resourceOf(kindOf('storage.azure.com', 'StorageAccountsBlobServicesContainer')),
  vault: resourceOf(kindOf('keyvault.azure.com', 'Vault')),
  identity: resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity')),
  federated: resourceOf(kindOf('managedidentity.azure.com', 'FederatedIdentityCredential')),
  roleAssignment: resourceOf(kindOf('authorization.azure.com', 'RoleAssignment')),
  armResource: resourceOf(kindOf('azimuth.dev', 'ArmResource')),
};
const usualKinds = Object.values(types)
  .map(({ group, kind }) => `${group}/${kind}`)
  .join(';');
export const core = (plural: string, kind: string): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});
export const secrets = core('secrets', 'Secret');
export const configMaps = core('configmaps', 'ConfigMap');
export const events: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

export interface World {
  readonly azure: EmbeddedAzure;
  readonly kube: EmbeddedKube;
  /** The kinds that the cluster serves, and as `--kinds` of an operator that runs as a process. */
  readonly kinds: readonly KindDefinition[];
  readonly kindPattern: string;
  readonly client: KubeClient;
  readonly kubeconfigFile: string;
  /** Somebody else who works in Azure. */
  readonly portal: TestClient;
  /** A bearer token of cluster-admin on the embedded API. */
  adminToken(): string;
  /** All that operators logged. */
  readonly log: string[];
  startOperator(env?: Record<string, string>, options?: OperatorOptions): Promise<RunningOperator>;
  apply(type: ResourceType, name: string, spec: object, metadata?: object): Promise<KubeObject>;
  get(type: ResourceType, name: string): Promise<KubeObject>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /**
   * Kinds that the cluster serves and the operators watch beside those of `types`, as `--kinds` names them.
   * @default none
   */
  readonly kinds?: string;
  /** @default 'newest'; all versions cost each suite seconds */
  readonly versions?: VersionChoice;
  readonly kube?: EmbeddedKubeOptions;
  /** Serves the kinds of machines with secrets, and operators reconcile them. @default false */
  readonly machineSecrets?: boolean;
  /** Serves ComputeDeployments and ComputeRuns, and operators reconcile them. @default false */
  readonly deployments?: boolean;
  /** Of this world's Azure, and of operators that name no other. @default the machine's clock */
  readonly clock?: Clock;
  /** An Azure that is there already and outlives this world. @default one of its own */
  readonly azure?: EmbeddedAzure;
}

/** An embedded cluster with the CRDs, an embedded Azure whose operations are quick, and operators in this process. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const arm = { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true };
  const azure = options.azure ?? (await startEmbeddedAzure({ arm, clock: options.clock ?? systemClock }));
  const kube = await startEmbeddedKube(options.kube);
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-operator-'));
  const kubeconfigFile = join(directory, 'kubeconfig');
  writeFileSync(kubeconfigFile, kube.adminKubeconfig);
  const { client, lastReads } = rememberingReads(createKubeClient(loadKubeConnection({ kubeconfig: kubeconfigFile })));
  const { versions = 'newest', machineSecrets = false, deployments = false, clock: usualClock = systemClock } = options;
  const kinds = options.kinds ? `${usualKinds};${options.kinds}` : usualKinds;
  const served = selectKinds(kinds, operatorKinds);
  for (const kind of [...served, ...(machineSecrets ? machineKinds : []), ...(deployments ? deploymentKinds : [])])
    await client.create(customResourceDefinitions, crdManifest(kind, { versions }) as unknown as KubeObject);
  await makeAdmin(client);
  const admin = await kube.tokenFor({ namespace: 'default', name: 'admin' });
  const portal = new TestClient(azure);
  const log: string[] = [];
  const endReports = reportWithFailedWaits(() => `${lastReads()}\nLast log lines:\n${lastLines(log)}`);
  const running = new Set<RunningOperator>();
  const place: OperatorPlace = { azure, kubeconfigFile, log };
  const world: World = {
    azure,
    kube,
    kinds: served,
    kindPattern: kinds,
    client,
    kubeconfigFile,
    portal,
    adminToken: () => admin,
    log,
    async startOperator(overrides = {}, own = {}) {
      const settings = { clock: usualClock, kinds, ...own };
      const operator = startOperator(place, { overrides, machineSecrets, deployments }, settings);
      running.add(operator);
      return {
        ...operator,
        // Whoever stops it sees its error; the end of the world does not see it again.
        stop: () => {
          running.delete(operator);
          return operator.stop();
        },
      };
    },
    apply: (type, name, spec, metadata = {}) =>
      client.apply(
        type,
        {
          apiVersion: `${type.group}/${type.version}`,
          kind: type.kind,
          metadata: { namespace: 'default', name, ...metadata },
          spec,
        },
        { fieldManager: 'test', force: true },
      ),
    get: (type, name) => client.get(type, { namespace: 'default', name }),
    async close() {
      endReports();
      await Promise.all([...running].map((operator) => operator.stop()));
      await Promise.all([client.close(), portal.close()]);
      await Promise.all([kube.close(), options.azure ? undefined : azure.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return world;
}

/** The service account `admin`, which may do everything. */
async function makeAdmin(client: KubeClient): Promise<void> {
  const serviceAccount = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'default', name: 'admin' },
  };
  await client.create(core('serviceaccounts', 'ServiceAccount'), serviceAccount);
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false } as const;
  await client.create<KubeObject>(
    { ...rbac, plural: 'clusterrolebindings', kind: 'ClusterRoleBinding' },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'admin' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'admin' }],
    },
  );
}

export const condition = (object: KubeObject | undefined) =>
  (
    object?.['status']?.conditions as
      | {
          type: string;
          status: string;
          reason: string;
          message?: string;
          severity?: string;
          observedGeneration?: number;
        }[]
      | undefined
  )?.find(({ type }) => type === 'Ready');

/** A world with one operator and the resource group `rg`, which is Ready. */
export async function startWorldWithGroup(options: WorldOptions = {}): Promise<World> {
  const world = await startWorld(options);
  await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  return world;
}

/** The object once its Ready condition is as given for its newest generation. */
export function untilReady(
  world: Pick<World, 'client'>,
  type: ResourceType,
  name: string,
  reason = 'Succeeded',
): Promise<KubeObject> {
  return until(`${type.kind} ${name} is ${reason}`, async () => {
    const object = await world.client.tryGet(type, { namespace: 'default', name });
    const ready = condition(object);
    return ready?.reason === reason && ready.observedGeneration === object?.metadata.generation && object;
  });
}

export function gone(world: Pick<World, 'client'>, type: ResourceType, name: string): Promise<true> {
  const key: ObjectKey = { namespace: 'default', name };
  return until(
    `${type.kind} ${name} is gone`,
    async () => (await world.client.tryGet(type, key)) === undefined && true,
  );
}

/** Requests to ARM that match, oldest first. */
export const armRequests = (world: World, method: string, path: RegExp) =>
  world.azure.journal.entries({ service: 'arm', method, path });
