import { createPrivateKey, webcrypto } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import { ManualClock } from '../../runtime/base/clock.ts';
import { hasElementsUpTo } from '../../runtime/secrets/attestation/asn1-size.ts';
import { AttestedDocuments } from '../../runtime/secrets/attestation/attested-documents.ts';
import { NonceKeys } from '../../runtime/secrets/attestation/nonce-keys.ts';
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
  const keys = new NonceKeys(clock);
  keys.use(root.key);
  const nonces = new Nonces({ keys, clock });
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
  const { key } = issueCertificate({ commonName: 'other' });
  const name = 'metadata.azure.com.evil.example';
  const foreign = issueCertificate({ commonName: 'leaf', hosts: ['metadata.example.com'], issuer: middle, key });
  const alike = issueCertificate({ commonName: name, hosts: ['x.test'], issuer: middle, key });
  const rootOfNobody = issueCertificate({ commonName: 'test root', ca: true, hosts: ['root.test'] });
  const forged = issueCertificate({ commonName: 'leaf', hosts: ['metadata.azure.com'], issuer: rootOfNobody, key });
  const self = issueCertificate({ commonName: 'metadata.azure.com', hosts: ['metadata.azure.com'], key });
  const byLeaf = issueCertificate({ commonName: 'x', hosts: ['metadata.azure.com'], issuer: leaf, key });
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

test.each([
  ['a certificate for mail', { hosts: ['metadata.azure.com'], uses: ['emailProtection'] }],
  ['a certificate with the name as its common name alone', { commonName: 'metadata.azure.com', hosts: ['x.test'] }],
  ['a URI that reads like a further name', { hosts: ['x.test'], uris: ['x:y, DNS:metadata.azure.com, z'] }],
])('a signer that no authority checked for the name is refused: %s', async (_, options) => {
  const { documents, fields } = world();
  const { key } = leaf;
  const signer = issueCertificate({ commonName: 'leaf', issuer: middle, key, ...options });
  await expect(documents.verify(caller, await signed(fields(), signer), machine)).rejects.toMatchObject({
    reason: 'attestation_invalid',
  });
  const server = issueCertificate({
    commonName: 'leaf',
    issuer: middle,
    hosts: ['a.metadata.azure.com'],
    uses: ['serverAuth'],
    key,
  });
  expect(await documents.verify(caller, await signed(fields(), server), machine)).toBe(vmId);
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

test('a nonce is recognized by each replica with the same private key, and by none with another', () => {
  const { nonces, clock } = world();
  const replicaWith = (pem: string) => {
    const keys = new NonceKeys(clock);
    keys.use(pem);
    return new Nonces({ keys, clock });
  };
  const { nonce, expiresOn } = nonces.issue(caller);
  expect(nonce).toMatch(/^\d{10}$/);
  expect(expiresOn - clock.now()).toBeGreaterThanOrEqual(200_000);
  expect(expiresOn - clock.now()).toBeLessThanOrEqual(300_000);
  // The same key in another form of PEM.
  const sec1 = createPrivateKey(root.key).export({ type: 'pkcs1', format: 'pem' }).toString();
  for (const key of [root.key, sec1]) expect(replicaWith(key).valid(caller, nonce)).toBe(true);
  expect(replicaWith(leaf.key).valid(caller, nonce)).toBe(false);
  expect(replicaWith(root.key).valid('another', nonce)).toBe(false);
});

test('nonces of the private key before count for ten minutes, and nothing is issued without a key', async () => {
  const clock = new ManualClock(Date.now());
  const keys = new NonceKeys(clock);
  const nonces = new Nonces({ keys, clock });
  expect(() => nonces.issue(caller)).toThrow(/no certificate yet/);
  keys.use(root.key);
  const { nonce } = nonces.issue(caller);
  keys.use(leaf.key);
  keys.use(leaf.key);
  expect(nonces.valid(caller, nonce)).toBe(true);
  expect(keys.get()).toHaveLength(2);
  await clock.advance(600_000);
  expect(keys.get()).toHaveLength(1);
  expect(() => keys.use('no key')).toThrow();
  expect(keys.get()).toHaveLength(1);
});

test('a replica remembers what was used by caller, and one that fills its memory forgets only its own', () => {
  const clock = new ManualClock(Date.now());
  const nonces = new Nonces({ keys: new NonceKeys(clock), clock, most: 4 });
  expect(nonces.use(caller, '0000000001', vmId)).toBe(true);
  for (let i = 0; i < 10; i++) nonces.use('hostile', `000000000${i}`, vmId);
  expect(nonces.use(caller, '0000000001', vmId)).toBe(false);
  expect(nonces.use(caller, '0000000001', 'another machine')).toBe(true);
});

test('a document of thousands of elements is refused before it is parsed, and a real one has far fewer', async () => {
  const { documents, fields } = world();
  const real = Buffer.from(await signed(fields(), leaf, Array(7).fill(middle)), 'base64');
  expect(hasElementsUpTo(2000, real)).toBe(true);
  const contentInfo = (body: string) => {
    const content = Buffer.from(body, 'hex');
    const head = Buffer.from([
      0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x80,
    ]);
    return Buffer.concat([head, content]).toString('base64');
  };
  for (const element of ['0500', '30800000', '24800400', '3080', '3000', '03020000', '1f810000']) {
    const document = contentInfo(element.repeat(16_000 / (element.length / 2)));
    await expect(documents.verify(caller, document, machine)).rejects.toMatchObject({
      reason: 'attestation_invalid',
      message: expect.stringContaining('too many elements'),
    });
  }
});
