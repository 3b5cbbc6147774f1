import { ArmError } from './errors.ts';

/** ARM says 404 for these too, but they do not tell that a resource is gone. */
const notAboutTheResource = new Set([
  'SubscriptionNotFound',
  'InvalidResourceType',
  'NoRegisteredProviderFound',
  'InvalidResourceNamespace',
]);

export function isGone(error: unknown): boolean {
  return error instanceof ArmError && isGoneFacts(error.facts.status, error.facts.code);
}

/** The resource has no longer the ETag that the request was bound to. */
export function isChanged(error: unknown): boolean {
  return error instanceof ArmError && error.facts.status === 412;
}

export function isGoneFacts(status: number, code: string): boolean {
  return status === 404 && !notAboutTheResource.has(code);
}
