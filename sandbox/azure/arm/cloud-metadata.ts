import { type Exchange, queryOf, type Reply } from '../exchange.ts';

/** The metadata of a cloud. Suffixes have no leading dot; addresses no trailing slash. */
export interface CloudEndpoints {
  readonly aad: string;
  readonly arm: string;
  readonly audiences: readonly string[];
  readonly graph: string;
  readonly vaultSuffix: string;
}

/** The public cloud's: resources show hosts below them. */
const suffixes = {
  acrLoginServer: 'azurecr.io',
  azureDataLakeStoreFileSystem: 'azuredatalakestore.net',
  azureFrontDoorEndpointSuffix: 'azurefd.net',
  mariadbServerEndpoint: 'mariadb.database.azure.com',
  mysqlServerEndpoint: 'mysql.database.azure.com',
  postgresqlServerEndpoint: 'postgres.database.azure.com',
  sqlServerHostname: 'database.windows.net',
  storage: 'core.windows.net',
  synapseAnalytics: 'dev.azuresynapse.net',
};

/** Audiences of tokens for services of the public cloud. */
const resourceIds = {
  batch: 'https://batch.core.windows.net/',
  logAnalyticsResourceId: 'https://api.loganalytics.io',
  ossrDbmsResourceId: 'https://ossrdbms-aad.database.windows.net',
  synapseAnalyticsResourceId: 'https://dev.azuresynapse.net',
};

/**
 * `GET /metadata/endpoints`, which Resource Manager answers without a token: how `az cloud register` and other clients
 * learn a cloud's addresses. Up to api-version 2018 it is one document, from 2019-05-01 a list of clouds, and from 2022-09-01
 * the cloud that answers. az 2.5x asks for the last one.
 */
export function cloudMetadata(exchange: Exchange, endpoints: CloudEndpoints): Reply | undefined {
  if (exchange.method !== 'GET' || !/^\/metadata\/endpoints\/?$/i.test(exchange.url.pathname)) return undefined;
  const authentication = { loginEndpoint: endpoints.aad, audiences: endpoints.audiences };
  const version = queryOf(exchange, 'api-version') ?? '';
  if (version < '2019-05-01') {
    const body = {
      galleryEndpoint: endpoints.arm,
      graphEndpoint: endpoints.aad,
      portalEndpoint: endpoints.arm,
      authentication,
    };
    return { status: 200, body };
  }
  const cloud = {
    name: 'azimuth-sandbox',
    portal: endpoints.arm,
    authentication: { ...authentication, tenant: 'common', identityProvider: 'AAD' },
    graph: endpoints.aad,
    graphAudience: endpoints.aad,
    microsoftGraphResourceId: endpoints.graph,
    resourceManager: endpoints.arm,
    gallery: endpoints.arm,
    ...resourceIds,
    suffixes: { ...suffixes, keyVaultDns: endpoints.vaultSuffix },
  };
  return { status: 200, body: version < '2022-09-01' ? [cloud] : cloud };
}
