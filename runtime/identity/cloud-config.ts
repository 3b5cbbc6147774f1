import { statSync } from 'node:fs';
import { parse } from 'yaml';
import { cloudByName, cloudFromEnvironment, type Environment } from '../azure/clouds.ts';
import { clientSecretAuthorizer } from '../azure/identity/authorizers/client-secret.ts';
import { managedIdentityAuthorizer } from '../azure/identity/authorizers/managed-identity.ts';
import type { CredentialDeps } from '../azure/identity/credential.ts';
import { authorizerFromEnvironment } from '../azure/identity/credential-from-environment.ts';
import type { EntraDeps } from '../azure/identity/entra-client.ts';
import type { Authorizer, CloudEnvironment } from '../azure/types.ts';
import { readBoundedTextSync } from '../base/bounded-file.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import type { Logger } from '../base/observability/log.ts';
import { normalizeText } from '../base/text/normalize.ts';
import { yamlTexts } from '../base/text/yaml.ts';
import type { MachineFallback } from './attachments/machine.ts';

/** The members of a cloud provider's configuration (azure.json) that the controller reads; '' where absent. */
export interface CloudConfig {
  readonly cloud: string;
  readonly tenantId: string;
  readonly aadClientId: string;
  readonly aadClientSecret: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly useManagedIdentityExtension: boolean;
  readonly userAssignedIdentityID: string;
}

/** Variables of AAD Pod Identity, read where no file is named. */
export const cloudConfigVariables = {
  cloud: 'CLOUD',
  tenantId: 'TENANT_ID',
  aadClientId: 'CLIENT_ID',
  aadClientSecret: 'CLIENT_SECRET',
  subscriptionId: 'SUBSCRIPTION_ID',
  resourceGroup: 'RESOURCE_GROUP',
  useManagedIdentityExtension: 'USE_MSI',
  userAssignedIdentityID: 'USER_ASSIGNED_MSI_CLIENT_ID',
} as const;

/** Parses YAML, which includes JSON. Throws AZ_CONFIG_INVALID, never with content of the file. */
export function parseCloudConfig(text: string, source: string): CloudConfig {
  let document: unknown;
  try {
    document = parse(text, { ...yamlTexts, logLevel: 'error' });
  } catch {
    // The parser's message may quote a line that contains the secret.
    throw new AzimuthError('AZ_CONFIG_INVALID', `The cloud configuration ${source} is neither JSON nor YAML`);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new AzimuthError('AZ_CONFIG_INVALID', `The cloud configuration ${source} is not an object`);
  }
  return cloudConfig((name) => {
    const value = (document as Record<string, unknown>)[name] ?? '';
    if (typeof value === 'string') return value;
    throw new AzimuthError('AZ_CONFIG_INVALID', `${name} of the cloud configuration ${source} is no text`);
  });
}

/** Reads `cloudConfigVariables`. Undefined when neither CLIENT_ID nor USE_MSI is set. */
export function cloudConfigFromEnvironment(env: Environment): CloudConfig | undefined {
  if (!env['CLIENT_ID'] && !env['USE_MSI']) return undefined;
  return cloudConfig((name) => env[cloudConfigVariables[name]] ?? '');
}

function cloudConfig(text: (name: keyof CloudConfig) => string): CloudConfig {
  const normalized = (name: keyof CloudConfig) => normalizeText(text(name));
  return {
    cloud: normalized('cloud'),
    tenantId: normalized('tenantId'),
    aadClientId: normalized('aadClientId'),
    aadClientSecret: normalized('aadClientSecret'),
    subscriptionId: normalized('subscriptionId'),
    resourceGroup: normalized('resourceGroup'),
    useManagedIdentityExtension: normalized('useManagedIdentityExtension').toLowerCase() === 'true',
    userAssignedIdentityID: normalized('userAssignedIdentityID'),
  };
}

/** Client id of the cluster's own user-assigned identity, which must never be detached; '' where there is none. */
export function clusterIdentityOf({
  aadClientId,
  aadClientSecret,
  userAssignedIdentityID,
  useManagedIdentityExtension,
}: CloudConfig): string {
  const managed = useManagedIdentityExtension || (aadClientId === 'msi' && aadClientSecret === 'msi');
  return managed ? userAssignedIdentityID : '';
}

