import type { Exchange } from '../exchange.ts';
import type { Json } from '../json.ts';
import { issuerOf } from './tokens.ts';

/** The document of `/common/discovery/instance`: this server is the only authority of its cloud. */
export const instanceDiscovery = ({ origin, host }: Exchange, tenantId: string): Json => ({
  tenant_discovery_endpoint: `${origin}/${tenantId}/v2.0/.well-known/openid-configuration`,
  'api-version': '1.1',
  metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
});

/** The OpenID configuration of a tenant, for version 1 or 2 of the endpoints. `base` is the path before the version. */
export function openIdConfiguration({ origin, host }: Exchange, base: string, tenantId: string, v2: boolean): Json {
  const at = `${origin}${base}`;
  const oauth = v2 ? `${at}/oauth2/v2.0` : `${at}/oauth2`;
  return {
    token_endpoint: `${oauth}/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    jwks_uri: v2 ? `${at}/discovery/v2.0/keys` : `${origin}/common/discovery/keys`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    issuer: v2 ? `${origin}/${tenantId}/v2.0` : issuerOf(tenantId),
    request_uri_parameter_supported: false,
    userinfo_endpoint: `${origin}/oidc/userinfo`,
    authorization_endpoint: `${oauth}/authorize`,
    device_authorization_endpoint: `${oauth}/devicecode`,
    http_logout_supported: true,
    frontchannel_logout_supported: true,
    end_session_endpoint: `${oauth}/logout`,
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'acr', 'nonce', 'tid', 'ver'],
    tenant_region_scope: 'NA',
    cloud_instance_name: host,
    cloud_graph_host_name: 'graph.windows.net',
    msgraph_host: 'graph.microsoft.com',
    rbac_url: 'https://pas.windows.net',
  };
}
