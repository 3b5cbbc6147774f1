import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import forge from 'node-forge';
import { certified } from '../../sandbox/azure/key-vault/certificates/x509.ts';
import { readWritten, writeOnce } from '../../sandbox/shared-keys.ts';

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
  /** URIs among its names. @default none */
  readonly uris?: readonly string[];
  /** Extended key usages in the words of node-forge, such as emailProtection. @default none: any use */
  readonly uses?: readonly string[];
  readonly ca?: boolean;
  /** The curve of an EC key, such as P-384. @default an RSA key of 2048 bits */
  readonly curve?: string;
  /** The key of another certificate, as a key of its own takes 0.3 s of CPU. @default a key of its own */
  readonly key?: string;
}

let serial = 1;

const newRsaKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The RSA key of the nth certificate of a test file: files of one run share it, as a key takes 0.3 s of CPU. */
function rsaKey(n: number): string {
  const run = process.env['AZIMUTH_TEST_RUN'];
  if (run === undefined) return newRsaKey();
  const file = join(run, `certificate-key-${n}`);
  return readWritten<string>(file) ?? writeOnce(file, newRsaKey());
}

const ecKey = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/**
 * Issues a certificate with a key that no other certificate of the test file has, unless the options name one, valid from
 * yesterday for ten days. The certificate of an issuer has an RSA key.
 */
export function issueCertificate(options: IssueOptions): Issued {
  const key = options.key ?? (options.curve ? ecKey(options.curve) : rsaKey(serial));
  const certificate = forge.pki.createCertificate();
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
      altNames: [
        ...(options.hosts ?? ['127.0.0.1', 'localhost']).map((host) =>
          /^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
        ),
        ...(options.uris ?? []).map((value) => ({ type: 6, value })),
      ],
    },
    ...(options.uses ? [{ name: 'extKeyUsage', ...Object.fromEntries(options.uses.map((use) => [use, true])) }] : []),
  ]);
  return { cert: certified(certificate, key, options.issuer?.key ?? key), key };
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
