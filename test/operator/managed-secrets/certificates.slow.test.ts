import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Issued, issueCertificate } from '../../fakes/certificates.ts';
import type { TestVault } from '../export/test-vault.ts';
import { secrets } from '../support.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

let azm: SecretWorld;
let west: TestVault;
let north: TestVault;

beforeAll(async () => {
  azm = await SecretWorld.start();
  [west, north] = await Promise.all([azm.vault('azmcwest', 'westeurope'), azm.vault('azmcnorth', 'northeurope')]);
  await west.send('PUT', '/certificates/issuers/corporate', { provider: 'DigiCert' });
});
afterAll(() => azm?.close());

const home = { vault: vaultRef('azmcwest') };
const regions = [{ location: 'northeurope', vault: vaultRef('azmcnorth') }];
const certificate = { subject: 'CN=web.example.com', dnsNames: ['web.example.com'] };

async function leafOf(vault: TestVault, name: string): Promise<X509Certificate> {
  const { body } = await vault.send('GET', `/certificates/${name}`);
  return new X509Certificate(Buffer.from(body.cer, 'base64'));
}

async function writeAuthority(name: string, issued: Issued): Promise<void> {
  const stringData = { 'tls.crt': issued.cert, 'tls.key': issued.key };
  const metadata = { namespace: 'default', name };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', stringData };
  await azm.world.client.apply(secrets, secret, { fieldManager: 'test', force: true });
}

test('a self-signed certificate is issued by the home vault and imported into the region with its key', async () => {
  await azm.secret('self', { kind: 'Certificate', home, regions, certificate, vaultSecretName: 'self' });
  const { status } = await azm.ready('self');
  const leaf = await leafOf(west, 'self');
  expect(leaf.subjectAltName).toBe('DNS:web.example.com');
  expect((await leafOf(north, 'self')).fingerprint256).toBe(leaf.fingerprint256);
  expect((await north.secret('self'))?.contentType).toBe('application/x-pkcs12');
  const hash = Buffer.from(leaf.fingerprint.replaceAll(':', ''), 'hex').toString('hex').slice(0, 16);
  expect(status).toMatchObject({ version: 1, versions: [{ number: 1, hash }] });
  expect(status?.nextRenewal).toBeDefined();
});

test('a CA of the namespace signs; the leaf does not outlive it, and is renewed when the CA is', async () => {
  const first = issueCertificate({ commonName: 'first', ca: true });
  await writeAuthority('ca', first);
  const signed = { ...certificate, issuer: { caSecret: { name: 'ca' } } };
  await azm.secret('leaf', { kind: 'Certificate', home, regions, certificate: signed, vaultSecretName: 'leaf' });
  await azm.version('leaf', 1);
  const leaf = await leafOf(west, 'leaf');
  expect(leaf.issuer).toBe('CN=first');
  expect(leaf.subjectAltName).toBe('DNS:web.example.com');
  expect(Date.parse(leaf.validTo)).toBe(Date.parse(new X509Certificate(first.cert).validTo));
  expect(leaf.ca).toBe(false);

  await writeAuthority('ca', issueCertificate({ commonName: 'second', ca: true }));
  await azm.version('leaf', 2);
  expect((await leafOf(north, 'leaf')).issuer).toBe('CN=second');
  expect(await numbered(west, 'leaf')).toEqual([
    ['1', true],
    ['2', true],
  ]);
});

test.each([
  ['P-256', undefined, undefined],
  ['P-384', 384, undefined],
  ['P-384', 384, 'secp384r1'],
  ['P-256', 256, 'rsa'],
])('a certificate with a key of %s reaches every region, self-signed or by a CA (%s, %s)', async (crv, keySize, ca) => {
  const name = `${crv.toLowerCase()}-${ca ?? 'self'}`;
  const curve = ca === undefined || ca === 'rsa' ? {} : { curve: ca };
  if (ca !== undefined) await writeAuthority(name, issueCertificate({ commonName: 'ec', ca: true, ...curve }));
  const issuer = ca === undefined ? {} : { issuer: { caSecret: { name } } };
  const spec = { ...certificate, ...issuer, keyType: 'EC', ...(keySize && { keySize }) };
  await azm.secret(name, { kind: 'Certificate', home, regions, certificate: spec, vaultSecretName: name });
  await azm.version(name, 1);
  const leaf = await leafOf(west, name);
  expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe(crv === 'P-256' ? 'prime256v1' : 'secp384r1');
  expect(leaf.issuer).toBe(ca === undefined ? 'CN=web.example.com' : 'CN=ec');
  expect((await leafOf(north, name)).fingerprint256).toBe(leaf.fingerprint256);
  const pfx = Buffer.from((await north.secret(name))?.value ?? '', 'base64');
  expect(() => createSecureContext({ pfx, passphrase: '' })).not.toThrow();
});

test.each([
  ['P-256', undefined, 'prime256v1'],
  ['P-521', 521, 'secp521r1'],
])(
  'a certificate with a key of %s from an issuer of the vault reaches every region',
  async (crv, keySize, namedCurve) => {
    const name = `named-${crv.toLowerCase()}`;
    const issued = { ...certificate, issuer: { keyVault: 'corporate' }, keyType: 'EC', ...(keySize && { keySize }) };
    await azm.secret(name, { kind: 'Certificate', home, regions, certificate: issued, vaultSecretName: name });
    await azm.version(name, 1);
    const leaf = await leafOf(west, name);
    expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe(namedCurve);
    expect(leaf.issuer).not.toBe(leaf.subject);
    expect((await leafOf(north, name)).fingerprint256).toBe(leaf.fingerprint256);
    const { body } = await west.send('GET', `/certificates/${name}`);
    expect(body.policy).toMatchObject({ issuer: { name: 'corporate' }, key_props: { kty: 'EC', crv } });
    const pfx = Buffer.from((await north.secret(name))?.value ?? '', 'base64');
    expect(() => createSecureContext({ pfx, passphrase: '' })).not.toThrow();
  },
);

test('a size that Key Vault has no key of is named before anything is sent', async () => {
  const spec = { ...certificate, keyType: 'EC', keySize: 2048 };
  await azm.secret('sized', { kind: 'Certificate', home, certificate: spec, vaultSecretName: 'sized' });
  const { status } = await azm.reason('sized', 'KeySizeInvalid');
  expect(JSON.stringify(status)).toContain('256, 384, 521');
  expect((await west.send('GET', '/certificates/sized/pending')).status).toBe(404);
});

test('a CA that cannot sign is named, and nothing is ordered', async () => {
  const signed = { ...certificate, issuer: { caSecret: { name: 'no-ca' } } };
  await azm.secret('none', { kind: 'Certificate', home, certificate: signed, vaultSecretName: 'none' });
  await azm.reason('none', 'SecretNotFound');
  await writeAuthority('no-ca', issueCertificate({ commonName: 'leaf' }));
  const { status } = await azm.reason('none', 'IssuerInvalid');
  expect(JSON.stringify(status)).toContain('is not that of a CA');
  expect((await west.send('GET', '/certificates/none/pending')).status).toBe(404);
});
