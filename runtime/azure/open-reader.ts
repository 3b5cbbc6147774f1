import { ArmReader } from './arm/arm-reader.ts';
import { createArmClient } from './arm/client.ts';
import { subscriptionIdOf } from './arm/resource-ids.ts';
import { createAzureDeps } from './azure-deps.ts';
import type { Environment } from './clouds.ts';
import type { CredentialSource } from './credential-flag.ts';
import { azureCliAuthorizer } from './identity/authorizers/azure-cli.ts';
import { defaultAzureAuthorizer } from './identity/authorizers/default-credential.ts';
import { authorizerFromEnvironment } from './identity/credential-from-environment.ts';

/** How a reader is opened. */
export interface ReaderOptions {
  readonly signal?: AbortSignal;
  /** Called before a wait, with its length in milliseconds and its cause. */
  readonly onWait?: (ms: number, error: Error) => void;
}

/** A reader of Azure with the caller's credential. */
export interface OpenReader {
  readonly reader: ArmReader;
  /** AZURE_SUBSCRIPTION_ID; undefined where it is not set. */
  readonly subscriptionId: string | undefined;
  close(): Promise<void>;
}

/**
 * Opens a reader; nothing is sent before the first request. Throws AZ_CONFIG_INVALID for a wrong variable, and where the
 * credential needs a package that is not installed.
 */
export async function openReader(
  source: CredentialSource,
  env: Environment,
  options: ReaderOptions = {},
): Promise<OpenReader> {
  const context = createAzureDeps(env);
  const arm = createArmClient({ cloud: context.cloud, dispatcher: context.dispatcher });
  const close = () => context.close();
  if (source !== 'environment') {
    const given = env['AZURE_SUBSCRIPTION_ID'];
    const subscriptionId = given ? subscriptionIdOf(given, 'AZURE_SUBSCRIPTION_ID') : undefined;
    const authorizer = source === 'azure-cli' ? azureCliAuthorizer() : await defaultAzureAuthorizer(context.cloud);
    return { reader: new ArmReader({ arm, authorizer, ...options }), subscriptionId, close };
  }
  const { authorizer, subscriptionId } = authorizerFromEnvironment(env, context);
  return { reader: new ArmReader({ arm, authorizer, ...options }), subscriptionId, close };
}

/** Whether a variable chooses a credential; the default is the managed identity of the machine. */
export function hasCredential(env: Environment): boolean {
  return ['AZURE_USE_MI', 'AZURE_CLIENT_ID'].some((name) => env[name]?.trim());
}
