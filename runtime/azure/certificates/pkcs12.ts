import forge from 'node-forge';
import { pbkdf2, pkcs12Key, Rounds, TooMuchWork } from './key-derivation.ts';

/**
 * Reads a PKCS#12 file into PEM blocks: every certificate, and the first private key as unencrypted PKCS#8. node:tls
 * refuses RC2-40 files and gives no key out, so the reader is node-forge, which knows the legacy and the AES forms.
 * Throws a plain Error with node-forge's reason, or for more than `maxRounds` of key derivation. Other work goes on while
 * keys are derived.
 */
export async function pkcs12ToPem(
  content: Buffer,
  password: string,
): Promise<{ certificates: string[]; privateKey: string | undefined }> {
  const file = await withOwnDerivation(() =>
    forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(content.toString('binary')), false, password),
  );
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

/** Members that node-forge's types leave out: the derivations that its reader calls, through these members alone. */
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

/** Keys of one file; OpenSSL and others derive at most two for each of its two or three parts. */
const maxKeys = 50;

/** Ends node-forge's reader, which cannot wait, until there is the key that it asks for. */
class KeyWanted extends Error {
  readonly id: string;
  readonly derive: () => Promise<string>;

  constructor(id: string, derive: () => Promise<string>) {
    super('a key has to be derived');
    this.id = id;
    this.derive = derive;
  }
}

/**
 * Runs node-forge's reader with derivations of our own: bounded, also for content within decrypted content, and many
 * times as fast as those in JavaScript. The reader starts again for each key that was derived for it.
 */
async function withOwnDerivation<T>(read: () => T): Promise<T> {
  const rounds = new Rounds();
  const keys = new Map<string, string>();
  for (;;) {
    try {
      return withKeys(keys, rounds, read);
    } catch (error) {
      if (!(error instanceof KeyWanted)) throw error;
      if (keys.size >= maxKeys) throw new TooMuchWork(`it takes more than ${maxKeys} keys to read it`);
      keys.set(error.id, await error.derive());
    }
  }
}

function withKeys<T>(keys: ReadonlyMap<string, string>, rounds: Rounds, read: () => T): T {
  const { pkcs5, pki, pkcs12 } = forge as unknown as Derivations;
  const theirs = [pkcs5.pbkdf2, pki.pbe.generatePkcs12Key, pkcs12.generateKey] as const;
  const keyOf = (asked: readonly unknown[], derive: () => Promise<string>): string => {
    const id = JSON.stringify(asked);
    const key = keys.get(id);
    if (key === undefined) throw new KeyWanted(id, derive);
    return key;
  };
  const generate: Generate = (password, salt, purpose, iterations, length, given) => {
    const digest = given?.algorithm ?? 'sha1';
    const bytes = Buffer.from(salt.bytes(), 'latin1');
    const asked = ['pkcs12', password, bytes.toString('latin1'), purpose, iterations, length, digest];
    const derivation = { password: password ?? undefined, salt: bytes, purpose, iterations, length, digest };
    const key = keyOf(asked, async () => (await pkcs12Key(derivation, rounds)).toString('latin1'));
    return forge.util.createBuffer(key);
  };
  pkcs5.pbkdf2 = (password, salt, iterations, length, given) => {
    const digest = given?.algorithm ?? 'sha1';
    const asked = ['pbkdf2', password, salt, iterations, length, digest];
    return keyOf(asked, () => pbkdf2(password, salt, iterations, length, digest, rounds));
  };
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
