import type { ErrorOverride } from '../../api/types.ts';
import { reasons } from '../../arm-kinds/names.ts';
import { ArmError, classifyArmError, isTransient, stripVolatile } from '../../azure/arm/errors.ts';
import { AuthUnavailable } from '../../azure/identity/entra-errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import type { ArmErrorFacts, RetryClass } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';

/** A failure in the terms of a condition and of the next try. */
export interface FailureFacts {
  readonly reason: string;
  /** Without request ids and times: it must not change from one try to the next. */
  readonly message: string;
  readonly retryClass: RetryClass;
  readonly retryAfterMs: number | undefined;
  /** x-ms-request-id of ARM or Key Vault. */
  readonly requestId: string | undefined;
}

export function failureFacts(error: unknown, overrides: readonly ErrorOverride[]): FailureFacts {
  if (error instanceof ArmError) return armFailure(error.facts, overrides);
  if (error instanceof KeyVaultError) return vaultFailure(error);
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
      const mend = `${message}; check the name of the vault and the way to it`;
      return { reason: reasons.keyVaultUnavailable, retryClass: 'slow', ...fixed, message: mend };
    }
    case 'AZ_CONFLICT_OWNED':
      // Of an object in the cluster the watch tells when its owner lets go of it; of a secret in a vault nobody does.
      return { reason: reasons.failedWriting, retryClass: 'slow', ...fixed };
    case 'AZ_ARM_BUSY':
      return { reason: reasons.blocked, retryClass: 'fast', ...fixed };
    case 'AZ_TERMINAL':
      return { reason: reasons.failedPermanently, retryClass: 'none', ...fixed };
    default:
      return { reason: reasons.failed, retryClass: retryable ? 'slow' : 'verySlow', ...fixed };
  }
}

/** A role or a network rule may take minutes to count, and nobody tells; a request that is wrong in itself stays so. */
function vaultFailure(error: KeyVaultError): FailureFacts {
  const { status, requestId, retryAfterMs } = error;
  const message = stripVolatile(error.message).replace(/ \(request [^()]*\)/, '');
  const facts = { message, requestId, retryAfterMs };
  if (status === 401 || status === 403) return { reason: reasons.keyVaultAccessDenied, retryClass: 'slow', ...facts };
  if (isTransient(status)) return { reason: reasons.keyVaultUnavailable, retryClass: 'slow', ...facts };
  if (status !== 400) return { reason: reasons.failedWritingKeyVault, retryClass: 'slow', ...facts };
  const mend = `${message}; if the value is too long for one secret, set operatorSpec.keyVault.flatten or fewer keys`;
  return { reason: reasons.failedWritingKeyVault, retryClass: 'verySlow', ...facts, message: mend };
}

/** Azure, or our own keeping to its limits, put the request off: that says nothing about the resource. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof ArmError) return error.facts.status === 429;
  if (error instanceof KeyVaultError || error instanceof AuthUnavailable) return error.status === 429;
  return error instanceof AzimuthError && error.code === 'AZ_ARM_THROTTLED';
}

export function armFailure(facts: ArmErrorFacts, overrides: readonly ErrorOverride[]): FailureFacts {
  const { code, message, retryClass, retryAfterMs, requestId, status } = classifyArmError(facts, overrides);
  const said = stripVolatile(message) || `HTTP ${status}`;
  return { reason: code, message: said, retryClass, retryAfterMs, requestId };
}

const second = 1000;
/** Between two tries of what seldom passes by itself, where there is no periodic check. */
export const longestWaitMs = 3600 * second;
/** The first wait after such a failure: some of them pass within a minute all the same. */
const firstVerySlowMs = 5 * second;
const limits = { fast: 30 * second, slow: 180 * second } as const;

/** Time to the next try; undefined for none. ARM's own Retry-After is never undercut. */
export function retryDelay(
  { retryClass, retryAfterMs = 0 }: Pick<FailureFacts, 'retryClass' | 'retryAfterMs'>,
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

/** Time until a look that was put off is taken again: soon, but not with all others that were put off. */
export function putOffDelay(retryAfterMs: number | undefined, syncPeriodMs: number | undefined): number {
  return Math.max(retryAfterMs ?? 0, jittered(Math.min(60 * second, syncPeriodMs ?? Number.POSITIVE_INFINITY)));
}

/** A period less up to a quarter, so that objects made together do not stay together. */
export function jittered(periodMs: number): number {
  return Math.round(periodMs * (1 - 0.25 * Math.random()));
}

/** What a condition says about the next try; without a clock time, which would change with every try. */
export function retryNote(retryClass: RetryClass): string {
  switch (retryClass) {
    case 'none':
      return 'It is not tried again until the object changes.';
    case 'verySlow':
      return 'It is tried again after waits that grow to the period of the checks, or when the object changes.';
    default:
      return `It is tried again, at least every ${limits[retryClass] / second} s.`;
  }
}
