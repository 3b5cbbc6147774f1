import { AzimuthError } from '../../base/errors.ts';
import { isNotFound } from '../client/status-error.ts';

/** Whether the API server has no such type: a LIST names no object that could be missing. */
export function isMissingType(error: unknown): boolean {
  return isNotFound(error) && error.subject.verb === 'list';
}

/** Whether the connection broke, or the API server fell silent: it may be another one, or restored, when it answers. */
export function isDisconnected(error: unknown): boolean {
  return error instanceof AzimuthError && error.code === 'AZ_KUBE_UNREACHABLE';
}

/**
 * Whether the position of a watch stays valid: after a missing answer or a refusal. After 410 and an invalid answer the
 * watch may have missed changes.
 */
export function keepsPosition(error: unknown): boolean {
  return error instanceof AzimuthError && (error.code === 'AZ_KUBE_UNREACHABLE' || error.code === 'AZ_KUBE_STATUS');
}
