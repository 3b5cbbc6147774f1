import type { Opening } from '../../api/pod-identity/availability.ts';
import { AuthError } from '../../azure/identity/entra-errors.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { HttpError, tooManyRequests } from '../protocol/http-error.ts';
import { IdentityRefused } from './credential-definition.ts';
import { RefusedForNow } from './credential-rotation.ts';
import { AccountRefused } from './service-account-tokens.ts';
import { isTransient, TooManyTokenRequests } from './token-requests.ts';

/** The window state of a closed binding. */
export type Closed = Extract<Opening, { open: false }>;
/** Reason of the error for a closed binding. */
export const notAvailable = 'NotAvailable';

/** 403 for an identity whose binding is closed; Retry-After where its opening time is known. */
export function closedError({ opensAt, reason }: Closed, now: number): HttpError {
  const when = opensAt === undefined ? 'It will not open by itself' : `It opens at ${new Date(opensAt).toISOString()}`;
  return new HttpError(403, `the identity is not available now: ${reason}. ${when}`, {
    reason: notAvailable,
    ...(opensAt !== undefined && { retryAfterSeconds: Math.ceil((opensAt - now) / 1000) }),
  });
}

/**
 * The HTTP error of a failed token request: 403 where Entra or IMDS refused, as upstream; 503 where there was no
 * answer, an answer with Retry-After, or an unreadable credential.
 */
export function tokenError(error: unknown): HttpError {
  const prefix = 'failed to get service principal token, error: ';
  const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
  if (isTransient(error)) {
    const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000));
    const reason =
      error instanceof TooManyTokenRequests
        ? tooManyRequests
        : error instanceof RefusedForNow
          ? 'TokenServiceRefused'
          : 'TokenServiceFailing';
    return new HttpError(503, prefix + messageOf(error), { reason, retryAfterSeconds });
  }
  if (error instanceof IdentityRefused) return new HttpError(403, messageOf(error), { reason: error.reason });
  if (error instanceof AccountRefused)
    return new HttpError(403, prefix + messageOf(error), { reason: 'ServiceAccountRefused' });
  if (error instanceof AuthError)
    return new HttpError(403, prefix + messageOf(error), { reason: 'TokenServiceRefused' });
  // The messages name Secrets, which may be another tenant's.
  const message =
    error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID' && !error.message.includes('Secret ')
      ? messageOf(error)
      : "the AzureIdentity's credential cannot be read; see the events of its binding";
  return new HttpError(503, prefix + message, {
    reason: 'CredentialUnusable',
    detail: messageOf(error),
    retryAfterSeconds: 5,
  });
}

/** 500 for an unforeseen error; its text goes to the log only. */
export function internalError(error: unknown): HttpError {
  return new HttpError(500, 'internal error', { reason: 'InternalError', detail: messageOf(error) });
}
