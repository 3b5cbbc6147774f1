import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { RawLink } from './links.ts';
import type { Row, State } from './row.ts';
import { rowOf } from './row-of.ts';
import type { ObjectState } from './state.ts';

/** API group of the Secrets Store CSI driver. */
export const csiGroup = 'secrets-store.csi.x-k8s.io';
const csiDriver = 'secrets-store.csi.k8s.io';
const flexDriver = 'azure/kv';

/** Volumes of a pod that become rows. */
const mostVolumes = 20;

/** The state of a volume, from its pod: kubelet starts no container before all volumes are mounted. */
const states: Readonly<Record<string, State>> = { Running: 'Ready', Succeeded: 'Ready', Pending: 'Reconciling' };

/** A row for each Key Vault volume of a pod: name `pod/volume`, kind Volume. The rest of the pod is not read. */
export function volumeRows(pod: KubeObject): Row[] {
  const spec: unknown = pod['spec'];
  const volumes = isObject(spec) ? spec['volumes'] : undefined;
  if (!Array.isArray(volumes)) return [];
  const namespace = pod.metadata.namespace ?? '';
  return volumes
    .flatMap((volume): Row[] => {
      if (!isObject(volume) || typeof volume['name'] !== 'string') return [];
      const links = linksOf(volume, namespace);
      if (!links) return [];
      const metadata = { ...pod.metadata, name: `${pod.metadata.name}/${volume['name']}` };
      return [rowOf({ apiVersion: 'v1', kind: 'Volume', metadata }, links, podState(pod))];
    })
    .slice(0, mostVolumes);
}

function podState(pod: KubeObject): ObjectState {
  const status: unknown = pod['status'];
  const phase = isObject(status) && typeof status['phase'] === 'string' ? status['phase'] : '';
  const state = pod.metadata.deletionTimestamp !== undefined ? 'Deleting' : (states[phase] ?? 'Unknown');
  return { state, reason: `Pod${phase}`, message: '' };
}

/** Undefined for a volume of another driver. */
function linksOf({ flexVolume, csi }: JsonObject, namespace: string): RawLink[] | undefined {
  const secret = (reference: unknown): RawLink[] => {
    const name = isObject(reference) ? reference['name'] : undefined;
    return typeof name === 'string' ? [{ type: 'secret', group: '', kind: 'Secret', namespace, name }] : [];
  };
  if (isObject(flexVolume) && flexVolume['driver'] === flexDriver) return secret(flexVolume['secretRef']);
  if (!isObject(csi) || csi['driver'] !== csiDriver) return undefined;
  const attributes = csi['volumeAttributes'];
  const name = isObject(attributes) ? attributes['secretProviderClass'] : undefined;
  const kind = 'SecretProviderClass';
  const owners: RawLink[] = typeof name === 'string' ? [{ type: 'owner', group: csiGroup, kind, namespace, name }] : [];
  return [...owners, ...secret(csi['nodePublishSecretRef'])];
}
