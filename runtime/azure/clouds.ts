import { type CloudName, cloudNames, isStackCloud, tryCloudName } from '../api/clouds/cloud-names.ts';
import { readBoundedTextSync } from '../base/bounded-file.ts';
import { AzimuthError, expected, messageOf } from '../base/errors.ts';
import { normalizeTexts } from '../base/text/normalize.ts';
import { trimEndOf } from '../base/text/text.ts';
import type { CloudEnvironment } from './types.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

function cloud(name: string, authority: string, arm: string, vaultSuffix: string): CloudEnvironment {
  return {
    name,
    authorityHost: `https://${authority}`,
    resourceManagerEndpoint: `https://${arm}`,
    resourceManagerAudience: `https://${arm}`,
    keyVaultDnsSuffix: vaultSuffix,
    keyVaultAudience: `https://${vaultSuffix}`,
  };
}

/** The clouds with published endpoints. AzureGermanCloud was closed in 2021 and stays for old manifests only. */
export const clouds = {
  AzurePublicCloud: cloud('AzurePublicCloud', 'login.microsoftonline.com', 'management.azure.com', 'vault.azure.net'),
  AzureUSGovernmentCloud: cloud(
    'AzureUSGovernmentCloud',
    'login.microsoftonline.us',
    'management.usgovcloudapi.net',
    'vault.usgovcloudapi.net',
  ),
  AzureChinaCloud: cloud('AzureChinaCloud', 'login.chinacloudapi.cn', 'management.chinacloudapi.cn', 'vault.azure.cn'),
  AzureGermanCloud: cloud(
    'AzureGermanCloud',
    'login.microsoftonline.de',
    'management.microsoftazure.de',
    'vault.microsoftazure.de',
  ),
} as const satisfies Record<CloudName, CloudEnvironment>;

/**
 * Hosts that sign in for these clouds, with the older and newer names of each. Source: the aliases in the instance
 * discovery document of Microsoft Entra ID, which the MSAL libraries carry along.
 */
export const authorityHosts: ReadonlySet<string> = new Set([
  'login.microsoftonline.com',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
  'login.partner.microsoftonline.cn',
  'login.chinacloudapi.cn',
  'login.microsoftonline.us',
  'login.usgovcloudapi.net',
  'login.microsoftonline.de',
]);

/** Domains of storage accounts and SQL servers; clouds that are described by their endpoints have the public cloud's. */
const domains: Readonly<Record<string, { readonly storage: string; readonly sql: string }>> = {
  AzurePublicCloud: { storage: 'core.windows.net', sql: 'database.windows.net' },
  AzureUSGovernmentCloud: { storage: 'core.usgovcloudapi.net', sql: 'database.usgovcloudapi.net' },
  AzureChinaCloud: { storage: 'core.chinacloudapi.cn', sql: 'database.chinacloudapi.cn' },
  AzureGermanCloud: { storage: 'core.cloudapi.de', sql: 'database.cloudapi.de' },
};

/** Domain suffixes of a cloud's services; those of the public cloud for a cloud without its own. */
export function serviceDomains({ name }: CloudEnvironment): { readonly storage: string; readonly sql: string } {
  return domains[name] ?? (domains['AzurePublicCloud'] as { readonly storage: string; readonly sql: string });
}

/** Domains of container registries. Source: the `acrLoginServer` of the environments of Azure's command line. */
const registryDomains: Readonly<Record<string, string>> = {
  AzurePublicCloud: 'azurecr.io',
  AzureUSGovernmentCloud: 'azurecr.us',
  AzureChinaCloud: 'azurecr.cn',
};

/** The name of the cloud of an Azure Container Registry, by its host without a port; undefined for another host. */
export function tryCloudOfRegistry(host: string): string | undefined {
  const [, domain] = /^[a-z0-9-]+\.(.+)$/.exec(host) ?? [];
  return Object.keys(registryDomains).find((name) => registryDomains[name] === domain);
}

/** Microsoft Graph by cloud; it is also the audience of its tokens. */
const graphs: Readonly<Record<string, string>> = {
  AzurePublicCloud: 'https://graph.microsoft.com',
  AzureUSGovernmentCloud: 'https://graph.microsoft.us',
  AzureChinaCloud: 'https://microsoftgraph.chinacloudapi.cn',
};

