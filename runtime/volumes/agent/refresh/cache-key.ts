import type { VolumeSpec } from '../../options/volume-spec.ts';

/**
 * The key of a volume's vault reader: volumes with the same key share tokens and refusals. Pods with an identity of
 * their own share it with no other pod. `uid`: kubelet's uid of the pod.
 */
export function cacheKeyOf(request: VolumeSpec, uid = request.pod.uid): string {
  const { cloudName, tenantId, identity } = request;
  return JSON.stringify([cloudName.toLowerCase(), tenantId, identity, identity.mode === 'pod' ? uid : '']);
}