/** How the controller signs in. The functions read the current configuration. */
export interface CloudSettings {
  readonly cloud: CloudEnvironment;
  readonly authorizer: Authorizer;
  /** Client id of the cluster's own identity; '' where there is none. */
  clusterIdentity(): string;
  /** Where to find the virtual machines of nodes without a providerID. */
  fallback(): MachineFallback | undefined;
}

/** Where the configuration comes from. */
export interface CloudSettingsOptions {
  /** Path of azure.json or its YAML; '' reads the environment. */
  readonly file: string;
  readonly env: Environment;
  readonly log: Logger;
  readonly context: (cloud: CloudEnvironment) => CredentialDeps;
}

/**
 * Reads the named file, else AAD Pod Identity's variables, else AZURE_* as the other programs. Before every token it
 * checks the file and reads it again after a change, so that a rotated secret needs no restart. While the file is
 * unreadable the last valid configuration counts. Throws AZ_CONFIG_INVALID where there is none at the start.
 */
export function cloudSettings(options: CloudSettingsOptions): CloudSettings {
  const { file, env, context } = options;
  const fixed = file === '' ? cloudConfigFromEnvironment(env) : undefined;
  if (file === '' && !fixed) {
    const cloud = cloudFromEnvironment(env);
    const { authorizer } = authorizerFromEnvironment(env, context(cloud));
    return { cloud, authorizer, clusterIdentity: () => '', fallback: () => undefined };
  }
  const current = fixed ? () => fixed : fileReader(options);
  const cloud = cloudOf(current(), env);
  const credentials = context(cloud);
  let created: { readonly from: CloudConfig; readonly authorizer: Authorizer } | undefined;
  const authorizer = () => {
    const from = current();
    if (created?.from !== from) created = { from, authorizer: authorizerOf(from, credentials) };
    return created.authorizer;
  };
  return {
    cloud,
    authorizer: {
      get description() {
        return authorizer().description;
      },
      getToken: (request) => authorizer().getToken(request),
    },
    clusterIdentity: () => clusterIdentityOf(current()),
    fallback: () => {
      const { subscriptionId, resourceGroup } = current();
      return subscriptionId && resourceGroup ? { subscriptionId, resourceGroup } : undefined;
    },
  };
}

/** Variables with endpoints take precedence over the cloud's name, because private clouds and tests have no name. */
function cloudOf({ cloud }: CloudConfig, env: Environment): CloudEnvironment {
  if (env['AZURE_RESOURCE_MANAGER_ENDPOINT']) return cloudFromEnvironment(env);
  if (/^azurestackcloud$/i.test(cloud)) return cloudFromEnvironment({ ...env, AZURE_ENVIRONMENT: cloud });
  return cloudByName(cloud);
}

function authorizerOf(config: CloudConfig, deps: CredentialDeps & EntraDeps): Authorizer {
  const { tenantId, aadClientId: clientId, aadClientSecret: clientSecret } = config;
  if (config.useManagedIdentityExtension) {
    const { userAssignedIdentityID } = config;
    return managedIdentityAuthorizer(userAssignedIdentityID ? { clientId: userAssignedIdentityID } : {}, deps.imds);
  }
  const missing = (['tenantId', 'aadClientId', 'aadClientSecret'] as const).filter((name) => !config[name]);
  if (missing.length > 0) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The cloud configuration has no ${missing.join(', ')}; set them, or useManagedIdentityExtension to true`,
    );
  }
  return clientSecretAuthorizer({ tenantId, clientId, clientSecret }, deps);
}

function fileReader({ file, log }: CloudSettingsOptions): () => CloudConfig {
  let last: CloudConfig | undefined;
  let version = '';
  return () => {
    try {
      // statSync follows symbolic links: kubelet replaces the links of a mounted Secret.
      const { mtimeMs, size, ino } = statSync(file);
      const fileVersion = `${ino} ${mtimeMs} ${size}`;
      if (last && fileVersion === version) return last;
      const next = parseCloudConfig(readBoundedTextSync(file), file);
      if (last) log.info({ file }, 'reloaded the cloud configuration');
      last = next;
      version = fileVersion;
      return next;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = error instanceof AzimuthError ? messageOf(error) : `cannot be read (${code ?? messageOf(error)})`;
      if (!last) throw new AzimuthError('AZ_CONFIG_INVALID', `The cloud configuration ${file}: ${why}`);
      log.warn({ file, error: why }, 'cloud configuration is unusable: keeping the last valid one');
      return last;
    }
  };
}
