import forge from 'node-forge';
import { pbkdf2, pkcs12Key, Rounds } from './key-derivation.ts';

/**
 * Reads a PKCS#12 file into PEM blocks: every certificate, and the first private key as unencrypted PKCS#8. node:tls
 * refuses RC2-40 files and gives no key out, so the reader is node-forge, which knows the legacy and the AES forms.
 * Throws a plain Error with node-forge's reason, or for more than `maxRounds` of key derivation.
 */
export function pkcs12ToPem(
  content: Buffer,
  password: string,
): { certificates: string[]; privateKey: string | undefined } {
  const asn1 = forge.asn1.fromDer(content.toString('binary'));
  const file = withBoundedDerivation(() => forge.pkcs12.pkcs12FromAsn1(asn1, false, password));
  const bags = file.safeContents.flatMap((contents) => contents.safeBags);
  const key = bags.find((bag) => bag.key || (bag.asn1 && isKeyBag(bag.type)));
  return {
    certificates: bags.flatMap((bag) => {
      if (bag.cert) return [forge.pki.certificateToPem(bag.cert)];
      // Certificates with keys that node-forge does not know (EC) stay ASN.1.
      if (bag.type === forge.pki.oids['certBag'] && bag.asn1) {
        return [pem('CERTIFICATE', forge.asn1.toDer(bag.asn1).getBytes())];
      }
      return [];
    }),
    privateKey: key && pem('PRIVATE KEY', forge.asn1.toDer(keyAsn1(key)).getBytes()),
  };
}

/** What node-forge's types leave out: the derivations that its reader calls, through these members alone. */
interface Derivations {
  readonly pkcs5: { pbkdf2: (...args: Pbkdf2Arguments) => string };
  readonly pki: { readonly pbe: { generatePkcs12Key: Generate } };
  readonly pkcs12: { generateKey: Generate };
}
type Digest = { readonly algorithm: string } | undefined;
type Pbkdf2Arguments = [password: string, salt: string, iterations: number, length: number, digest: Digest];
type Generate = (
  password: string | null | undefined,
  salt: forge.util.ByteBuffer,
  purpose: number,
  iterations: number,
  length: number,
  digest?: Digest,
) => forge.util.ByteBuffer;

/**
 * Runs node-forge's reader with derivations of our own: bounded, also for what lies within what was decrypted before, and
 * many times as fast as those in JavaScript, with which nothing else would go on for seconds.
 */
function withBoundedDerivation<T>(read: () => T): T {
  const { pkcs5, pki, pkcs12 } = forge as unknown as Derivations;
  const theirs = [pkcs5.pbkdf2, pki.pbe.generatePkcs12Key, pkcs12.generateKey] as const;
  const rounds = new Rounds();
  const generate: Generate = (password, salt, purpose, iterations, length, digest) => {
    const key = pkcs12Key(
      {
        password: password ?? undefined,
        salt: Buffer.from(salt.bytes(), 'latin1'),
        purpose,
        iterations,
        length,
        digest: digest?.algorithm ?? 'sha1',
      },
      rounds,
    );
    return forge.util.createBuffer(key.toString('latin1'));
  };
  pkcs5.pbkdf2 = (password, salt, iterations, length, digest) =>
    pbkdf2(password, salt, iterations, length, digest?.algorithm ?? 'sha1', rounds);
  pki.pbe.generatePkcs12Key = generate;
  pkcs12.generateKey = generate;
  try {
    return read();
  } finally {
    [pkcs5.pbkdf2, pki.pbe.generatePkcs12Key, pkcs12.generateKey] = theirs;
  }
}

function isKeyBag(type: string): boolean {
  return type === forge.pki.oids['keyBag'] || type === forge.pki.oids['pkcs8ShroudedKeyBag'];
}

function keyAsn1(bag: forge.pkcs12.Bag): forge.asn1.Asn1 {
  return bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1;
}

function pem(label: string, der: string): string {
  const lines = forge.util.encode64(der, 64);
  return `-----BEGIN ${label}-----\n${lines.replaceAll('\r', '')}\n-----END ${label}-----\n`;
}