/** The address of Microsoft Graph in a cloud. Throws AZ_TERMINAL where nobody has said it. */
export function graphEndpointOf({ name, graphEndpoint }: CloudEnvironment): string {
  const graphHost = graphEndpoint ?? graphs[name];
  if (graphHost !== undefined) return graphHost;
  throw new AzimuthError(
    'AZ_TERMINAL',
    `The address of Microsoft Graph in the cloud ${name} is not known: set AZURE_MICROSOFT_GRAPH_ENDPOINT of the operator`,
  );
}

/** Looks a cloud up by any usual spelling, in any case; '' is the public cloud. Throws AZ_CONFIG_INVALID otherwise. */
export function cloudByName(name: string): CloudEnvironment {
  const known = tryCloudName(name);
  if (!known) throw expected('cloud name', `one of ${cloudNames.join(', ')}`, name);
  return clouds[known];
}

/** The Azure portal by cloud. */
const portals: Readonly<Record<string, string>> = {
  AzurePublicCloud: 'https://portal.azure.com',
  AzureUSGovernmentCloud: 'https://portal.azure.us',
  AzureChinaCloud: 'https://portal.azure.cn',
};

/**
 * The address of the Azure portal of a cloud, by the names of `cloudByName`; '' for AzureStackCloud and each other cloud
 * whose portal has no fixed address. undefined for a name of no cloud.
 */
export function tryPortalOf(name: string): string | undefined {
  if (isStackCloud(name)) return '';
  const known = tryCloudName(name);
  return known && (portals[known] ?? '');
}

const endpointVariables = [
  'AZURE_AUTHORITY_HOST',
  'AZURE_RESOURCE_MANAGER_ENDPOINT',
  'AZURE_RESOURCE_MANAGER_AUDIENCE',
] as const;

/**
 * The cloud a program works in.
 *
 * - `AZURE_CLOUD_ENV` (or `AZURE_ENVIRONMENT`) names one; `AzureStackCloud` is the one of `description`, else it is
 *   read from `AZURE_ENVIRONMENT_FILEPATH`.
 * - `AZURE_AUTHORITY_HOST`, `AZURE_RESOURCE_MANAGER_ENDPOINT` and `AZURE_RESOURCE_MANAGER_AUDIENCE` describe one by its
 *   endpoints: all three or none. `AZURE_AUTHORITY_HOST` alone is fine while it belongs to a known cloud, because the
 *   workload identity webhook sets it in every pod.
 * - `AZURE_KEYVAULT_DNS_SUFFIX` and `AZURE_KEYVAULT_AUDIENCE` replace the vault part of either,
 *   `AZURE_MICROSOFT_GRAPH_ENDPOINT` the address of Microsoft Graph.
 */
export function cloudFromEnvironment(given: Environment, description?: CloudDescription): CloudEnvironment {
  const env = normalizeTexts(given);
  const name = env['AZURE_CLOUD_ENV'] || env['AZURE_ENVIRONMENT'] || '';
  const stack = () =>
    description
      ? cloudFromDescription(description, 'the description of the cloud')
      : cloudFromFile(env['AZURE_ENVIRONMENT_FILEPATH']);
  const named = isStackCloud(name) ? stack() : cloudByName(name);
  return withGraph(withKeyVault(cloudFromEndpoints(env, named), env), env);
}

