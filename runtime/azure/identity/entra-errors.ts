import { AzimuthError } from '../../base/errors.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import { hideSecrets } from '../arm/errors.ts';
import type { HttpAnswer } from '../http-call.ts';
import { passingRefusal } from './entra-codes.ts';

/** Longest answer of a token service that is read. */
export const TOKEN_ANSWER_BYTES = 1024 * 1024;

/** The members of a refused token request. */
export interface AuthErrorInfo {
  /** HTTP status of the refusal. */
  readonly status: number;
  /** AADSTS7000215, or undefined where the other side gave none (IMDS). */
  readonly entraCode: string | undefined;
  /** OAuth error such as invalid_client. */
  readonly oauthError: string | undefined;
  /** First sentence of the description, without ids and times. */
  readonly description: string | undefined;
  readonly traceId: string | undefined;
  readonly correlationId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** AZ_AUTH_FAILED with the answer of Microsoft Entra ID or of the metadata endpoint. */
export class AuthError extends AzimuthError {
  readonly info: AuthErrorInfo;
  /** Whether the refusal may end by itself, because a replica does not know the credential yet (`entraCodes`). */
  readonly mayPass: boolean;

  constructor(who: string, authorizer: string, info: AuthErrorInfo) {
    const ids = [
      info.traceId && `trace id ${info.traceId}`,
      info.correlationId && `correlation id ${info.correlationId}`,
    ].filter(Boolean);
    super(
      'AZ_AUTH_FAILED',
      `${who} refused a token to the ${authorizer}: ${codesOf(info)}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}`,
      { retryAfterMs: info.retryAfterMs },
    );
    this.info = info;
    this.mayPass = passingRefusal(info.entraCode, info.oauthError)?.kind === 'replication';
  }
}

/** The codes of a refusal with its description. */
function codesOf({ entraCode, oauthError, status, description }: AuthErrorInfo): string {
  const code = [entraCode, oauthError].filter(Boolean).join(' ') || `HTTP ${status}`;
  return description ? `${code}: ${description}` : code;
}

/**
 * AZ_AUTH_UNREACHABLE: the token service answered, but decided nothing about the credential. `problem`: its own words.
 */
export class AuthUnavailable extends AzimuthError {
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(
    who: string,
    authorizer: string,
    { status }: Pick<HttpAnswer, 'status'>,
    retryAfterMs: number | undefined,
    problem = passing(status),
  ) {
    super('AZ_AUTH_UNREACHABLE', `${who} gave no token to the ${authorizer}: ${problem}`, { retryAfterMs });
    this.status = status;
  }
}

function passing(status: number): string {
  if (status === 429) return 'it throttles requests (HTTP 429)';
  if (status < 300) return `it answered HTTP ${status} without a token`;
  if (status < 400) return `it answered with a redirect (HTTP ${status}); check the authority host and the way to it`;
  return `it failed (HTTP ${status})`;
}

/** Whether Entra or the metadata endpoint refused the client or its credential, whatever the resource of the request. */
export function refusesCredential(error: unknown): error is AuthError {
  if (!(error instanceof AuthError)) return false;
  return error.mayPass || ['invalid_client', 'unauthorized_client'].includes(error.info.oauthError ?? '');
}

/**
 * The error for an answer without a token: a refusal of the credential, or a failure that passes. Entra reports some
 * failures of its own with 400 and 401: the code decides.
 */
export function authFailure(
  who: string,
  authorizer: string,
  answer: HttpAnswer,
  now: number,
  secrets: readonly string[],
): AuthError | AuthUnavailable {
  const { status, headers, body } = answer;
  const retryAfterMs = retryAfterOf(headers, now);
  const decided = status >= 400 && status < 500 && ![408, 410, 429].includes(status);
  if (!decided) return new AuthUnavailable(who, authorizer, answer, retryAfterMs);
  const info = authErrorInfo(status, body, retryAfterMs, secrets);
  const passing = passingRefusal(info.entraCode, info.oauthError);
  if (passing?.kind !== 'transient') return new AuthError(who, authorizer, info);
  return new AuthUnavailable(who, authorizer, answer, retryAfterMs ?? passing.retryAfterMs, codesOf(info));
}

/**
 * Reads an OAuth error document. `secrets` are cut out of every text taken over, should the other side ever echo one.
 */
export function authErrorInfo(
  status: number,
  body: unknown,
  retryAfterMs: number | undefined,
  secrets: readonly string[],
): AuthErrorInfo {
  const document = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (member: string): string | undefined => {
    const value = document[member];
    if (typeof value !== 'string' || value === '') return undefined;
    return hideSecrets(value, secrets).slice(0, 4096);
  };
  const description = text('error_description');
  const numeric = Array.isArray(document['error_codes']) ? document['error_codes'][0] : undefined;
  return {
    status,
    entraCode:
      /\bAADSTS\d+\b/.exec(description ?? '')?.[0] ?? (typeof numeric === 'number' ? `AADSTS${numeric}` : undefined),
    oauthError: text('error')?.slice(0, 100),
    description: description
      ?.replace(/^AADSTS\d+:\s*/, '')
      .split(/\r?\n|Trace ID:|Correlation ID:|Timestamp:/)[0]
      ?.trimEnd()
      ?.slice(0, 500),
    traceId: text('trace_id')?.slice(0, 100),
    correlationId: text('correlation_id')?.slice(0, 100),
    retryAfterMs,
  };
}
