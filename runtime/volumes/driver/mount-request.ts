import { AzimuthError } from '../../base/errors.ts';
import { readFlexOptions } from '../options/flex-options.ts';
import type { VolumeRequest } from '../options/volume-request.ts';

/** One `mount` of kubelet. */
export interface MountCall {
  /** Where the volume is to be. */
  readonly directory: string;
  /** The options, a JSON document. */
  readonly document: string;
}

/** What a call asks for, checked. Throws AZ_CONFIG_INVALID. */
export function requestOf({ directory, document }: MountCall): VolumeRequest {
  const request = readFlexOptions(document);
  checkPod(directory, request);
  return request;
}

/** The uid that kubelet knows the pod by: it makes the path, the pod's author the options. */
export function podUidOf(directory: string): string | undefined {
  return /\/pods\/([^/]+)\/volumes\//.exec(directory)?.[1];
}

/** A pod's own options replace kubelet's keys, but not the path. */
function checkPod(directory: string, { pod }: VolumeRequest): void {
  const uid = podUidOf(directory);
  if (uid === undefined || pod.uid === '' || uid === pod.uid) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `validation failed, the volume belongs to the pod with uid ${uid}, but the options say ${pod.uid.slice(0, 80)}; ` +
      "remove the kubernetes.io keys from the volume's options",
  );
}
