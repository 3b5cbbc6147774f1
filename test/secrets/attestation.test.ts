import { webcrypto } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import { ManualClock } from '../../runtime/base/clock.ts';
import { AttestedDocuments } from '../../runtime/secrets/attestation/attested-documents.ts';
import { Nonces } from '../../runtime/secrets/attestation/nonces.ts';
import { type Issued, issueCertificate } from '../fakes/certificates.ts';

const crypto = new pkijs.CryptoEngine({ crypto: webcrypto as unknown as typeof globalThis.crypto, name: 'test' });
const caller = '33333333-3333-3333-3333-333333333333';
const vmId = '44444444-4444-4444-4444-444444444444';
const subscription = '55555555-5555-5555-5555-555555555555';
const machine = { objectIds: new Set([caller]), vmIds: new Set([vmId]), subscription };

const root = issueCertificate({ commonName: 'test root', ca: true, hosts: ['root.test'] });
const middle = issueCertificate({ commonName: 'test intermediate', ca: true, hosts: ['middle.test'], issuer: root });
const leaf = issueCertificate({ commonName: 'leaf', hosts: ['metadata.azure.com'], issuer: middle });

const der = (pem: string) => Uint8Array.from(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'));

async function signed(fields: object, by: Issued = leaf, others: readonly Issued[] = [middle]): Promise<string> {
  const certificate = pkijs.Certificate.fromBER(der(by.cert));
  const content = Uint8Array.from(Buffer.from(JSON.stringify(fields)));
  const document = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({
      eContentType: '1.2.840.113549.1.7.1',
      eContent: new asn1js.OctetString({ valueHex: content.buffer }),
    }),
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
      }),
    ],
    certificates: [certificate, ...others.map(({ cert }) => pkijs.Certificate.fromBER(der(cert)))],
  });
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('pkcs8', der(by.key), algorithm, false, ['sign']);
  await document.sign(key as never, 0, 'SHA-256', undefined, crypto);
  const outer = new pkijs.ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: document.toSchema(true) });
  return Buffer.from(outer.toSchema().toBER()).toString('base64');
}

function world() {
  const clock = new ManualClock(Date.now());
  const nonces = new Nonces({ clock, perCaller: 3 });
  const documents = new AttestedDocuments({
    nonces,
    clock,
    issuers: { tryIssuerOf: async () => undefined },
    roots: [root.cert],
  });
  const stamp = (at: number) => {
    const [date = '', time = ''] = new Date(at).toISOString().split('T');
    const [year = '', month, day] = date.split('-');
    return `${month}/${day}/${year.slice(2)} ${time.slice(0, 8)} -0000`;
  };
  const fields = (change: object = {}) => ({
    nonce: nonces.issue(caller).nonce,
    vmId: vmId.toUpperCase(),
    subscriptionId: subscription,
    timeStamp: { createdOn: stamp(clock.now()), expiresOn: stamp(clock.now() + 6 * 3_600_000) },
    ...change,
  });
  return { clock, nonces, documents, fields, stamp };
}

test('a document of the metadata endpoint with our nonce proves the machine, once', async () => {
  const { documents, fields } = world();
  const document = await signed(fields());
  expect(await documents.verify(caller, document, machine)).toBe(vmId);
  await expect(documents.verify(caller, document, machine)).rejects.toMatchObject({ reason: 'attestation_nonce' });
});

test('a nonce of another caller, one of nobody, and one that has ended are refused', async () => {
  const { documents, fields, nonces, clock } = world();
  const other = nonces.issue('66666666-6666-6666-6666-666666666666').nonce;
  for (const nonce of [other, '1234567890', '', undefined]) {
    const document = await signed(fields({ nonce }));
    await expect(documents.verify(caller, document, machine)).rejects.toMatchObject({ reason: 'attestation_nonce' });
    await clock.advance(300_001);
  }
  const late = await signed(fields());
  await clock.advance(300_000);
  await expect(documents.verify(caller, late, machine)).rejects.toMatchObject({ reason: 'attestation_nonce' });
});

test('a signer of another name, of another root, and one without its intermediate are refused', async () => {
  const foreign = issueCertificate({ commonName: 'leaf', hosts: ['metadata.example.com'], issuer: middle });
  const alike = issueCertificate({ commonName: 'metadata.azure.com.evil.example', hosts: ['x.test'], issuer: middle });
  const rootOfNobody = issueCertificate({ commonName: 'test root', ca: true, hosts: ['root.test'] });
  const forged = issueCertificate({ commonName: 'leaf', hosts: ['metadata.azure.com'], issuer: rootOfNobody });
  const self = issueCertificate({ commonName: 'metadata.azure.com', hosts: ['metadata.azure.com'] });
  const byLeaf = issueCertificate({ commonName: 'x', hosts: ['metadata.azure.com'], issuer: leaf });
  const rows: [Issued, Issued[]][] = [
    [foreign, [middle]],
    [alike, [middle]],
    [forged, [rootOfNobody]],
    [self, []],
    [byLeaf, [leaf, middle]],
    [leaf, []],
  ];
  for (const [by, others] of rows) {
    const { documents, fields } = world();
    const document = await signed(fields(), by, others);
    await expect(documents.verify(caller, document, machine)).rejects.toMatchObject({ reason: 'attestation_invalid' });
  }
});

test('a changed content, and what is no document, are refused', async () => {
  const { documents, fields } = world();
  const bytes = Buffer.from(await signed(fields()), 'base64');
  const at = bytes.indexOf(vmId.toUpperCase());
  bytes.write('9', at);
  await expect(documents.verify(caller, bytes.toString('base64'), machine)).rejects.toMatchObject({
    reason: 'attestation_invalid',
  });
  for (const document of ['', 'x', 'AAAA', 'A'.repeat(30_000)])
    await expect(documents.verify(caller, document, machine)).rejects.toMatchObject({ reason: 'attestation_invalid' });
  await expect(documents.verify(caller, undefined, machine)).rejects.toMatchObject({ reason: 'attestation_missing' });
});

test('a document of another machine, another subscription, or another time is refused', async () => {
  const rows = [
    [{ vmId: caller }, 'attestation_machine'],
    [{ subscriptionId: caller }, 'attestation_machine'],
    [{ timeStamp: undefined }, 'attestation_invalid'],
    [
      { timeStamp: { createdOn: '11/20/18 22:07:39 -0000', expiresOn: '11/20/18 22:08:24 -0000' } },
      'attestation_invalid',
    ],
  ] as const;
  for (const [change, reason] of rows) {
    const { documents, fields } = world();
    const document = await signed(fields(change));
    await expect(documents.verify(caller, document, machine)).rejects.toMatchObject({ reason });
  }
});

test('a caller has so many nonces at a time', () => {
  const { nonces, clock } = world();
  for (let i = 0; i < 3; i++) expect(nonces.issue(caller).nonce).toMatch(/^\d{10}$/);
  expect(() => nonces.issue(caller)).toThrow(expect.objectContaining({ reason: 'caller_limit', status: 429 }));
  expect(nonces.issue('another').nonce).toMatch(/^\d{10}$/);
  void clock.advance(300_000);
  expect(nonces.issue(caller).nonce).toMatch(/^\d{10}$/);
});
