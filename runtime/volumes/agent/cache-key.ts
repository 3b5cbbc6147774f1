import type { VolumeRequest } from '../options/volume-request.ts';

/**
 * Who reads a vault for a volume, as a key: volumes with the same one get the same tokens and the same refusals. A pod
 * that acts as itself shares it with no other; `uid` is kubelet's of the pod.
 */
export function cacheKeyOf(request: VolumeRequest, uid = request.pod.uid): string {
  const { cloudName, tenantId, identity } = request;
  return JSON.stringify([cloudName.toLowerCase(), tenantId, identity, identity.mode === 'pod' ? uid : '']);
}
