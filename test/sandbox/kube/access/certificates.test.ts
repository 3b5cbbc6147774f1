import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { expect, test } from '@jest/globals';
import { newAuthority, newClientCertificate, servingKeys } from '../../../../sandbox/kube/access/certificates.ts';

test('every certificate is one that OpenSSL takes, signed by the authority', () => {
  const ca = newAuthority('test');
  const authority = new X509Certificate(ca.cert);
  expect(authority.ca).toBe(true);
  for (let index = 0; index < 12; index += 1) {
    const made = newClientCertificate(ca, `user-${index}`, ['one', 'two']);
    createSecureContext({ ca: ca.cert, cert: made.cert, key: made.key });
    const certificate = new X509Certificate(made.cert);
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.subject).toBe(`O=one\nO=two\nCN=user-${index}`);
    expect(BigInt(`0x${certificate.serialNumber}`)).toBeGreaterThan(0n);
  }
});

test('keys are kept in their directory, for the owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-kube-'));
  try {
    const first = servingKeys(folder);
    expect(servingKeys(folder)).toEqual(first);
    expect(statSync(join(folder, 'keys.json')).mode & 0o077).toBe(0);
    expect(new X509Certificate(first.server.cert).subjectAltName).toContain('IP Address:127.0.0.1');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
