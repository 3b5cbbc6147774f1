import { type AzureContext, createAzureContext } from '../../azure/azure-context.ts';
import { KeyVault } from '../../azure/key-vault/client.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { HttpOptions } from '../../base/http/client.ts';
import type { DriverSettings } from '../driver/settings.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import type { FetchOptions } from './fetch.ts';
import { checkMachineIdentity } from './machine-identity.ts';
import { authorizerOf, type IdentityContext } from './token-source.ts';

export interface VaultSessionOptions {
  readonly settings: Pick<DriverSettings, 'cloud' | 'deadlineSeconds' | 'environment' | 'machineIdentities'>;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the session before its deadline. */
  readonly signal: AbortSignal;
  /** Of connections to AAD and the vault. @default trust and proxies of the process */
  readonly http?: HttpOptions | undefined;
  /** @default systemClock */
  readonly clock?: Clock;
  /** Connections that outlive the session. @default its own */
  readonly connections?: (request: VolumeRequest) => VaultConnections;
  /** See IdentityContext. */
  readonly nodeDaemon?: IdentityContext['nodeDaemon'];
  readonly identityScopes?: IdentityContext['identityScopes'];
  readonly poolTokens?: IdentityContext['poolTokens'];
  /** For who comes again by itself: what passes by waiting is not waited for. @default false */
  readonly once?: boolean;
}

/** What leads to a cloud's vaults and to the tokens for them. The caller owns it and closes it. */
export interface VaultConnections {
  readonly azure: AzureContext;
  close(): Promise<void>;
}

/** Connections for volumes of the same cloud as `request`. */
export function openConnections(
  request: VolumeRequest,
  options: Pick<VaultSessionOptions, 'settings' | 'env' | 'clock' | 'http'>,
): VaultConnections {
  const { clock = systemClock } = options;
  const azure = createAzureContext(environmentOf(request, options), {
    clock,
    http: { connectTimeoutMs: 5000, ...options.http },
    cloudDescription: options.settings.cloud,
  });
  return { azure, close: () => azure.close() };
}

/** Lets `use` read the vault of a volume as the identity of the volume, within the node's deadline. */
export async function withVault<T>(
  request: VolumeRequest,
  options: VaultSessionOptions,
  use: (vault: FetchOptions) => Promise<T>,
): Promise<T> {
  const { settings, clock = systemClock } = options;
  checkMachineIdentity(request, settings.machineIdentities);
  const ms = settings.deadlineSeconds * 1000;
  const late = new AzimuthError(
    'AZ_KEYVAULT_UNREACHABLE',
    `The objects of the vault ${request.vault} were not there within ${settings.deadlineSeconds} s; it is tried again`,
  );
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(late), ms);
  const signal = AbortSignal.any([options.signal, timeout.signal]);
  const {
    nodeDaemon,
    identityScopes,
    poolTokens,
    once = false,
    connections = (volume) => openConnections(volume, options),
  } = options;
  let opened: VaultConnections | undefined;
  try {
    opened = connections(request);
    const { azure } = opened;
    const authorizer = authorizerOf(request, { ...azure, nodeDaemon, identityScopes, poolTokens, once });
    const vault = new KeyVault({
      vault: request.vault,
      cloud: azure.cloud,
      clock,
      dispatcher: azure.dispatcher,
      authorizer,
      presumeTenant: request.tenantId,
      onAnswer: (headers) => checkRegion(request, headers['x-ms-keyvault-region']),
    });
    return await use({ vault, clock, signal, deadline: clock.monotonic() + (once ? 0 : ms) });
  } finally {
    clearTimeout(timer);
    if (!options.connections) void opened?.close().catch(() => undefined);
  }
}

/** The variables that say which cloud: the node's, with the volume's choice over them. */
function environmentOf(
  { cloudName }: VolumeRequest,
  options: Pick<VaultSessionOptions, 'settings' | 'env'>,
): NodeJS.ProcessEnv {
  return {
    ...options.env,
    ...options.settings.environment,
    ...(cloudName !== '' && { AZURE_CLOUD_ENV: cloudName }),
  };
}

/** `West US 2` and `westus2` are the same place. */
function checkRegion({ region, vault }: VolumeRequest, told: string | undefined): void {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');
  if (region === undefined || !told || plain(region) === plain(told)) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `validation failed, the vault ${vault} is in the region ${told}, not in ${region.slice(0, 80)}; fix the option region or keyvaultname`,
  );
}
