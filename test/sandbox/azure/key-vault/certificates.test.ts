import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import forge from 'node-forge';
import { Ids } from '../../../../sandbox/azure/ids.ts';
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
  cert.sign(forge.pki.privateKeyFromPem(authority.keyPem), forge.md.sha256.create());
  return forge.util.encode64(forge.asn1.toDer(forge.pki.certificateToAsn1(cert)).getBytes());
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
  expect((await cancel()).body).toMatchObject({ status: 'cancelled', cancellation_requested: true });
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
