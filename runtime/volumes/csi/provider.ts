import { hideSecrets } from '../../azure/arm/errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, type ErrorCode, messageOf } from '../../base/errors.ts';
import { type Logger, silentLogger } from '../../base/observability/log.ts';
import type { VaultPool } from '../agent/vault-pool.ts';
import type { PodReference } from '../options/volume-request.ts';
import type { MountAnswer, MountCall } from './messages.ts';
import { providerFiles } from './provider-files.ts';
import { type NodeCloud, namespaceOf, type ProviderRequest, readMountCall, secretsOf } from './provider-request.ts';

export interface ProviderOptions {
  /** Reads vaults as the identities of volumes. */
  readonly vaults: Pick<VaultPool, 'inTurn' | 'use'>;
  /** Longest call, where the caller would wait longer. */
  readonly deadlineSeconds: number;
  /** The pod that a volume is for. Throws where it is not authenticated. @default the one that the driver tells of */
  readonly authenticate?: (request: ProviderRequest, signal: AbortSignal) => Promise<PodReference>;
  /** What describes AzureStackCloud to this node; volumes can name no other. @default nothing does */
  readonly cloud?: NodeCloud;
  /** Adds files `.crt` and `.key` beside each certificate with its key. @default false */
  readonly separateFiles?: boolean;
  /** After each call. */
  readonly onAnswer?: (result: 'mounted' | 'failed', ms: number) => void;
  /** @default none */
  readonly log?: Logger;
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
  const { clock = systemClock, log = silentLogger, separateFiles: separate = false } = options;
  const started = clock.monotonic();
  const took = () => Math.round(clock.monotonic() - started);
  // What is said after the caller stopped waiting, nobody hears.
  const left = Math.floor((options.deadline - clock.now() - 1000) / 1000);
  const seconds = Math.max(1, Math.min(options.deadlineSeconds, left));
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(lateError(seconds)), seconds * 1000);
  const signal = AbortSignal.any([options.signal, late.signal]);
  let told: object = {};
  try {
    const read = () => readMountCall(call, options.cloud);
    const request = await options.vaults.inTurn(namespaceOf(call), signal, read);
    const { pod, vault } = request;
    told = { namespace: pod.namespace, pod: pod.name, vault };
    const authenticated = { ...request, pod: options.authenticate ? await options.authenticate(request, signal) : pod };
    const deadline = started + seconds * 1000;
    const answer = await options.vaults.use(authenticated, signal, (opened) =>
      providerFiles(request.objects, { ...opened, deadline: Math.min(deadline, opened.deadline), separate }),
    );
    options.onAnswer?.('mounted', took());
    log.info({ ...told, files: answer.files.length, ms: took() }, 'a CSI volume is answered');
    return answer;
  } catch (error) {
    const failure = failureOf(error, secretsOf(call));
    options.onAnswer?.('failed', took());
    log.warn({ ...told, ms: took(), status: failure.code, reason: failure.message }, 'a CSI volume is refused');
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}

function lateError(seconds: number): AzimuthError {
  return new AzimuthError(
    'AZ_KEYVAULT_UNREACHABLE',
    `The objects of the vault were not there within ${seconds} s; it is tried again`,
  );
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
  AZ_VOLUME_REFUSED: grpcStatus.permissionDenied,
  AZ_VOLUME_AGENT: grpcStatus.deadlineExceeded,
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
