import { serviceDomains } from '../azure/clouds.ts';
import type { CloudEnvironment } from '../azure/types.ts';
import { DatabaseError } from './error.ts';

/** Services whose servers have a domain of their own. */
export type DatabaseService = 'postgresql' | 'mysql' | 'sql';

const labels = { postgresql: 'postgres', mysql: 'mysql' } as const;

/** Domains of database servers by cloud. Source: the suffixes in the cloud definitions of the Azure CLI. */
const domains: Readonly<Record<string, string>> = {
  AzurePublicCloud: 'database.azure.com',
  AzureUSGovernmentCloud: 'database.usgovcloudapi.net',
  AzureChinaCloud: 'database.chinacloudapi.cn',
  AzureGermanCloud: 'database.cloudapi.de',
};

/** The domain in which the servers of a service are, such as postgres.database.azure.com. */
export function serverDomain(service: DatabaseService, cloud: CloudEnvironment): string {
  if (service === 'sql') return serviceDomains(cloud).sql;
  return `${labels[service]}.${domains[cloud.name] ?? domains['AzurePublicCloud']}`;
}

/**
 * The domain name of a server from Azure's answer about it. Throws DatabaseError while Azure shows none, and for one
 * outside the domain of the cloud: a password goes to servers of Azure only.
 */
export function serverAddress(shown: unknown, service: DatabaseService, cloud: CloudEnvironment): string {
  if (typeof shown !== 'string' || shown === '') {
    const message = 'Azure shows no fullyQualifiedDomainName of the server yet';
    throw new DatabaseError({ cause: 'waiting', message });
  }
  const domain = serverDomain(service, cloud);
  const host = shown.toLowerCase();
  const name = host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : '';
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){0,3}$/.test(name)) return host;
  const message = `The server's address must end in .${domain}, which it does not: the operator sends no password there`;
  throw new DatabaseError({ cause: 'invalid', message });
}

/** The audience of tokens with which one logs in to MySQL. */
export function tokenAudience({ name }: CloudEnvironment): string {
  const domain = (domains[name] ?? domains['AzurePublicCloud'])?.replace('azure.com', 'windows.net');
  return `https://ossrdbms-aad.${domain}`;
}
