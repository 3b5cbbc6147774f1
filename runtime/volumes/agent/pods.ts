import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { Changes } from '../../kube/cache/changes.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject, ResourceType } from '../../kube/client/types.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import type { PodReference } from '../options/volume-spec.ts';

/** Pods of this node. */
export const podsType: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

/** A pod as far as the agent reads it: its identity, owner and annotations, and the Secrets of its volumes. */
export type Pod = KubeObject;

/** How the agent reads the pods of its node. */
export interface NodePodsOptions {
  /** Milliseconds to wait for a pod that the watch has not delivered yet. @default 3000 */
  readonly waitMs?: number;
}

const byUid = 'uid';

/** The pods of this node from the API server, by uid. */
export class NodePods {
  readonly #pods: WatchedCache<Pod>;
  readonly #changes: Changes;
  readonly #waitMs: number;

  constructor(manager: Manager, node: string, clock: Clock, options: NodePodsOptions = {}) {
    this.#pods = manager.watch<Pod>({
      type: podsType,
      fieldSelector: `spec.nodeName=${node}`,
      project: projectPod,
      listFrom: 'cache',
      indexes: { [byUid]: ({ metadata }) => [metadata.uid ?? ''] },
    });
    this.#changes = new Changes([this.#pods], clock);
    this.#waitMs = options.waitMs ?? 3000;
  }

  /** The pod with this uid in the watch's cache. */
  get(uid: string): Pod | undefined {
    return this.#pods.byIndex(byUid, uid)[0];
  }

  /** Whether a pod missing in the cache does not exist: the LIST is complete, and the watch works. */
  get current(): boolean {
    return this.#pods.synced && this.#pods.trouble() === undefined;
  }

  /**
   * The pod of a volume. Its author writes the options, so a name and namespace in them must be the pod's own. Throws
   * AZ_VOLUME_REFUSED, or AZ_VOLUME_AGENT where the API server has not delivered the pod yet.
   */
  async authenticate(uid: string | undefined, claimed: PodReference, signal: AbortSignal): Promise<PodReference> {
    if (uid === undefined) throw refused('the directory of the volume does not name a pod as kubelet does');
    const find = () => (this.#pods.synced ? this.get(uid) : undefined);
    const pod = await this.#changes.until(find, this.#waitMs, signal);
    if (!pod) throw this.current ? refused(`no pod of this node has the uid ${uid}`) : unknown(uid);
    const { name, namespace = '' } = pod.metadata;
    const differs = (value: string, own: string) => value !== '' && value !== own;
    if (differs(claimed.name, name) || differs(claimed.namespace, namespace) || differs(claimed.uid, uid)) {
      throw refused(
        `its options say that it is the pod ${claimed.namespace}/${claimed.name}, but it is ${namespace}/${name}; ` +
          "remove the kubernetes.io keys from the volume's options",
      );
    }
    return { name, namespace, uid };
  }
}

function refused(why: string): AzimuthError {
  return new AzimuthError('AZ_VOLUME_REFUSED', `The node agent refuses the pod: ${why}`);
}

function unknown(uid: string): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_AGENT',
    `The node agent cannot authenticate the pod with uid ${uid} yet: it has not read the pod from the API server; it is tried again`,
  );
}

function projectPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, annotations, ownerReferences, deletionTimestamp } = pod.metadata;
  const metadata = { name, namespace, uid, resourceVersion, annotations, ownerReferences, deletionTimestamp };
  const secrets = secretsOf(pod);
  return { apiVersion: pod.apiVersion, kind: pod.kind, metadata, ...(secrets.length > 0 && { secrets }) };
}

interface FlexVolume {
  readonly name: string;
  readonly flexVolume?: { readonly driver?: string; readonly secretRef?: { readonly name?: string } };
}

/** Names of the pod's volumes of this driver, each with the name of its Secret. */
function secretsOf(pod: Pod): { readonly name: string; readonly secret: string }[] {
  const volumes: readonly FlexVolume[] = pod['spec']?.volumes ?? [];
  return volumes.flatMap(({ name, flexVolume }) => {
    const secret = flexVolume?.driver === 'azure/kv' ? flexVolume.secretRef?.name : undefined;
    return secret === undefined ? [] : [{ name, secret }];
  });
}
