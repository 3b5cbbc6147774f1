import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** A certificate for loopback or an authority, with its key. */
export interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
  readonly subject: forge.pki.CertificateField[];
}

/** Issues a certificate for a day. Without an issuer it is a self-signed authority. */
export function certificate(commonName: string, issuer?: Certificate, organization?: string): Certificate {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyPem = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  const made = forge.pki.createCertificate();
  made.publicKey = forge.pki.publicKeyFromPem(pair.publicKey.export({ type: 'spki', format: 'pem' }) as string);
  made.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  made.validity.notBefore = new Date(Date.now() - 3600_000);
  made.validity.notAfter = new Date(Date.now() + 24 * 3600_000);
  const subject = [
    { name: 'commonName', value: commonName },
    ...(organization ? [{ name: 'organizationName', value: organization }] : []),
  ];
  made.setSubject(subject);
  made.setIssuer(issuer?.subject ?? subject);
  made.setExtensions(
    issuer
      ? [
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 7, ip: '127.0.0.1' },
              { type: 2, value: 'localhost' },
            ],
          },
        ]
      : [
          { name: 'basicConstraints', cA: true },
          { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
        ],
  );
  made.sign(forge.pki.privateKeyFromPem(issuer?.keyPem ?? keyPem), forge.md.sha256.create());
  return { certPem: forge.pki.certificateToPem(made), keyPem, subject };
}
