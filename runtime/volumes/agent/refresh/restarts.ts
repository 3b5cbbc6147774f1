import { restartAnnotation, restartedForPrefix } from '../../../api/volumes/annotations.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import type { KubeClient, OwnerReference, ResourceType } from '../../../kube/client/types.ts';
import type { EventRecorder } from '../../../kube/events/recorder.ts';
import type { Pod } from '../pods.ts';
import type { VolumeEventReason } from '../volume-events.ts';
import type { VolumeMetrics } from '../volume-metrics.ts';

/** Where and how the agent restarts workloads. */
export interface RestartsDeps {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly metrics: VolumeMetrics;
  /** Namespaces whose workloads the agent may restart. */
  readonly namespaces: readonly string[];
}

const apps = { group: 'apps', version: 'v1', namespaced: true } as const;
const replicaSets: ResourceType = { ...apps, plural: 'replicasets', kind: 'ReplicaSet' };
/** Kinds that replace their pods when their pod template changes. */
const workloads: Readonly<Record<string, ResourceType>> = {
  Deployment: { ...apps, plural: 'deployments', kind: 'Deployment' },
  StatefulSet: { ...apps, plural: 'statefulsets', kind: 'StatefulSet' },
  DaemonSet: { ...apps, plural: 'daemonsets', kind: 'DaemonSet' },
};

/**
 * Restarts the workloads of pods with the restart annotation when their vault objects change, as `kubectl rollout
 * restart` does: by an annotation of the pod template. Its value is a digest of the versions, so that the agents of
 * all nodes cause one restart.
 */
export class Restarts {
  readonly #deps: RestartsDeps;

  constructor(deps: RestartsDeps) {
    this.#deps = deps;
  }

  /** Does nothing for pods without the annotation. Throws transient errors; records an event for others. */
  async afterChange(pod: Pod, volume: string, digest: string, signal: AbortSignal): Promise<void> {
    if (pod.metadata.annotations?.[restartAnnotation] !== 'true') return;
    const { metrics, namespaces } = this.#deps;
    const { namespace = '' } = pod.metadata;
    try {
      if (!namespaces.includes(namespace)) {
        throw cannot(`the node agents may not restart workloads of the namespace ${namespace} (restartNamespaces)`);
      }
      const owner = await this.#workloadOf(pod, signal);
      await this.#patch(owner, namespace, volume, digest, signal);
      metrics.restart('restarted');
      this.#event(pod, 'VaultRestart', `${owner.kind} ${owner.name} is restarted for the new versions`);
    } catch (error) {
      if (signal.aborted || isPassing(error)) {
        metrics.restart('failed');
        throw error;
      }
      metrics.restart('refused');
      this.#event(pod, 'VaultRestartRefused', messageOf(error));
    }
  }

  async #workloadOf(pod: Pod, signal: AbortSignal): Promise<OwnerReference> {
    const { client } = this.#deps;
    const { namespace = '' } = pod.metadata;
    let owner = controllerOf(pod.metadata.ownerReferences);
    if (owner?.kind === 'ReplicaSet' && owner.apiVersion.startsWith('apps/')) {
      const set = await client.get(replicaSets, { namespace, name: owner.name }, signal);
      owner = controllerOf(set.metadata.ownerReferences);
    }
    if (owner && workloads[owner.kind] && owner.apiVersion.startsWith('apps/')) return owner;
    throw cannot('the pod belongs to no Deployment, StatefulSet or DaemonSet, which could be restarted');
  }

  async #patch(
    { kind, name, uid }: OwnerReference,
    namespace: string,
    volume: string,
    digest: string,
    signal: AbortSignal,
  ): Promise<void> {
    const annotations = { [`${restartedForPrefix}${volume}`]: digest };
    // The uid excludes a recreated workload of the same name.
    const body = { metadata: { uid }, spec: { template: { metadata: { annotations } } } };
    await this.#deps.client.patch(
      workloads[kind] as ResourceType,
      { namespace, name },
      { type: 'merge', body },
      { signal },
    );
  }

  #event(regarding: Pod, reason: VolumeEventReason, note: string): void {
    const type = reason === 'VaultRestart' ? 'Normal' : 'Warning';
    this.#deps.events.record({ regarding, type, reason, action: 'Restart', note });
  }
}

function controllerOf(owners: readonly OwnerReference[] = []): OwnerReference | undefined {
  return owners.find(({ controller }) => controller);
}

function isPassing(error: unknown): boolean {
  return !(error instanceof AzimuthError) || error.retryable;
}

function cannot(why: string): AzimuthError {
  return new AzimuthError('AZ_VOLUME_REFUSED', `The workload cannot be restarted: ${why}`, { retryable: false });
}
