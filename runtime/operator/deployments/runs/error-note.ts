import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { isUnserved, KubeStatusError } from '../../../kube/client/status-error.ts';

/** What a block shows about an error of its effect. */
export function noteOf(error: unknown): { readonly reason: string; readonly message: string } {
  const isDenied = error instanceof AzimuthError && error.code === 'AZ_ACCESS_DENIED';
  if (isDenied) return { reason: 'AccessDenied', message: error.message };
  if (!(error instanceof KubeStatusError)) return { reason: 'WriteFailed', message: messageOf(error) };
  if (!isUnserved(error)) return { reason: error.reason || 'WriteFailed', message: error.message };
  const message = `${error.message}: the cluster does not serve this version of the kind; write one that it serves, or serve all (AZIMUTH_VERSIONS)`;
  return { reason: 'VersionNotServed', message };
}
