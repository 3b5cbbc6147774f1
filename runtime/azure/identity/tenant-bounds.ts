import { AzimuthError } from '../../base/errors.ts';
import type { Authorizer } from '../types.ts';

/** The tenants that a credential may ask tokens for. */
export interface TenantBounds {
  /** The credential's own tenant, a GUID or a domain name. */
  readonly tenantId: string;
  /** Further tenants for which it may ask tokens; `*` = any. */
  readonly additionalTenants: readonly string[];
}

/**
 * Keeps a credential to tenants: a service may name any in its challenge, and a token for that one would show the credential
 * to a directory that its owner never chose. A request for another tenant throws AZ_AUTH_FAILED before anything is sent.
 */
export function boundToTenants(authorizer: Authorizer, { tenantId, additionalTenants }: TenantBounds): Authorizer {
  const allowed = new Set([tenantId, ...additionalTenants].map((tenant) => tenant.toLowerCase()));
  return {
    description: authorizer.description,
    async getToken(request) {
      const asked = request.tenantId?.toLowerCase();
      if (asked !== undefined && !allowed.has(asked) && !allowed.has('*')) {
        throw new AzimuthError(
          'AZ_AUTH_FAILED',
          `A token for ${request.audience} is wanted from the tenant ${request.tenantId}, for which the ` +
            `${authorizer.description} is not meant; no token was requested. Add the tenant to AZURE_ADDITIONAL_TENANTS ` +
            'if it is one of yours',
        );
      }
      return authorizer.getToken(request);
    },
  };
}