function cloudFromEndpoints(env: Environment, named: CloudEnvironment): CloudEnvironment {
  const [authority, arm, audience] = endpointVariables.map((variable) => env[variable] || undefined);
  if (authority && !arm && !audience) {
    const host = httpsUrl('AZURE_AUTHORITY_HOST', authority);
    const cloud = [named, ...Object.values(clouds)].find((candidate) => candidate.authorityHost === host);
    if (cloud) return cloud;
  }
  if (!authority && !arm && !audience) return named;
  if (!authority || !arm || !audience) {
    const missing = endpointVariables.filter((variable) => !env[variable]);
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `Expected AZURE_AUTHORITY_HOST, AZURE_RESOURCE_MANAGER_ENDPOINT and AZURE_RESOURCE_MANAGER_AUDIENCE to be set ` +
        `together or not at all; ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    );
  }
  const authorityHost = httpsUrl('AZURE_AUTHORITY_HOST', authority);
  const resourceManagerEndpoint = httpsUrl('AZURE_RESOURCE_MANAGER_ENDPOINT', arm);
  const matchingCloud = Object.values(clouds).find(
    (candidate) =>
      candidate.authorityHost === authorityHost && candidate.resourceManagerEndpoint === resourceManagerEndpoint,
  );
  return {
    ...(matchingCloud ?? { ...named, name: 'custom' }),
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience: audience.replace(/\/\.default$/, ''),
  };
}

function withKeyVault(base: CloudEnvironment, env: Environment): CloudEnvironment {
  const suffix = env['AZURE_KEYVAULT_DNS_SUFFIX']?.replace(/^\./, '');
  const audience = env['AZURE_KEYVAULT_AUDIENCE']?.replace(/\/$/, '');
  if (!suffix && !audience) return base;
  return {
    ...base,
    keyVaultDnsSuffix: suffix || base.keyVaultDnsSuffix,
    keyVaultAudience: audience || `https://${suffix?.replace(/:\d+$/, '')}`,
  };
}

function withGraph(base: CloudEnvironment, env: Environment): CloudEnvironment {
  const endpoint = env['AZURE_MICROSOFT_GRAPH_ENDPOINT'];
  return endpoint ? { ...base, graphEndpoint: httpsUrl('AZURE_MICROSOFT_GRAPH_ENDPOINT', endpoint) } : base;
}

/** Members of an environment file about a cloud (go-autorest's format); others are ignored. */
export type CloudDescription = Readonly<Record<string, unknown>>;

/** An Azure Stack style environment file. */
export function cloudFromFile(path: string | undefined): CloudEnvironment {
  if (!path) throw expected('AZURE_ENVIRONMENT_FILEPATH', 'a file that describes AzureStackCloud', path ?? '');
  let file: Record<string, unknown>;
  try {
    file = JSON.parse(readBoundedTextSync(path)) as Record<string, unknown>;
  } catch (cause) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The environment file ${path} cannot be read as JSON: ${reason(cause)}`,
      {
        cause,
      },
    );
  }
  return cloudFromDescription(file, path);
}

/** Without the parser's message, which quotes the file. */
function reason(cause: unknown): string {
  return cause instanceof SyntaxError ? 'it is no JSON document' : messageOf(cause);
}

/** Members of an environment file; `path` is where they are from, for messages. Throws AZ_CONFIG_INVALID. */
export function cloudFromDescription(file: CloudDescription, path: string): CloudEnvironment {
  const text = (member: string, fallback?: string): string => {
    const value = file[member];
    if (typeof value === 'string' && value !== '') return value;
    if (fallback !== undefined) return fallback;
    throw expected(`${member} of ${path}`, 'a non-empty string', value);
  };
  const suffix = text('keyVaultDNSSuffix').replace(/^\./, '');
  const arm = httpsUrl(
    `resourceManagerEndpoint of ${path}`,
    text('resourceManagerEndpoint', 'https://management.azure.com'),
  );
  return {
    name: text('name', 'AzureStackCloud'),
    authorityHost: httpsUrl(`activeDirectoryEndpoint of ${path}`, text('activeDirectoryEndpoint')),
    resourceManagerEndpoint: arm,
    resourceManagerAudience: text('tokenAudience', arm),
    keyVaultDnsSuffix: suffix,
    keyVaultAudience: text('keyVaultEndpoint', `https://${suffix}`).replace(/\/$/, ''),
  };
}

/** Credentials travel to these endpoints, so https only. Returns the URL without trailing slashes. */
function httpsUrl(what: string, value: string): string {
  const url = URL.parse(value);
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw expected(what, 'an https URL without user, query or fragment', url?.username ? 'a URL with a user' : value);
  }
  return trimEndOf(`${url.origin}${url.pathname}`, '/');
}

/** The OAuth 2 scope of an audience; one that is a scope already stays as it is. */
export function scopeOf(audience: string): string {
  return audience.endsWith('/.default') ? audience : `${audience}/.default`;
}
