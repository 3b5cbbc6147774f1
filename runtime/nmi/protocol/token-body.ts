import type { AccessToken } from '../../azure/types.ts';

/** The JSON text before and after `expires_in`, the one member that changes every second. */
interface SplitTokenBody {
  readonly resource: string;
  /** Seconds since the epoch. */
  readonly end: number;
  readonly head: string;
  readonly tail: string;
}

const partsOf = new WeakMap<AccessToken, SplitTokenBody>();

/**
 * The answer of the metadata endpoint as JSON, with upstream's member order, every value a string. `until`: an end
 * before the token's own, milliseconds since the epoch. The parts that do not depend on `now` are built once for each
 * token.
 */
export function tokenBody(token: AccessToken, resource: string, now: number, until?: number): string {
  const end = Math.floor(Math.min(token.expiresOn, until ?? Number.POSITIVE_INFINITY) / 1000);
  let parts = partsOf.get(token);
  if (parts?.resource !== resource || parts.end !== end) {
    parts = write(token, resource, now, end);
    partsOf.set(token, parts);
  }
  return `${parts.head}${Math.max(0, end - Math.floor(now / 1000))}${parts.tail}`;
}

function write({ token }: AccessToken, resource: string, now: number, end: number): SplitTokenBody {
  const claim = jwtClaims(token)['nbf'];
  const notBefore = typeof claim === 'number' && Number.isFinite(claim) ? claim : Math.floor(now / 1000);
  const head = `{"access_token":${JSON.stringify(token)},"refresh_token":"","expires_in":"`;
  const rest = {
    expires_on: String(end),
    not_before: String(notBefore),
    resource,
    token_type: 'Bearer',
  };
  return { resource, end, head, tail: `",${JSON.stringify(rest).slice(1)}` };
}

/** The claims of a token, unverified; none where it is not a JWT. */
export function jwtClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
