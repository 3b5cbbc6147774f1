import { generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

/** PEM texts of a certificate and its key. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Pair {
  /**
   * Issues a server or client certificate; `hosts` become subjectAltNames, `groups` organizations. Making a key is slow,
   * so all share the authority's unless `ownKey` asks for another.
   */
  issue(
    commonName: string,
    options?: { hosts?: readonly string[]; groups?: readonly string[]; ownKey?: boolean },
  ): Pair;
}

let serial = 1;

/** A certificate authority for one test file; its certificates are good for a day. */
export function createAuthority(commonName = 'test authority'): Authority {
  const keys = keyPair();
  const subject = [{ shortName: 'CN', value: commonName }];
  const constraints = [{ name: 'basicConstraints', cA: true, critical: true }];
  const own = certify(keys.publicKey, subject, subject, keys.privateKey, constraints);
  return {
    cert: own,
    key: keys.privateKey,
    issue(name, { hosts = [], groups = [], ownKey = false } = {}) {
      const pair = ownKey ? keyPair() : keys;
      const altNames = hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host }));
      const cert = certify(
        pair.publicKey,
        [{ shortName: 'CN', value: name }, ...groups.map((value) => ({ shortName: 'O', value }))],
        subject,
        keys.privateKey,
        altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : [],
      );
      return { cert, key: pair.privateKey };
    },
  };
}

interface Keys {
  readonly publicKey: forge.pki.PublicKey;
  /** PEM. */
  readonly privateKey: string;
}

function keyPair(): Keys {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey: forge.pki.publicKeyFromPem(publicKey) };
}

function certify(
  publicKey: forge.pki.PublicKey,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  signer: string,
  extensions: object[],
): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = (0x1000 + serial++).toString(16);
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  // The library's own arithmetic takes a second for each signature.
  const native = {
    sign() {
      const { tbsCertificate } = certificate as unknown as { tbsCertificate: forge.asn1.Asn1 };
      const der = Buffer.from(forge.asn1.toDer(tbsCertificate).getBytes(), 'binary');
      return sign('sha256', der, signer).toString('binary');
    },
  };
  certificate.sign(native as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
