import type { VersionChoice } from '../../runtime/api/crd.ts';
import { selectKinds } from '../../runtime/api/kind-pattern.ts';
import { deploymentKinds, kindOf, machineKinds, operatorKinds, resourceOf } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import {
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from '../../runtime/kube/client/types.ts';
import type { ArmSettings, Behaviour } from '../../sandbox/azure/arm/behaviour.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import type { EmbeddedKube, EmbeddedKubeOptions } from '../../sandbox/kube/index.ts';
import { startCluster } from '../fakes/cluster.ts';
import { reportLog, until } from '../fakes/eventually.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { type OperatorOptions, type RunningOperator, startOperator } from './in-process-operator.ts';

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

const quickArm = { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true };

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
  /** Changes of Azure's settings: operations take 50 ms, and clients shall poll at once. @default none */
  readonly arm?: Partial<ArmSettings>;
  /** Behaviours of further resource types of Azure, or replacements of built-in ones. @default none */
  readonly behaviours?: readonly Behaviour[];
  /** An Azure that is there already and outlives this world. @default one of its own */
  readonly azure?: EmbeddedAzure;
}

/** An embedded cluster with the CRDs, an embedded Azure whose operations are quick, and operators in this process. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { machineSecrets = false, deployments = false, clock = systemClock, versions, behaviours = [] } = options;
  const arm = { ...quickArm, ...options.arm };
  const azure = options.azure ?? (await startEmbeddedAzure({ arm, clock, behaviours }));
  const kinds = options.kinds ? `${usualKinds};${options.kinds}` : usualKinds;
  const served = selectKinds(kinds, operatorKinds);
  const cluster = await startCluster({
    kinds: [...served, ...(machineSecrets ? machineKinds : []), ...(deployments ? deploymentKinds : [])],
    ...(versions && { versions }),
    ...(options.kube && { kube: options.kube }),
  });
  const { client, kubeconfig: kubeconfigFile } = cluster;
  const portal = new TestClient(azure);
  const log: string[] = [];
  const endReports = reportLog(log);
  const running = new Set<RunningOperator>();
  return {
    azure,
    kube: cluster.kube,
    kinds: served,
    kindPattern: kinds,
    client,
    kubeconfigFile,
    portal,
    log,
    async startOperator(overrides = {}, own = {}) {
      const settings = { clock, kinds, ...own };
      const operator = startOperator(
        { azure, kubeconfigFile, log },
        { overrides, machineSecrets, deployments },
        settings,
      );
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
          apiVersion: apiVersionOf(type),
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
      await portal.close();
      await Promise.all([cluster.close(), options.azure ? undefined : azure.close()]);
    },
  };
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
