import type { ErrorOverride } from '../../api/types.ts';
import { reasons } from '../../arm-kinds/names.ts';
import { ArmError, classifyArmError, isTransient, stripVolatile } from '../../azure/arm/errors.ts';
import { AuthUnavailable } from '../../azure/identity/entra-errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import type { ArmErrorInfo, RetryClass } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { DatabaseError } from '../../databases/error.ts';

/** A failure in the terms of a condition and of the next try. Times in milliseconds. */
export interface FailureInfo {
  readonly reason: string;
  /** Without request ids and times, so that the message does not change from one try to the next. */
  readonly message: string;
  readonly retryClass: RetryClass;
  readonly retryAfterMs: number | undefined;
  /** x-ms-request-id of ARM or Key Vault. */
  readonly requestId: string | undefined;
}

/** Computes reason, message and retry class of an error that an effect threw. */
export function failureInfo(error: unknown, overrides: readonly ErrorOverride[]): FailureInfo {
  if (error instanceof ArmError) return armFailure(error.info, overrides);
  if (error instanceof KeyVaultError) return vaultFailure(error);
  if (error instanceof DatabaseError) return databaseFailure(error);
  const {
    code,
    retryable = true,
    retryAfterMs,
  } = error instanceof AzimuthError ? error : ({} as Partial<AzimuthError>);
  const message = stripVolatile(messageOf(error));
  const fixed = { message, retryAfterMs, requestId: undefined };
  switch (code) {
    case 'AZ_AUTH_FAILED':
      return { reason: reasons.authenticationFailed, retryClass: 'slow', ...fixed };
    case 'AZ_AUTH_UNREACHABLE':
      return { reason: reasons.authenticationUnavailable, retryClass: 'slow', ...fixed };
    case 'AZ_KEYVAULT_UNREACHABLE': {
      const withFix = `${message}; check the name of the vault and the way to it`;
      return { reason: reasons.keyVaultUnavailable, retryClass: 'slow', ...fixed, message: withFix };
    }
    case 'AZ_CONFLICT_OWNED':
      // The watch reports when the owner of a Kubernetes object releases it; a secret in a vault has no watch.
      return { reason: reasons.failedWriting, retryClass: 'slow', ...fixed };
    case 'AZ_ARM_BUSY':
      return { reason: reasons.blocked, retryClass: 'fast', ...fixed };
    case 'AZ_TERMINAL':
      return { reason: reasons.failedPermanently, retryClass: 'none', ...fixed };
    default:
      return { reason: reasons.failed, retryClass: retryable ? 'slow' : 'verySlow', ...fixed };
  }
}

const databaseReasons: Readonly<Record<DatabaseError['failure'], string>> = {
  unreachable: reasons.databaseUnavailable,
  unknown: reasons.databaseUnavailable,
  login: reasons.authenticationFailed,
  waiting: reasons.waitingForOwner,
  refused: reasons.failed,
  partial: reasons.failed,
  invalid: reasons.failedPermanently,
};

/** A person may fix the cause of a refusal on the server, without a change of the object. */
function databaseFailure({ failure, message }: DatabaseError): FailureInfo {
  const retryClass = failure === 'invalid' ? 'none' : 'slow';
  return { reason: databaseReasons[failure], message, retryClass, retryAfterMs: undefined, requestId: undefined };
}

/** A role or a network rule may take minutes to take effect, without notice; a request that is wrong stays wrong. */
function vaultFailure(error: KeyVaultError): FailureInfo {
  const { status, requestId, retryAfterMs } = error;
  const message = stripVolatile(error.message).replace(/ \(request [^()]*\)/, '');
  const info = { message, requestId, retryAfterMs };
  if (status === 401 || status === 403) return { reason: reasons.keyVaultAccessDenied, retryClass: 'slow', ...info };
  if (isTransient(status)) return { reason: reasons.keyVaultUnavailable, retryClass: 'slow', ...info };
  if (status !== 400) return { reason: reasons.failedWritingKeyVault, retryClass: 'slow', ...info };
  const withFix = `${message}; if the value is too long for one secret, set operatorSpec.keyVault.flatten or fewer keys`;
  return { reason: reasons.failedWritingKeyVault, retryClass: 'verySlow', ...info, message: withFix };
}

/** Azure or our own rate limit postponed the request: that proves nothing about the resource. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof ArmError) return error.info.status === 429;
  if (error instanceof KeyVaultError || error instanceof AuthUnavailable) return error.status === 429;
  return error instanceof AzimuthError && error.code === 'AZ_ARM_THROTTLED';
}

/** The failure of an error that ARM answered. */
export function armFailure(info: ArmErrorInfo, overrides: readonly ErrorOverride[]): FailureInfo {
  const { code, message, retryClass, retryAfterMs, requestId, status } = classifyArmError(info, overrides);
  const text = stripVolatile(message) || `HTTP ${status}`;
  return { reason: code, message: text, retryClass, retryAfterMs, requestId };
}

const second = 1000;
/** Longest wait between two tries of a failure that seldom ends by itself, where there is no periodic check. */
export const longestWaitMs = 3600 * second;
/** The first wait after such a failure: some of them still end within a minute. */
const firstVerySlowMs = 5 * second;
const limits = { fast: 30 * second, slow: 180 * second } as const;

/** Milliseconds to the next try; undefined for none. At least ARM's own Retry-After. */
export function retryDelay(
  { retryClass, retryAfterMs = 0 }: Pick<FailureInfo, 'retryClass' | 'retryAfterMs'>,
  attempt: number,
  syncPeriodMs: number | undefined,
): number | undefined {
  if (retryClass === 'none') return undefined;
  if (retryClass === 'verySlow') {
    const maxMs = syncPeriodMs ?? longestWaitMs;
    return Math.max(retryAfterMs, backoff(attempt, { initialMs: Math.min(firstVerySlowMs, maxMs), maxMs }));
  }
  return Math.max(retryAfterMs, backoff(attempt, { initialMs: second, maxMs: limits[retryClass] }));
}

/** Milliseconds until a postponed check runs: soon, but not together with all other postponed checks. */
export function putOffDelay(retryAfterMs: number | undefined, syncPeriodMs: number | undefined): number {
  return Math.max(retryAfterMs ?? 0, jittered(Math.min(60 * second, syncPeriodMs ?? Number.POSITIVE_INFINITY)));
}

/** A period less up to a quarter, so that objects that were created together do not stay together. */
export function jittered(periodMs: number): number {
  return Math.round(periodMs * (1 - 0.25 * Math.random()));
}

/** The part of a condition about the next try; without a clock time, which would change with every try. */
export function retryNote(retryClass: RetryClass): string {
  switch (retryClass) {
    case 'none':
      return 'It is not tried again until the object changes.';
    case 'verySlow':
      return 'It is retried with backoff up to the resync period, or when the object changes.';
    default:
      return `It is tried again, at least every ${limits[retryClass] / second} s.`;
  }
}
