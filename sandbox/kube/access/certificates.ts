import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import forge from 'node-forge';
import { readWritten, sharedKeysDirectory, writeOnce } from '../../shared-keys.ts';

/** A private key with its certificate. */
export interface KeyAndCertificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/** The keys of an API server. */
export interface ServingKeys {
  readonly ca: KeyAndCertificate;
  readonly server: KeyAndCertificate;
  /** CN=kubernetes-admin, O=system:masters. */
  readonly admin: KeyAndCertificate;
  /** PKCS#8 PEM, RSA: signs the tokens of service accounts. */
  readonly tokenKey: string;
  /** A bearer token that stands for the administrator, for clients without client certificates. */
  readonly adminToken: string;
}

/** In forge, but not in its type declarations. */
const { getTBSCertificate: toBeSigned } = forge.pki as unknown as {
  readonly getTBSCertificate: (certificate: forge.pki.Certificate) => forge.asn1.Asn1;
};

const year = 365 * 24 * 3600_000;

// Keys come from OpenSSL; forge only writes the certificates (its own key generation takes seconds).
const newKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

function publicOf(key: string): forge.pki.PublicKey {
  const spki = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' }) as string;
  return forge.pki.publicKeyFromPem(spki);
}

/** Signs a certificate. Without `issuer` it is a self-signed CA. */
function certificate(
  key: string,
  subject: forge.pki.CertificateField[],
  extensions: object[],
  issuer?: KeyAndCertificate,
): string {
  const made = forge.pki.createCertificate();
  made.publicKey = publicOf(key);
  // 01 in front keeps the number positive, and its DER as short as the rules want it.
  made.serialNumber = `01${randomBytes(15).toString('hex')}`;
  made.validity.notBefore = new Date(Date.now() - 3600_000);
  made.validity.notAfter = new Date(Date.now() + 10 * year);
  made.setSubject(subject);
  made.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.cert).subject.attributes : subject);
  made.setExtensions(extensions);
  // The same as made.sign(), with OpenSSL for the signature: forge's own takes a hundred times as long.
  made.signatureOid = made.siginfo.algorithmOid = forge.pki.oids['sha256WithRSAEncryption'] as string;
  const signed = forge.asn1.toDer(toBeSigned(made)).getBytes();
  made.signature = sign('sha256', Buffer.from(signed, 'binary'), issuer?.key ?? key).toString('binary');
  return forge.pki.certificateToPem(made);
}

/** A self-signed certificate authority. */
export function newAuthority(commonName: string): KeyAndCertificate {
  const key = newKey();
  const cert = certificate(
    key,
    [{ shortName: 'CN', value: commonName }],
    [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ],
  );
  return { key, cert };
}

/** A serving certificate for 127.0.0.1 and the names that in-cluster clients use. */
export function newServerCertificate(ca: KeyAndCertificate): KeyAndCertificate {
  const key = newKey();
  const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  const cert = certificate(
    key,
    [{ shortName: 'CN', value: 'kube-apiserver' }],
    [
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [...names.map((value) => ({ type: 2, value })), { type: 7, ip: '127.0.0.1' }],
      },
    ],
    ca,
  );
  return { key, cert };
}

/** A client certificate: the user's name is the CN, its groups are the O entries. */
export function newClientCertificate(
  ca: KeyAndCertificate,
  user: string,
  groups: readonly string[] = [],
): KeyAndCertificate {
  const key = newKey();
  const subject = [...groups.map((value) => ({ shortName: 'O', value })), { shortName: 'CN', value: user }];
  const cert = certificate(
    key,
    subject,
    [
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', clientAuth: true },
    ],
    ca,
  );
  return { key, cert };
}

/**
 * Keys and certificates of a server, kept in `dir` (files readable by the owner only), so that a kubeconfig and tokens
 * stay valid over a restart. Without `dir` they are generated and kept in memory, or shared (see `sharedKeysDirectory`).
 */
export function servingKeys(dir = sharedKeysDirectory()): ServingKeys {
  const file = dir && join(dir, 'keys.json');
  const written = file && readWritten<ServingKeys>(file);
  if (written) return written;
  const ca = newAuthority('kubernetes');
  const keys = {
    ca,
    server: newServerCertificate(ca),
    admin: newClientCertificate(ca, 'kubernetes-admin', ['system:masters']),
    tokenKey: newKey(),
    adminToken: randomBytes(32).toString('base64url'),
  };
  return file ? writeOnce(file, keys) : keys;
}
