import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type JWK, SignJWT } from 'jose';
import { clouds } from '../../runtime/azure/clouds.ts';
import { ManualClock } from '../../runtime/base/clock.ts';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { SigningKeys } from '../../runtime/secrets/tokens/signing-keys.ts';
import { TokenVerifier } from '../../runtime/secrets/tokens/token-verifier.ts';
import { FakeAzure } from '../fakes/azure-server.ts';

const tenantId = '11111111-1111-1111-1111-111111111111';
const other = '22222222-2222-2222-2222-222222222222';
const oid = '33333333-3333-3333-3333-333333333333';
const start = Date.parse('2026-11-22T12:00:00Z');

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const next = generateKeyPairSync('rsa', { modulusLength: 2048 });
let published: JWK[];
let entra: FakeAzure;
let dispatcher: Dispatcher;

const jwk = (key: KeyObject, kid: string): JWK => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig' }) as JWK;

beforeAll(async () => {
  entra = await FakeAzure.start(({ url }) =>
    url.endsWith('/openid-configuration')
      ? { body: { jwks_uri: `${entra.url}/keys` } }
      : published.length > 0
        ? { body: { keys: published } }
        : { status: 503 },
  );
  dispatcher = createDispatcher({ ca: entra.ca, proxy: 'none' });
});
afterAll(async () => {
  await dispatcher.close();
  await entra[Symbol.asyncDispose]();
});

async function world() {
  published = [jwk(pair.publicKey, 'first')];
  const clock = new ManualClock(start);
  const cloud = { ...clouds.AzurePublicCloud, authorityHost: entra.url };
  const keys = new SigningKeys({ cloud, tenantId, dispatcher, clock, log: silentLogger });
  const stop = new AbortController();
  const running = keys.run(stop.signal);
  while (keys.problem() !== undefined) await new Promise((resolve) => setImmediate(resolve));
  const verifier = new TokenVerifier({
    keys,
    clock,
    tenantId,
    audiences: ['api://azimuth', other],
    issuers: [`https://sts.windows.net/${tenantId}/`, `${clouds.AzurePublicCloud.authorityHost}/${tenantId}/v2.0`],
    most: 3,
  });
  return {
    clock,
    verifier,
    reads: () => entra.requests.filter(({ url }) => url === '/keys').length,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

interface Changes {
  readonly claims?: object;
  readonly header?: object;
  readonly key?: KeyObject | Uint8Array;
}

async function token({ claims = {}, header = {}, key = pair.privateKey }: Changes = {}): Promise<string> {
  const now = start / 1000;
  const all = {
    iss: `https://sts.windows.net/${tenantId}/`,
    aud: 'api://azimuth',
    tid: tenantId,
    oid,
    sub: oid,
    appid: other,
    idtyp: 'app',
    nbf: now,
    exp: now + 3600,
    ...claims,
  };
  return await new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'first', ...header }).sign(key);
}

const unsigned = (claims: object, header: object) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

test('a token of an application for our audience names its object id, in version 1 and 2', async () => {
  await using made = await world();
  expect(await made.verifier.verify(`Bearer ${await token()}`)).toMatchObject({ objectId: oid, clientId: other });
  const v2 = { iss: `https://login.microsoftonline.com/${tenantId}/v2.0`, aud: other, azp: other, appid: undefined };
  expect(await made.verifier.verify(`Bearer ${await token({ claims: v2 })}`)).toMatchObject({ clientId: other });
  const withoutType = await token({ claims: { idtyp: undefined } });
  expect(await made.verifier.verify(`bearer ${withoutType}`)).toMatchObject({ objectId: oid });
});

const minute = 60;
const at = start / 1000;
const rows: [name: string, changes: Changes, reason: string, status: number][] = [
  ['another tenant', { claims: { iss: `https://sts.windows.net/${other}/`, tid: other } }, 'token_issuer', 401],
  ['our issuer and the id of another tenant', { claims: { tid: other } }, 'token_tenant', 401],
  ['no tenant', { claims: { tid: undefined } }, 'token_tenant', 401],
  ['another audience', { claims: { aud: 'https://management.azure.com/' } }, 'token_audience', 401],
  ['our audience with a slash', { claims: { aud: 'api://azimuth/' } }, 'token_audience', 401],
  ['a list of audiences', { claims: { aud: ['api://azimuth'] } }, 'token_audience', 401],
  ['expired ten minutes ago', { claims: { exp: at - 10 * minute } }, 'token_expired', 401],
  ['valid in ten minutes', { claims: { nbf: at + 10 * minute } }, 'token_not_yet_valid', 401],
  ['no end', { claims: { exp: undefined } }, 'token_claims', 401],
  ['a key of somebody else', { key: next.privateKey }, 'token_signature', 401],
  ['an unknown key', { header: { kid: 'other' } }, 'token_key_unknown', 401],
  ['no key id', { header: { kid: undefined } }, 'token_malformed', 401],
  ['HS256', { header: { alg: 'HS256' }, key: new Uint8Array(32) }, 'token_algorithm', 401],
  ['PS256', { header: { alg: 'PS256' } }, 'token_algorithm', 401],
  ['a user', { claims: { idtyp: 'user' } }, 'token_user', 403],
  ['a user without idtyp', { claims: { idtyp: undefined, scp: 'read', sub: 'pairwise' } }, 'token_user', 403],
  ['no object id', { claims: { oid: 'x', sub: 'x' } }, 'token_claims', 401],
];

