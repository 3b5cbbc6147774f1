import { AzimuthError } from '../../runtime/base/errors.ts';
import { KubeStatusError, type StatusBody } from '../../runtime/kube/client/status-error.ts';
import type { ObjectKey, ResourceType } from '../../runtime/kube/client/types.ts';
import { resourceName } from './local-storage.ts';

/** Never answers; ends with the request's own signal. */
export function hanging(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** The refusal of an API server. */
export function status(verb: string, type: ResourceType, code: number, reason: string): KubeStatusError {
  return refusal(verb, type, undefined, { code, reason });
}

export function unreachable(): AzimuthError {
  return new AzimuthError('AZ_KUBE_UNREACHABLE', 'connection reset');
}

/** What the client throws for a line that was cut in its middle. */
export function garbled(): AzimuthError {
  return new AzimuthError('AZ_KUBE_ANSWER', 'the stream carries 17 characters that are not JSON');
}

/** The refusal with this body. */
export function refusal(
  verb: string,
  type: ResourceType,
  key: ObjectKey | undefined,
  body: StatusBody,
): KubeStatusError {
  const object = key && `${key.namespace ?? ''}/${key.name}`;
  return new KubeStatusError({ verb, resource: resourceName(type), ...(object && { object }) }, body.code ?? 500, body);
}
