import type { AccessToken } from '../azure/types.ts';

/** The answer of the metadata endpoint, as upstream shapes it: this order, and every value a string. */
export function tokenBody({ token, expiresOn }: AccessToken, resource: string, now: number): object {
  const claim = jwtClaims(token)['nbf'];
  const notBefore = typeof claim === 'number' && Number.isFinite(claim) ? claim : Math.floor(now / 1000);
  const end = Math.floor(expiresOn / 1000);
  return {
    access_token: token,
    refresh_token: '',
    expires_in: String(Math.max(0, end - Math.floor(now / 1000))),
    expires_on: String(end),
    not_before: String(notBefore),
    resource,
    token_type: 'Bearer',
  };
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