test.each(rows)('a token of %s is refused', async (_name, changes, reason, status) => {
  await using made = await world();
  const sent = `Bearer ${await token(changes)}`;
  await expect(made.verifier.verify(sent)).rejects.toMatchObject({ reason, status });
});

test('without a token, with alg none, and with anything but a JWT there is a 401', async () => {
  await using made = await world();
  await expect(made.verifier.verify(undefined)).rejects.toMatchObject({ reason: 'token_missing', status: 401 });
  await expect(made.verifier.verify('Basic abc')).rejects.toMatchObject({ reason: 'token_missing' });
  await expect(made.verifier.verify(`Bearer ${'a'.repeat(9000)}`)).rejects.toMatchObject({ reason: 'token_missing' });
  await expect(made.verifier.verify('Bearer a.b.c')).rejects.toMatchObject({ reason: 'token_malformed' });
  const none = `Bearer ${unsigned({ oid, tid: tenantId }, { alg: 'none', kid: 'first' })}.`;
  await expect(made.verifier.verify(none)).rejects.toMatchObject({ reason: 'token_algorithm', status: 401 });
});

test('five minutes of difference between clocks are accepted', async () => {
  await using made = await world();
  await made.verifier.verify(`Bearer ${await token({ claims: { exp: at - 4 * minute } })}`);
  await made.verifier.verify(`Bearer ${await token({ claims: { nbf: at + 4 * minute } })}`);
});

test('a token that was verified is refused once it has expired', async () => {
  await using made = await world();
  const sent = `Bearer ${await token()}`;
  await made.verifier.verify(sent);
  await made.clock.advance(3_600_000 + 301_000);
  await expect(made.verifier.verify(sent)).rejects.toMatchObject({ reason: 'token_expired' });
});

test('an unknown key id has the keys read again, once in five minutes', async () => {
  await using made = await world();
  const before = made.reads();
  published = [jwk(pair.publicKey, 'first'), jwk(next.publicKey, 'new')];
  const rolled = `Bearer ${await token({ header: { kid: 'new' }, key: next.privateKey })}`;
  expect(await made.verifier.verify(rolled)).toMatchObject({ objectId: oid });
  expect(made.reads()).toBe(before + 1);
  const unknown = `Bearer ${await token({ header: { kid: 'unknown' } })}`;
  await expect(made.verifier.verify(unknown)).rejects.toMatchObject({ reason: 'token_key_unknown' });
  expect(made.reads()).toBe(before + 1);
  await made.clock.advance(300_000);
  await expect(made.verifier.verify(unknown)).rejects.toMatchObject({ reason: 'token_key_unknown' });
  expect(made.reads()).toBe(before + 2);
});

test('keys that are away stay in use, and are read again every day', async () => {
  await using made = await world();
  const before = made.reads();
  published = [];
  await made.clock.advance(86_400_000);
  while (made.reads() === before) await new Promise((resolve) => setImmediate(resolve));
  const later = Math.floor(made.clock.now() / 1000);
  const sent = `Bearer ${await token({ claims: { nbf: later, exp: later + 3600 } })}`;
  expect(await made.verifier.verify(sent)).toMatchObject({ objectId: oid });
});

test('an identity with many tokens has its own verified again, and those of no other', async () => {
  await using made = await world();
  const work: string[] = [];
  const verify = async (name: string, sent: string) =>
    made.verifier.verify(`Bearer ${sent}`, () => void work.push(name));
  const machine = await token({ claims: { oid: other, sub: other } });
  await verify('machine', machine);
  for (let minutes = 1; minutes <= 5; minutes++)
    await verify('many', await token({ claims: { exp: start / 1000 + minutes * 600 } }));
  await verify('machine', machine);
  expect(work).toEqual(['machine', ...Array(5).fill('many')]);
});
