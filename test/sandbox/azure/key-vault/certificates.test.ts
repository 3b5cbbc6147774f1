import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { expect, test } from '@jest/globals';
import forge from 'node-forge';
import { parseCertificateBundle } from '../../../../runtime/azure/certificates/certificate-bundle.ts';
import { Ids } from '../../../../sandbox/azure/ids.ts';
import { opensslSigner } from '../../../../sandbox/azure/openssl-signer.ts';
import { issueCertificate } from '../../../../sandbox/azure/pki.ts';
import { data, secret, vault } from '../arm/compute/machines.ts';
import { azure, clock } from '../arm/world.ts';

const policy = (issuer: string, more: object = {}) => ({
  policy: { issuer: { name: issuer }, x509_props: { subject: 'CN=web' }, ...more },
});
const authority = await issueCertificate({
  commonName: 'authority',
  ids: new Ids('seed', { counter: 0 }),
  now: Date.now(),
  days: 30,
  ca: true,
});

/** What a certificate authority makes of a request; base64 DER. */
function signed(csrBase64: string): string {
  const csr = forge.pki.certificationRequestFromAsn1(forge.asn1.fromDer(forge.util.decode64(csrBase64)));
  const cert = forge.pki.createCertificate();
  cert.publicKey = csr.publicKey as forge.pki.PublicKey;
  cert.serialNumber = '02';
  cert.validity.notBefore = new Date(Date.now() - 60_000);
  cert.validity.notAfter = new Date(Date.now() + 86_400_000);
  cert.setSubject(csr.subject.attributes);
  cert.setIssuer(forge.pki.certificateFromPem(authority.certPem).subject.attributes);
  cert.sign(opensslSigner(authority.keyPem), forge.md.sha256.create());
  return forge.util.encode64(forge.asn1.toDer(forge.pki.certificateToAsn1(cert)).getBytes());
}

/** The public key of a request, SPKI DER in base64, whatever its type. */
function publicKeyOf(csrBase64: string): string {
  const request = forge.asn1.fromDer(forge.util.decode64(csrBase64)) as forge.asn1.Asn1 & { value: forge.asn1.Asn1[] };
  const info = request.value[0] as forge.asn1.Asn1 & { value: forge.asn1.Asn1[] };
  return forge.util.encode64(forge.asn1.toDer(info.value[2] as forge.asn1.Asn1).getBytes());
}

test('a certificate of an unknown issuer waits for a merge, which completes it', async () => {
  const { url } = await vault('merging');
  const created = await data('POST', `${url}certificates/web/create`, policy('Unknown'));
  const again = await data('POST', `${url}certificates/web/create`, policy('Self'));
  expect([again.status, again.body.error.message]).toEqual([
    409,
    "A new key vault certificate can not be created or imported while a pending key vault certificate's status is inProgress.",
  ]);
  expect((await data('POST', `${url}certificates/web/import`, { value: 'x' })).status).toBe(409);
  const merged = await data('POST', `${url}certificates/web/pending/merge`, { x5c: [signed(created.body.csr)] });
  expect([merged.status, (await data('GET', `${url}certificates/web/pending`)).body.status]).toEqual([
    201,
    'completed',
  ]);
  expect((await data('POST', `${url}certificates/web/pending/merge`, { x5c: [signed(created.body.csr)] })).status).toBe(
    400,
  );
  expect((await data('GET', merged.body.sid)).body.contentType).toBe('application/x-pkcs12');
});

test('a pending certificate can be cancelled while it is in progress, and deleted', async () => {
  const { url } = await vault('cancelling');
  await data('POST', `${url}certificates/web/create`, policy('Unknown'));
  const pending = `${url}certificates/web/pending`;
  const cancel = () => data('PATCH', pending, { cancellation_requested: true });
  expect((await cancel()).body).toMatchObject({ status: 'canceled', cancellation_requested: true });
  expect((await cancel()).status).toBe(400);
  expect((await data('DELETE', pending)).status).toBe(200);
  const gone = await data('GET', pending);
  expect([gone.status, gone.body.error.code]).toEqual([404, 'PendingCertificateNotFound']);
});

