import { createRequire } from 'node:module';
import { Provider, type ProviderArgs } from '@pulumi/azure-native/provider.js';
import * as pulumi from '@pulumi/pulumi';

/** How each argument is read from the configuration `azure-native:<name>`, which only the default provider would read. */
const readers: Readonly<Record<keyof ProviderArgs, 'text' | 'secret' | 'json'>> = {
  auxiliaryTenantIds: 'json',
  clientCertificatePassword: 'secret',
  clientCertificatePath: 'text',
  clientId: 'text',
  clientSecret: 'secret',
  disableInstanceDiscovery: 'json',
  disablePulumiPartnerId: 'json',
  environment: 'text',
  location: 'text',
  metadataHost: 'text',
  msiEndpoint: 'text',
  oidcRequestToken: 'secret',
  oidcRequestUrl: 'text',
  oidcToken: 'secret',
  oidcTokenFilePath: 'text',
  partnerId: 'text',
  subscriptionId: 'text',
  tenantId: 'text',
  useDefaultAzureCredential: 'json',
  useMsi: 'json',
  useOidc: 'json',
};

/**
 * The provider of all Azure resources of a stack: its subscription is the one that roles and scopes name. It takes over the
 * state of the default provider, so that a stack that was made with that one replaces nothing.
 *
 * @param subscriptionId that of `azure-native:subscriptionId`, or of the signed-in account, when undefined
 */
export function azureProvider(subscriptionId: string | undefined): Provider {
  const config = new pulumi.Config('azure-native');
  const configured = Object.entries(readers).flatMap(([name, reader]) => {
    const value = readSetting(config, name, reader);
    return value === undefined ? [] : [[name, value] as const];
  });
  const args: ProviderArgs = {
    ...Object.fromEntries(configured),
    ...(subscriptionId !== undefined && { subscriptionId }),
  };
  return new Provider('azure', args, { aliases: [{ name: defaultProviderName() }] });
}

function readSetting(config: pulumi.Config, name: string, reader: 'text' | 'secret' | 'json'): unknown {
  if (reader === 'secret') return config.getSecret(name);
  return reader === 'json' ? config.getObject(name) : config.get(name);
}

/** The engine names default providers after the version of the package. */
function defaultProviderName(): string {
  const { version } = createRequire(import.meta.url)('@pulumi/azure-native/package.json') as { version: string };
  return `default_${version.replaceAll(/[.+-]/g, '_')}`;
}
