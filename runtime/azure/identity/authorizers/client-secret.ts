import type { Authorizer } from '../../types.ts';
import { type EntraDeps, requestToken } from '../entra-client.ts';

/** Options of the authorizer for a service principal with a client secret. */
export interface ClientSecretOptions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A service principal with a client secret. */
export function clientSecretAuthorizer(options: ClientSecretOptions, deps: EntraDeps): Authorizer {
  const { tenantId, clientId, clientSecret } = options;
  const description = `client secret of client ${clientId} in tenant ${tenantId}`;
  return {
    description,
    getToken: (request) =>
      requestToken(deps, { tenantId, clientId, description }, request, { client_secret: clientSecret }),
  };
}
