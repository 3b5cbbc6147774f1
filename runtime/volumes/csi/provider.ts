import { hideSecrets } from '../../azure/arm-errors.ts';
import { KeyVaultError } from '../../azure/key-vault-error.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, type ErrorCode, messageOf } from '../../base/errors.ts';
import type { HttpOptions } from '../../base/http.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import type { FetchOptions } from '../fetch.ts';
import { type DriverSettings, defaultSettings } from '../settings.ts';
import { withVault } from '../vault-session.ts';
import type { MountAnswer, MountCall } from './messages.ts';
import { providerFiles } from './provider-files.ts';
import { type ProviderRequest, readMountCall, secretsOf } from './provider-request.ts';

export interface ProviderOptions {
  /** The cloud and proxy (AZURE_*), proof to the node daemon, longest call. @default those of the FlexVolume driver */
  readonly settings?: Partial<Pick<DriverSettings, 'deadlineSeconds' | 'environment' | 'hostTokenFile'>>;
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** Port of the node daemon on this node. @default 2579 */
  readonly nmiPort?: number | undefined;
  /** Adds files `.crt` and `.key` beside each certificate with its key. @default false */
  readonly separateFiles?: boolean;
  /** Throws where the pod may not have these objects. @default everything that the identity can read is allowed */
  readonly authorize?: (request: ProviderRequest, signal: AbortSignal) => Promise<void>;
  readonly log?: Logger;
  /** Of connections to AAD and the vault. @default trust and proxies of the process */
  readonly http?: HttpOptions | undefined;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** Status codes of gRPC that are used here (https://grpc.github.io/grpc/core/md_doc_statuscodes.html). */
export const grpcStatus = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  internal: 13,
} as const;

/** A refusal as the driver gets it, which puts the message into an event of the pod. */
export class ProviderFailure extends Error {
  /** Status code of gRPC. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProviderFailure';
    this.code = code;
  }
}

/**
 * The answer to one `Mount`. `deadline` is when the caller stops waiting, in milliseconds since the epoch; the reason is
 * told a moment before it. Rejects with ProviderFailure; no message has a secret in it.
 */
export async function mountProvider(
  call: MountCall,
  options: ProviderOptions & { readonly signal: AbortSignal; readonly deadline: number },
): Promise<MountAnswer> {
  const { clock = systemClock, log = silentLogger, signal } = options;
  const started = clock.monotonic();
  let pod: object = {};
  try {
    const request = readMountCall(call, options.nmiPort);
    pod = { namespace: request.pod.namespace, pod: request.pod.name, vault: request.vault };
    await options.authorize?.(request, signal);
    const answer = await withVault(request, sessionOptions(options, clock), (vault: FetchOptions) =>
      providerFiles(request.objects, { ...vault, separate: options.separateFiles ?? false }),
    );
    log.info(
      { ...pod, files: answer.files.length, ms: Math.round(clock.monotonic() - started) },
      'a volume is answered',
    );
    return answer;
  } catch (error) {
    const failure = failureOf(error, secretsOf(call));
    const ms = Math.round(clock.monotonic() - started);
    log.warn({ ...pod, ms, status: failure.code, error: failure.message }, 'a volume is refused');
    throw failure;
  }
}

function sessionOptions(
  options: ProviderOptions & { readonly signal: AbortSignal; readonly deadline: number },
  clock: Clock,
) {
  const settings = { ...defaultSettings, ...options.settings };
  // What is said after the caller stopped waiting, nobody hears.
  const left = Math.floor((options.deadline - clock.now() - 1000) / 1000);
  const deadlineSeconds = Math.max(1, Math.min(settings.deadlineSeconds, left));
  return {
    settings: { ...settings, deadlineSeconds },
    env: options.env ?? process.env,
    http: options.http,
    signal: options.signal,
    clock,
  };
}

function failureOf(error: unknown, secrets: readonly string[]): ProviderFailure {
  const code = error instanceof AzimuthError ? `${error.code}: ` : '';
  return new ProviderFailure(statusOf(error), hideSecrets(`${code}${messageOf(error)}`, secrets));
}

/** None is UNAVAILABLE: the driver would ask again at once, and the waiting was done here. */
const statuses: Partial<Record<ErrorCode, number>> = {
  AZ_CONFIG_INVALID: grpcStatus.invalidArgument,
  AZ_AUTH_FAILED: grpcStatus.permissionDenied,
  AZ_AUTH_UNREACHABLE: grpcStatus.deadlineExceeded,
  AZ_KEYVAULT_REFUSED: grpcStatus.permissionDenied,
  AZ_KEYVAULT_UNREACHABLE: grpcStatus.deadlineExceeded,
  AZ_VOLUME_CONTENT: grpcStatus.failedPrecondition,
  AZ_VOLUME_MOUNT: grpcStatus.resourceExhausted,
};

function statusOf(error: unknown): number {
  if (!(error instanceof AzimuthError)) return grpcStatus.internal;
  const { cause } = error;
  const vault = error instanceof KeyVaultError ? error : cause instanceof KeyVaultError ? cause : undefined;
  if (vault?.status === 404) return grpcStatus.notFound;
  if (vault?.status === 429) return grpcStatus.resourceExhausted;
  if (vault !== undefined && vault.status >= 500) return grpcStatus.deadlineExceeded;
  return statuses[error.code] ?? grpcStatus.internal;
}
