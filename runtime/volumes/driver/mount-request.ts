import { AzimuthError } from '../../base/errors.ts';
import { readFlexOptions } from '../options/flex-options.ts';
import type { VolumeSpec } from '../options/volume-spec.ts';

/** One `mount` call of kubelet. */
export interface MountCall {
  /** Directory of the volume. */
  readonly directory: string;
  /** The options as a JSON document. */
  readonly document: string;
}

/** Reads and checks the options of a call. Throws AZ_CONFIG_INVALID. */
export function requestOf({ directory, document }: MountCall): VolumeSpec {
  const request = readFlexOptions(document);
  checkPod(directory, request);
  return request;
}

/** The pod's uid in the path, which kubelet makes; the pod's author writes the options. Undefined for other paths. */
export function podUidOf(directory: string): string | undefined {
  return /\/pods\/([^/]+)\/volumes\//.exec(directory)?.[1];
}

/** Refuses options of another pod: a pod's options override kubelet's keys, but not the path. */
function checkPod(directory: string, { pod }: VolumeSpec): void {
  const uid = podUidOf(directory);
  if (uid === undefined || pod.uid === '' || uid === pod.uid) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `validation failed, the volume belongs to the pod with uid ${uid}, but the options say ${pod.uid.slice(0, 80)}; ` +
      "remove the kubernetes.io keys from the volume's options",
  );
}
