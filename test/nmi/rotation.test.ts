import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import forge from 'node-forge';
import { issueCertificate } from '../fakes/certificates.ts';
import { eventually } from '../fakes/eventually.ts';
import {
  anyCredential,
  claimsOf,
  eventsOf,
  type Harness,
  identitiesType,
  identity,
  resource,
  secretsType,
  simple,
  startNmi,
} from './harness.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const spec = { type: 1, tenantID: 'tenant', clientPassword: { namespace: 'app', name: 's' } };
const refusal = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' },
};

/** A refusal that does not end by itself. */
const expired = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'AADSTS7000222: The provided client secret keys are expired.' },
};

function put(nmi: Harness, data: Record<string, string>): Promise<unknown> {
  return nmi.kube.put(secretsType, { metadata: { namespace: 'app', name: 's' }, data } as never);
}

/** An AAD that takes the secrets of the set only; a token's `appid` tells which secret got it. */
function aadTaking(accepted: Set<string>, otherwise = refusal) {
  return (request: Parameters<typeof anyCredential>[0]) => {
    const form = new URLSearchParams(request.body);
    const secret = form.get('client_secret') ?? '';
    if (!accepted.has(secret)) return otherwise;
    form.set('client_id', secret);
    return anyCredential({ ...request, body: form.toString() });
  };
}

const used = async (nmi: Harness) => {
  const { status, json } = await nmi.token('127.0.0.5');
  return status === 200 ? String(claimsOf(json.access_token)['appid']) : status;
};

