import { AzimuthError } from '../../base/errors.ts';

/** The challenge of a vault in the WWW-Authenticate header of its 401. */
export interface Challenge {
  /** Audience of the token, without `/.default`. */
  readonly audience: string;
  readonly tenantId: string | undefined;
  /** Claims of continuous access evaluation, as JSON. */
  readonly claims: string | undefined;
}

/**
 * Reads `Bearer authorization="https://login…/{tenant}", resource="https://vault.azure.net"` with the variants in use:
 * `authorization_uri`/`authorization_url`, `scope` for `resource`, no quotes, `claims` in base64. Undefined if there is
 * no Bearer challenge with a resource.
 */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const bearer = /(?:^|,\s*)Bearer\s+(.*)$/is.exec(header ?? '')?.[1];
  if (!bearer) return undefined;
  const values = new Map<string, string>();
  for (const [, name, quoted, plain] of bearer.matchAll(
    /([a-z_]{1,64})\s{0,8}=\s{0,8}(?:"([^"]{0,2048})"|([^\s,]{1,2048}))/gi,
  )) {
    values.set((name as string).toLowerCase(), quoted ?? plain ?? '');
  }
  const audience = (values.get('resource') || values.get('scope'))?.replace(/\/\.default$/, '');
  if (!audience) return undefined;
  const authorization =
    values.get('authorization') ?? values.get('authorization_uri') ?? values.get('authorization_url') ?? '';
  const tenantId = URL.parse(authorization)?.pathname.split('/')[1] || undefined;
  const claims = values.get('error') === 'insufficient_claims' ? values.get('claims') : undefined;
  return { audience, tenantId, claims: claims && Buffer.from(claims, 'base64').toString('utf8') };
}

/**
 * Holds a challenge against the vault that sent it: the vault's host must lie beneath the host of the audience, else a
 * foreign host could ask for a token to some other service. Throws AZ_KEYVAULT_REFUSED.
 */
export function verifyChallenge(challenge: Challenge, vault: URL): void {
  const resource = URL.parse(challenge.audience);
  if (resource?.protocol === 'https:' && vault.hostname.endsWith(`.${resource.hostname}`)) return;
  throw new AzimuthError(
    'AZ_KEYVAULT_REFUSED',
    `The vault ${vault.hostname} asks for a token to ${challenge.audience}, which is not the domain it lies in; ` +
      'no token was requested',
    { retryable: false },
  );
}