test('an issuer with a name issues certificates with a chain; policies may name no other', async () => {
  const { url } = await vault('issuing');
  const refused = await data('POST', `${url}certificates/web/create`, policy('corporate'));
  expect([refused.status, refused.body.error.code]).toEqual([400, 'BadParameter']);
  const issuer = { provider: 'DigiCert', credentials: { account_id: 'a', pwd: 'hidden' } };
  expect((await data('PUT', `${url}certificates/issuers/corporate`, issuer)).status).toBe(200);
  const shown = await data('GET', `${url}certificates/issuers/corporate`);
  expect(shown.body).toMatchObject({ provider: 'DigiCert', credentials: { account_id: 'a' } });
  expect(shown.text).not.toContain('hidden');
  expect((await data('GET', `${url}certificates/issuers`)).body.value).toHaveLength(1);
  const pem = { secret_props: { contentType: 'application/x-pem-file' } };
  await data('POST', `${url}certificates/web/create`, policy('corporate', pem));
  await clock.advance(1000);
  const { cer, sid } = (await data('GET', `${url}certificates/web`)).body;
  const certificate = new X509Certificate(Buffer.from(cer, 'base64'));
  expect(certificate.checkIssued(new X509Certificate(azure.caPem))).toBe(true);
  expect((await data('GET', sid)).body.value.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect((await data('DELETE', `${url}certificates/issuers/corporate`)).status).toBe(200);
  expect((await data('GET', `${url}certificates/issuers/corporate`)).status).toBe(404);
});

test.each([
  ['P-256', 'Self'],
  ['P-384', 'Self'],
  ['P-521', 'corporate'],
])('a certificate has a key of %s from the issuer %s, and can be imported into another vault', async (crv, issuer) => {
  const [from, to] = [await vault('curves'), await vault('copies')];
  await data('PUT', `${from.url}certificates/issuers/corporate`, { provider: 'DigiCert' });
  const created = await data('POST', `${from.url}certificates/web/create`, {
    policy: { ...policy(issuer).policy, key_props: { kty: 'EC', crv } },
  });
  const csr = publicKeyOf(created.body.csr);
  await clock.advance(1000);
  const { cer, sid, policy: shown } = (await data('GET', `${from.url}certificates/web`)).body;
  const certificate = new X509Certificate(Buffer.from(cer, 'base64'));
  const key = certificate.publicKey;
  expect(shown.key_props).toMatchObject({ kty: 'EC', crv, key_size: Number(crv.slice(2)) });
  expect(csr).toBe(key.export({ type: 'spki', format: 'der' }).toString('base64'));
  expect(certificate.verify(issuer === 'Self' ? key : new X509Certificate(azure.caPem).publicKey)).toBe(true);
  expect((await data('GET', `${from.url}keys/web`)).body.key).toMatchObject({ kty: 'EC', key_ops: ['sign', 'verify'] });
  const { value } = (await data('GET', sid)).body;
  const pfx = Buffer.from(value, 'base64');
  expect(() => createSecureContext({ pfx, passphrase: '' })).not.toThrow();
  const { chain, privateKey } = await parseCertificateBundle(pfx, '', 'the vault');
  expect([chain[0]?.fingerprint256, certificate.checkPrivateKey(privateKey)]).toEqual([
    certificate.fingerprint256,
    true,
  ]);
  const imported = await data('POST', `${to.url}certificates/web/import`, { value });
  expect([imported.status, imported.body.cer]).toEqual([200, cer]);
  expect(imported.body.policy.key_props).toMatchObject({ kty: 'EC', crv });
});

test('a key that the vault does not make is refused with the sizes that it does', async () => {
  const { url } = await vault('sizes');
  const refused = async (key: object) => {
    const answer = await data('POST', `${url}certificates/web/create`, {
      policy: { ...policy('Self').policy, key_props: key },
    });
    return [answer.status, answer.body.error?.message];
  };
  const sizes = 'Supported sizes are [256, 384, 521].';
  expect(await refused({ kty: 'EC', key_size: 2048 })).toEqual([400, `Unsupported key size (2048). ${sizes}`]);
  expect(await refused({ kty: 'EC', crv: 'P-256', key_size: 384 })).toEqual([400, expect.stringContaining('P-256')]);
  expect(await refused({ kty: 'RSA', key_size: 1024 })).toEqual([400, expect.stringContaining('(1024)')]);
});

test('an order ends as its issuer says, and is issued by the policy that it was placed with', async () => {
  const { url } = await vault('orders');
  await data('PUT', `${url}certificates/issuers/corporate`, { provider: 'DigiCert' });
  const end = { state: 'failed', code: 'IssuerError', message: 'the account has no funds' } as const;
  azure.faults.add({ service: 'vault', method: 'POST', path: '/certificates/web/create', operation: end });
  await data('POST', `${url}certificates/web/create`, policy('corporate'));
  const pending = () => data('GET', `${url}certificates/web/pending`);
  expect((await pending()).body.status).toBe('inProgress');
  await clock.advance(1000);
  const { body } = await pending();
  expect(body).toMatchObject({ status: 'failed', error: { code: 'IssuerError', message: 'the account has no funds' } });
  expect(body).not.toHaveProperty('target');
  await data('POST', `${url}certificates/web/create`, policy('Self'));
  await data('PATCH', `${url}certificates/web/policy`, { x509_props: { subject: 'CN=later' } });
  await clock.advance(1000);
  const { cer } = (await data('GET', `${url}certificates/web`)).body;
  expect(new X509Certificate(Buffer.from(cer, 'base64')).subject).toBe('CN=web');
  expect((await data('GET', `${url}certificates/web/policy`)).body.attributes.updated).toBeGreaterThan(0);
});

test('the secret of a certificate that may not be exported has no private key', async () => {
  const { url } = await vault('closed');
  for (const exportable of [true, false]) {
    const more = { key_props: { exportable }, secret_props: { contentType: 'application/x-pem-file' } };
    await data('POST', `${url}certificates/web/create`, policy('Self', more));
    await clock.advance(1000);
    await data('GET', `${url}certificates/web`);
    const { value } = (await data('GET', `${url}secrets/web`)).body;
    expect([value.includes('PRIVATE KEY'), value.includes('CERTIFICATE')]).toEqual([exportable, true]);
  }
});

test('a version that is disabled is refused with its key and secret, and lists show it with its tags', async () => {
  const { url } = await vault('versions');
  await data('POST', `${url}certificates/web/create`, { ...policy('Self'), tags: { number: '1' } });
  await clock.advance(1000);
  const { id, sid } = (await data('GET', `${url}certificates/web`)).body;
  await data('PATCH', id, { attributes: { enabled: false } });
  const refused = await data('GET', sid);
  expect([refused.status, refused.body.error.innererror.code]).toEqual([403, 'SecretDisabled']);
  const { value } = (await data('GET', `${url}certificates/web/versions`)).body;
  expect(value).toMatchObject([{ id, tags: { number: '1' }, attributes: { enabled: false } }]);
});

test('a disabled newest version is refused; its list has tags and states, and older versions stay readable', async () => {
  const { url } = await vault('secrets');
  const first = await secret(url, 'pw', 'one');
  const second = (await data('PUT', `${url}secrets/pw`, { value: 'two', tags: { number: '2' } })).body.id;
  await data('PATCH', second, { attributes: { enabled: false } });
  expect((await data('GET', `${url}secrets/pw`)).status).toBe(403);
  expect((await data('GET', first)).body.value).toBe('one');
  expect((await data('GET', `${url}secrets/pw/versions`)).body.value).toMatchObject([
    { id: first, attributes: { enabled: true } },
    { id: second, attributes: { enabled: false }, tags: { number: '2' } },
  ]);
});
