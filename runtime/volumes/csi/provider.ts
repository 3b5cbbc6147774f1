import { hideSecrets } from '../../azure/arm/errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import { abortWith } from '../../base/abort.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, type ErrorCode, messageOf } from '../../base/errors.ts';
import { type Logger, silentLogger } from '../../base/observability/log.ts';
import type { VaultPool } from '../agent/pool/vault-pool.ts';
import type { ReadYaml } from '../options/bounded-yaml.ts';
import type { PodReference } from '../options/volume-spec.ts';
import type { MountAnswer, MountCall, MountFile } from './messages.ts';
import { providerFiles } from './provider-files.ts';
import {
  type NodeCloud,
  namespaceOf,
  type ProviderRequest,
  readMountCall,
  readTexts,
  secretsOf,
} from './provider-request.ts';

/** How the provider reads vaults and reports the results. */
export interface ProviderDeps {
  /** Reads vaults with the identities of volumes. */
  readonly vaults: Pick<VaultPool, 'readYaml' | 'use'>;
  /** Longest call in seconds; a shorter deadline of the caller takes precedence. */
  readonly deadlineSeconds: number;
  /** Authenticates the pod of a volume; throws where it cannot. @default the pod that the driver reports */
  readonly authenticate?: (request: ProviderRequest, signal: AbortSignal) => Promise<PodReference>;
  /** Called before the answer; throws where the node has no memory for the files. @default no bound */
  readonly reserve?: (targetPath: string, pod: PodReference, files: readonly MountFile[]) => void;
  /** The only description of AzureStackCloud that volumes may use. @default none */
  readonly cloud?: NodeCloud;
  /** Adds files `.crt` and `.key` beside each certificate with its key. @default false */
  readonly separateFiles?: boolean;
  /** Called after each call with its result and duration in milliseconds. */
  readonly onAnswer?: (result: 'mounted' | 'failed', ms: number) => void;
  /** @default none */
  readonly log?: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** gRPC status codes in use (https://grpc.github.io/grpc/core/md_doc_statuscodes.html). */
export const grpcStatus = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  internal: 13,
} as const;

/** A failed call with its gRPC status; the driver puts the message into an event of the pod. */
export class ProviderFailure extends Error {
  /** gRPC status code. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProviderFailure';
    this.code = code;
  }
}

/**
 * Answers one `Mount`. `deadline` of the caller is in milliseconds since the epoch; the call fails about a second
 * before it, so that the caller receives the reason. Rejects with ProviderFailure, whose message has no secret.
 */
export async function mountProvider(
  call: MountCall,
  deps: ProviderDeps & { readonly signal: AbortSignal; readonly deadline: number },
): Promise<MountAnswer> {
  const { clock = systemClock, log = silentLogger, separateFiles: separate = false } = deps;
  const started = clock.monotonic();
  const took = () => Math.round(clock.monotonic() - started);
  // The reason must arrive before the caller stops waiting.
  const left = Math.floor((deps.deadline - clock.now() - 1000) / 1000);
  const seconds = Math.max(1, Math.min(deps.deadlineSeconds, left));
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(lateError(seconds)), seconds * 1000);
  const unlink = abortWith(late, deps.signal);
  const { signal } = late;
  let logFields: object = {};
  let hidden: readonly string[] = [];
  try {
    const texts = readTexts(call);
    hidden = secretsOf(texts);
    const readYaml: ReadYaml = (job) => deps.vaults.readYaml(namespaceOf(texts), job, signal);
    const request = await readMountCall(texts, call.permission, deps.cloud, readYaml);
    const { pod, vault } = request;
    logFields = { namespace: pod.namespace, pod: pod.name, vault };
    const authenticated = { ...request, pod: deps.authenticate ? await deps.authenticate(request, signal) : pod };
    const deadline = started + seconds * 1000;
    const answer = await deps.vaults.use(authenticated, signal, (opened) =>
      providerFiles(request.objects, { ...opened, deadline: Math.min(deadline, opened.deadline), separate }),
    );
    deps.reserve?.(call.targetPath, authenticated.pod, answer.files);
    deps.onAnswer?.('mounted', took());
    log.info({ ...logFields, files: answer.files.length, ms: took() }, 'a CSI volume is answered');
    return answer;
  } catch (error) {
    const failure = failureOf(error, hidden);
    deps.onAnswer?.('failed', took());
    log.warn({ ...logFields, ms: took(), status: failure.code, reason: failure.message }, 'a CSI volume is refused');
    throw failure;
  } finally {
    unlink();
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

/**
 * gRPC status by error code. None is UNAVAILABLE, because the driver would retry at once and the provider has retried
 * already.
 */
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
