import { type Exchange, queryOf, type Reply } from '../exchange.ts';

/** The metadata of a cloud. Suffixes have no leading dot; addresses no trailing slash. */
export interface CloudFacts {
  readonly aad: string;
  readonly arm: string;
  readonly audiences: readonly string[];
  readonly graph: string;
  readonly vaultSuffix: string;
}

/**
 * `GET /metadata/endpoints`, which Resource Manager answers without a token: how `az cloud register` and other clients
 * learn a cloud's addresses. Up to api-version 2018 it is one document, from 2019-05-01 a list of clouds.
 */
export function cloudMetadata(exchange: Exchange, facts: CloudFacts): Reply | undefined {
  if (exchange.method !== 'GET' || !/^\/metadata\/endpoints\/?$/i.test(exchange.url.pathname)) return undefined;
  const authentication = { loginEndpoint: facts.aad, audiences: facts.audiences };
  const version = queryOf(exchange, 'api-version') ?? '';
  if (version < '2019-05-01') {
    const body = { galleryEndpoint: facts.arm, graphEndpoint: facts.aad, portalEndpoint: facts.arm, authentication };
    return { status: 200, body };
  }
  const cloud = {
    name: 'azimuth-sandbox',
    portal: facts.arm,
    authentication: { ...authentication, tenant: 'common', identityProvider: 'AAD' },
    graph: facts.aad,
    graphAudience: facts.aad,
    microsoftGraphResourceId: facts.graph,
    resourceManager: facts.arm,
    gallery: facts.arm,
    suffixes: { keyVaultDns: facts.vaultSuffix, storage: 'core.windows.net' },
  };
  return { status: 200, body: [cloud] };
}