test('a new secret is used as soon as Entra accepts it; until then the previous one serves without a gap', async () => {
  const accepted = new Set(['old']);
  await using nmi = await startNmi({ aad: aadTaking(accepted), args: ['--secret-refresh=0'] });
  await put(nmi, { clientSecret: base64('old') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('old');
  await put(nmi, { clientSecret: base64('new') });
  for (let i = 0; i < 20; i++) expect(await used(nmi)).toBe('old');
  // Asking again and again is not worth it to AAD: the refused secret rests in between, for a second and then longer.
  const tries = () => nmi.aad.requests.filter(({ body }) => body.includes('client_secret=new')).length;
  expect(tries()).toBeLessThan(10);
  accepted.add('new');
  await eventually('the new secret is used', async () => (await used(nmi)) === 'new');
  accepted.delete('old');
  expect(await used(nmi)).toBe('new');
  await nmi.stop();
  const onIdentity = eventsOf(nmi).filter(({ regarding }) => regarding.kind === 'AzureIdentity');
  expect(onIdentity.map(({ reason, type }) => [reason, type]).sort()).toEqual([
    ['CredentialRefused', 'Warning'],
    ['CredentialRotated', 'Normal'],
  ]);
  const reported = JSON.stringify([nmi.log, eventsOf(nmi)]);
  expect(reported).not.toMatch(/client_secret/);
});

test('the cache never outlives the secret: after a rotation a token of the new one is given', async () => {
  await using nmi = await startNmi({ aad: aadTaking(new Set(['one', 'two'])), args: ['--secret-refresh=0'] });
  await put(nmi, { clientSecret: base64('one') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('one');
  await put(nmi, { clientSecret: base64('two') });
  expect(await used(nmi)).toBe('two');
});

test.each([
  ['two keys and no clientSecret', { a: base64('x'), b: base64('y') }],
  ['an empty value', { clientSecret: '' }],
])('a new Secret with %s is refused, and the previous one serves', async (_, data) => {
  await using nmi = await startNmi({ aad: aadTaking(new Set(['old'])), args: ['--secret-refresh=0'] });
  await put(nmi, { any: base64('old') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('old');
  await put(nmi, data);
  expect(await used(nmi)).toBe('old');
});

test('a Secret that was deleted gives no more tokens, cached ones included, and the answer does not name it', async () => {
  await using nmi = await startNmi({ args: ['--secret-refresh=0'] });
  await put(nmi, { clientSecret: base64('pw') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('client-id');
  await nmi.kube.delete(secretsType, { namespace: 'app', name: 's' });
  const { status, body } = await nmi.token('127.0.0.5');
  expect([status, body]).toEqual([503, expect.not.stringContaining('app/s')]);
  expect(nmi.log.find(({ msg }) => msg === 'token refused')?.['detail']).toMatch(/Secret app\/s .* does not exist/);
});

test('a Secret that is of no use is not named to the caller, whose tenant it may not be, but on record', async () => {
  await using nmi = await startNmi({ args: ['--secret-refresh=0'] });
  await put(nmi, { one: base64('pw'), other: base64('pw') });
  await simple(nmi, spec);
  await eventually('the pod is known', async () => (await used(nmi)) === 503);
  const { body } = await nmi.token('127.0.0.5');
  expect(body).toMatch(/credential cannot be read; see the events of its binding/);
  expect(body).not.toContain('app/s');
  expect(nmi.log.find(({ msg }) => msg === 'token refused')?.['detail']).toMatch(/the Secret app\/s to have/);
});

test('a token of another principal never stands in: a changed client id that Entra refuses is a refusal', async () => {
  await using nmi = await startNmi({
    aad: (request) => (request.body.includes('client_id=other') ? expired : anyCredential(request)),
    args: ['--secret-refresh=0'],
  });
  await put(nmi, { clientSecret: base64('pw') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('client-id');
  await nmi.kube.put(identitiesType, identity('id', { ...spec, clientID: 'other' }));
  await eventually('refused', async () => (await used(nmi)) === 403);
});

test('a resource that Entra does not know is no fault of the credential', async () => {
  const unknown = {
    error: 'invalid_resource',
    error_description: 'AADSTS500011: The resource principal was not found.',
  };
  await using nmi = await startNmi({
    aad: (request) => (request.body.includes('nowhere') ? { status: 400, body: unknown } : anyCredential(request)),
  });
  await put(nmi, { clientSecret: base64('pw') });
  await simple(nmi, spec);
  expect((await nmi.token('127.0.0.5', { resource: 'https://nowhere' })).status).toBe(403);
  expect(await used(nmi)).toBe('client-id');
});

test('a certificate in PKCS#12 signs the request; a wrong password is reported, and no request reaches Entra', async () => {
  await using nmi = await startNmi({ args: ['--secret-refresh=0'] });
  const { der, certificate } = pkcs12('right');
  await put(nmi, { certificate: der, password: base64('wrong') });
  await simple(nmi, { ...spec, type: 2 });
  const refused = await nmi.token('127.0.0.5');
  expect([refused.status, refused.body]).toEqual([503, expect.stringMatching(/PKCS#12 .*password/)]);
  expect(nmi.aad.requests).toEqual([]);
  await put(nmi, { certificate: der, password: base64('right') });
  expect(await used(nmi)).toBe('client-id');
  const form = new URLSearchParams(nmi.aad.requests[0]?.body);
  const [head = ''] = (form.get('client_assertion') ?? '').split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as { x5c: string[] };
  expect(new X509Certificate(Buffer.from(header.x5c[0] ?? '', 'base64')).fingerprint).toBe(certificate.fingerprint);
  expect(form.get('scope')).toBe(`${resource}/.default`);
});

test('an unsupported type is reported', async () => {
  await using nmi = await startNmi();
  await simple(nmi, { type: 9 });
  const { status, body } = await nmi.token('127.0.0.5');
  expect([status, body]).toEqual([503, expect.stringContaining('unsupported identity type 9')]);
});

function pkcs12(password: string): { der: string; certificate: X509Certificate } {
  const { cert, key } = issueCertificate({ commonName: 'app' });
  const [privateKey, made] = [forge.pki.privateKeyFromPem(key), forge.pki.certificateFromPem(cert)];
  const file = forge.pkcs12.toPkcs12Asn1(privateKey as forge.pki.rsa.PrivateKey, [made], password, {
    algorithm: 'aes256',
  });
  return { der: forge.util.encode64(forge.asn1.toDer(file).getBytes()), certificate: new X509Certificate(cert) };
}

test('a secret that is revoked in the moment its successor becomes valid leaves no gap', async () => {
  const accepted = new Set(['old']);
  const args = ['--secret-refresh=0', '--token-cache=off'];
  await using nmi = await startNmi({ aad: aadTaking(accepted), args });
  await put(nmi, { clientSecret: base64('old') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('old');
  await put(nmi, { clientSecret: base64('new') });
  // Refused several times, so that the pause before the next try is long.
  await eventually('the new one was refused', async () => {
    expect(await used(nmi)).toBe('old');
    return nmi.aad.requests.filter(({ body }) => body.includes('client_secret=new')).length >= 2;
  });
  accepted.delete('old');
  accepted.add('new');
  expect(await used(nmi)).toBe('new');
});

test('while neither secret is taken, Entra is not asked with both at each request', async () => {
  const accepted = new Set(['old']);
  const args = ['--secret-refresh=0', '--token-cache=off'];
  await using nmi = await startNmi({ aad: aadTaking(accepted, expired), args });
  await put(nmi, { clientSecret: base64('old') });
  await simple(nmi, spec);
  expect(await used(nmi)).toBe('old');
  await put(nmi, { clientSecret: base64('new') });
  expect(await used(nmi)).toBe('old');
  accepted.clear();
  const before = nmi.aad.requests.length;
  for (let i = 0; i < 20; i++) expect(await used(nmi)).toBe(403);
  expect(nmi.aad.requests.length - before).toBeLessThan(6);
});
