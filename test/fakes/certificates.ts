import { generateKeyPairSync, sign } from 'node:crypto';
import forge from 'node-forge';

/** Certificate and key in PEM. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  readonly commonName: string;
  /** DNS names and IP addresses. @default 127.0.0.1 and localhost */
  readonly hosts?: readonly string[];
  /** Whose signature; self-signed without one. */
  readonly issuer?: Issued;
  readonly ca?: boolean;
}

let serial = 1;

/** Issues a certificate with a fresh RSA key, valid from yesterday for ten days. */
export function issueCertificate(options: IssueOptions): Issued {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = (serial++).toString(16).padStart(4, '0');
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 9 * 86_400_000);
  const subject = [{ name: 'commonName', value: options.commonName }];
  certificate.setSubject(subject);
  const issuer = options.issuer && forge.pki.certificateFromPem(options.issuer.cert);
  certificate.setIssuer(issuer ? issuer.subject.attributes : subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: options.ca ?? false, critical: true },
    {
      name: 'subjectAltName',
      altNames: (options.hosts ?? ['127.0.0.1', 'localhost']).map((host) =>
        /^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
      ),
    },
  ]);
  // The library's own arithmetic takes a second for each signature.
  const native = {
    sign() {
      const { tbsCertificate } = certificate as unknown as { tbsCertificate: forge.asn1.Asn1 };
      const der = Buffer.from(forge.asn1.toDer(tbsCertificate).getBytes(), 'binary');
      return sign('sha256', der, options.issuer?.key ?? pair.privateKey).toString('binary');
    },
  };
  certificate.sign(native as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key: pair.privateKey };
}

let authority: Issued | undefined;

/** One certificate authority per test process. */
export function testAuthority(): Issued {
  authority ??= issueCertificate({ commonName: 'azimuth test authority', ca: true, hosts: ['authority.test'] });
  return authority;
}

const servers = new Map<string, Issued & { readonly ca: string }>();

/** A server certificate for loopback and the given names, signed by `testAuthority()`; the same one for the same names. */
export function serverCertificate(...hosts: readonly string[]): Issued & { readonly ca: string } {
  const issuer = testAuthority();
  const key = hosts.join();
  const known = servers.get(key);
  if (known) return known;
  const issued = issueCertificate({ commonName: 'server', hosts: ['127.0.0.1', 'localhost', ...hosts], issuer });
  const server = { ...issued, ca: issuer.cert };
  servers.set(key, server);
  return server;
}
