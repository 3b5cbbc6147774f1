import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { selfSigned } from '../../../runtime/base/x509/self-signed.ts';

test('the certificate is of the key, signed by it, and always valid', () => {
  const { key, cert } = selfSigned('azimuth');
  const read = new X509Certificate(cert);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(read.checkIssued(read)).toBe(true);
  expect([read.subject, read.issuer]).toEqual(['CN=azimuth', 'CN=azimuth']);
  expect([read.validFromDate.getUTCFullYear(), read.validToDate.getUTCFullYear()]).toEqual([1970, 9999]);
});

test('each certificate has a key and a number of its own', () => {
  const all = Array.from({ length: 20 }, () => new X509Certificate(selfSigned('azimuth').cert));
  expect(new Set(all.map(({ serialNumber }) => serialNumber)).size).toBe(20);
  expect(new Set(all.map(({ publicKey }) => publicKey.export({ format: 'pem', type: 'spki' }))).size).toBe(20);
});
