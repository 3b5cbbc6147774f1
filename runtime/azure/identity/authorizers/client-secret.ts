import type { Authorizer } from '../../types.ts';
import { type EntraContext, requestToken } from '../entra-client.ts';

/** Options of the authorizer for a service principal with a client secret. */
export interface ClientSecretOptions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A service principal with a client secret. */
export function clientSecretAuthorizer(options: ClientSecretOptions, context: EntraContext): Authorizer {
  const { tenantId, clientId, clientSecret } = options;
  const description = `client secret of client ${clientId} in tenant ${tenantId}`;
  return {
    description,
    getToken: (request) =>
      requestToken(context, { tenantId, clientId, description }, request, { client_secret: clientSecret }),
  };
}
