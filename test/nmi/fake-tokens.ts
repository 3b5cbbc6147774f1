import type { FakeAnswer, SeenRequest } from '../fakes/azure-server.ts';
import { rid } from './objects.ts';

export const resource = 'https://vault.azure.net';
let counter = 0;

/** A token that says what it is for; unsigned, as nobody here checks signatures. */
export function fakeToken(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ jti: ++counter, nbf: 1_700_000_000, ...claims })}.x`;
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
}

/** The metadata endpoint of these tests knows the identity `rid('x')` as `client-x`. */
function clientOf(resourceId: string): string {
  return resourceId.startsWith(rid('')) ? `client-${resourceId.slice(rid('').length)}` : resourceId;
}

/** An IMDS that knows every identity; `oid` of a token is `oid-` and the client id. */
export function anyIdentity({ url }: SeenRequest): FakeAnswer {
  const parsed = new URL(`http://imds${url.startsWith('/') ? url : '/'}`);
  if (!parsed.pathname.startsWith('/metadata/identity/oauth2/token')) return { body: { path: url } };
  const resourceId = parsed.searchParams.get('msi_res_id');
  const client = parsed.searchParams.get('client_id') ?? (resourceId && clientOf(resourceId)) ?? 'system';
  const audience = parsed.searchParams.get('resource');
  const expires = Math.floor(Date.now() / 1000) + 86_399;
  const token = fakeToken({ appid: client, aud: audience, oid: `oid-${client}` });
  return {
    body: {
      access_token: token,
      client_id: client,
      expires_in: '86399',
      expires_on: String(expires),
      not_before: '1700000000',
      resource: audience,
      token_type: 'Bearer',
    },
  };
}

/** An AAD that takes every credential. */
export function anyCredential({ url, body }: SeenRequest): FakeAnswer {
  const form = new URLSearchParams(body);
  const tenant = url.split('/')[1];
  const token = fakeToken({ appid: form.get('client_id'), tid: tenant, aud: form.get('scope') });
  return { body: { access_token: token, expires_in: 3599, token_type: 'Bearer' } };
}

/** A service that answers nothing with this text in its request until `release`. */
export function holding(text: string, answer: (request: SeenRequest) => FakeAnswer) {
  const released = Promise.withResolvers<void>();
  const held = ({ url, body }: SeenRequest) => `${url} ${body}`.includes(text);
  const serve = async (request: SeenRequest) => {
    if (held(request)) await released.promise;
    return answer(request);
  };
  return { held, serve, release: released.resolve, [Symbol.dispose]: released.resolve };
}
