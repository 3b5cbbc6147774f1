import { type AzureDeps, createAzureDeps } from '../../azure/azure-deps.ts';
import { KeyVault } from '../../azure/key-vault/client.ts';
import { abortWith } from '../../base/abort.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { HttpOptions } from '../../base/http/client.ts';
import type { DriverSettings } from '../options/settings.ts';
import type { VolumeSpec } from '../options/volume-spec.ts';
import type { FetchOptions } from './fetch.ts';
import { checkMachineIdentity } from './machine-identity.ts';
import { authorizerOf, type VolumeTokenDeps } from './token-source.ts';

/** How to open a vault for a volume. */
export interface VaultSessionOptions {
  readonly settings: Pick<DriverSettings, 'cloud' | 'deadlineSeconds' | 'environment' | 'machineIdentities'>;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts the session before its deadline. */
  readonly signal: AbortSignal;
  /** Options of the connections to Microsoft Entra ID and the vault. @default trust and proxies of the process */
  readonly http?: HttpOptions | undefined;
  /** @default systemClock */
  readonly clock?: Clock;
  /** Connections that other sessions share. @default its own */
  readonly connections?: (request: VolumeSpec) => VaultConnections;
  /** See IdentityContext. */
  readonly nodeDaemon?: VolumeTokenDeps['nodeDaemon'];
  readonly identityScopes?: VolumeTokenDeps['identityScopes'];
  readonly poolTokens?: VolumeTokenDeps['poolTokens'];
  /** Whether to try each request once, for callers that retry themselves. @default false */
  readonly once?: boolean;
}

/** Connections to a cloud's vaults and its token endpoints. The caller closes them. */
export interface VaultConnections {
  readonly azure: AzureDeps;
  close(): Promise<void>;
}

/** Longest list of versions: some 4,000 of them. A node agent reads the lists of many objects at a time. */
const maxListCharacters = 1024 * 1024;

/** Opens connections for volumes of the same cloud as `request`. Throws AZ_CONFIG_INVALID for an unknown cloud. */
export function openConnections(
  request: VolumeSpec,
  options: Pick<VaultSessionOptions, 'settings' | 'env' | 'clock' | 'http'>,
): VaultConnections {
  const { clock = systemClock } = options;
  const azure = createAzureDeps(environmentOf(request, options), {
    clock,
    http: { connectTimeoutMs: 5000, ...options.http },
    cloudDescription: options.settings.cloud,
  });
  return { azure, close: () => azure.close() };
}

/**
 * Calls `use` with the vault of a volume, opened with the volume's identity and limited by the node's deadline. Throws
 * AZ_VOLUME_REFUSED where the node does not allow the identity, and the errors of `use`.
 */
export async function withVault<T>(
  request: VolumeSpec,
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
  const unlink = abortWith(timeout, options.signal);
  const { signal } = timeout;
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
      maxListCharacters,
      onAnswer: (headers) => checkRegion(request, headers['x-ms-keyvault-region']),
    });
    return await use({ vault, clock, signal, deadline: clock.monotonic() + (once ? 0 : ms) });
  } finally {
    unlink();
    clearTimeout(timer);
    if (!options.connections) void opened?.close().catch(() => undefined);
  }
}

/** The variables that select the cloud: the node's, overridden by the volume's. */
function environmentOf(
  { cloudName }: VolumeSpec,
  options: Pick<VaultSessionOptions, 'settings' | 'env'>,
): NodeJS.ProcessEnv {
  return {
    ...options.env,
    ...options.settings.environment,
    ...(cloudName !== '' && { AZURE_CLOUD_ENV: cloudName }),
  };
}

/** Throws AZ_CONFIG_INVALID for a vault of another region. `West US 2` and `westus2` are equal. */
function checkRegion({ region, vault }: VolumeSpec, actual: string | undefined): void {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');
  if (region === undefined || !actual || plain(region) === plain(actual)) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `validation failed, the vault ${vault} is in the region ${actual}, not in ${region.slice(0, 80)}; fix the option region or keyvaultname`,
  );
}
