import { readFileSync } from 'node:fs';
import { AzimuthError } from '../../base/errors.ts';

/** Whether kubelet uses kubenet: all pods share one bridge, where a pod can use the address of another. */
export function isKubenet(kubeletArguments: string): boolean {
  return kubeletArguments.includes('--network-plugin=kubenet');
}

/** Throws AZ_CONFIG_INVALID where kubelet's arguments in the file at `path` name kubenet; a missing file does not. */
export function refuseKubenet(path: string): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return;
  }
  if (!isKubenet(text)) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `${path} says that pods share one bridge (kubenet), where a pod with NET_RAW can use the address of another; ` +
      'drop NET_RAW from pods and set --allow-network-plugin-kubenet to start anyway',
  );
}
