import { AzimuthError } from '../../base/errors.ts';
import { hideSecrets } from '../arm/errors.ts';

export interface AuthErrorFacts {
  /** HTTP status of the refusal. */
  readonly status: number;
  /** AADSTS7000215, or undefined where the other side gave none (IMDS). */
  readonly aadCode: string | undefined;
  /** OAuth error such as invalid_client. */
  readonly oauthError: string | undefined;
  /** First sentence of the description, without ids and times. */
  readonly description: string | undefined;
  readonly traceId: string | undefined;
  readonly correlationId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** AZ_AUTH_FAILED with what AAD or the metadata endpoint said. */
export class AuthError extends AzimuthError {
  readonly facts: AuthErrorFacts;

  constructor(who: string, authorizer: string, facts: AuthErrorFacts) {
    const code = [facts.aadCode, facts.oauthError].filter(Boolean).join(' ') || `HTTP ${facts.status}`;
    const ids = [
      facts.traceId && `trace id ${facts.traceId}`,
      facts.correlationId && `correlation id ${facts.correlationId}`,
    ].filter(Boolean);
    super(
      'AZ_AUTH_FAILED',
      `${who} refused a token to the ${authorizer}: ${code}${facts.description ? `: ${facts.description}` : ''}` +
        (ids.length > 0 ? ` (${ids.join(', ')})` : ''),
      { retryAfterMs: facts.retryAfterMs },
    );
    this.facts = facts;
  }
}

/**
 * Reads an OAuth error document. `secrets` are cut out of every text taken over, should the other side ever echo one.
 */
export function authErrorFacts(
  status: number,
  body: unknown,
  retryAfterMs: number | undefined,
  secrets: readonly string[],
): AuthErrorFacts {
  const document = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (member: string): string | undefined => {
    const value = document[member];
    if (typeof value !== 'string' || value === '') return undefined;
    return hideSecrets(value, secrets);
  };
  const description = text('error_description');
  const numeric = Array.isArray(document['error_codes']) ? document['error_codes'][0] : undefined;
  return {
    status,
    aadCode:
      /\bAADSTS\d+\b/.exec(description ?? '')?.[0] ?? (typeof numeric === 'number' ? `AADSTS${numeric}` : undefined),
    oauthError: text('error'),
    description: description
      ?.replace(/^AADSTS\d+:\s*/, '')
      .split(/\s*(?:\r?\n|Trace ID:|Correlation ID:|Timestamp:)/)[0]
      ?.slice(0, 500),
    traceId: text('trace_id'),
    correlationId: text('correlation_id'),
    retryAfterMs,
  };
}
