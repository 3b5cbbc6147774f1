import type { Authorizer } from '../../types.ts';
import type { Imds, ManagedIdentitySelector } from '../imds.ts';

/**
 * An identity assigned to the machine, through its metadata endpoint. `TokenParameters.tenantId` has no effect: a managed
 * identity lives in one tenant. The metadata service keeps tokens of its own for up to a day; nothing can turn that off.
 */
export function managedIdentityAuthorizer(selector: ManagedIdentitySelector, imds: Imds): Authorizer {
  const which = selector.clientId
    ? `client ${selector.clientId}`
    : selector.objectId
      ? `object ${selector.objectId}`
      : (selector.resourceId ?? 'the system');
  const description = `managed identity of ${which}`;
  return {
    description,
    getToken: (request) => imds.token(request.audience, selector, description, request.signal),
  };
}
