import { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { type Material, pemOf } from './x509.ts';

const { asn1, pki } = forge;
const { Class, Type } = asn1;
type Asn1 = forge.asn1.Asn1;
const oids = pki.oids as Readonly<Record<string, string>>;
/** Functions that the types of forge leave out. */
const { generateKey } = forge.pkcs12 as unknown as {
  generateKey(password: string, salt: forge.util.ByteBuffer, purpose: number, rounds: number, length: number): string;
};

const rounds = 2048;
const saltBytes = 8;
/** Purpose of a derived key: the code over the content (RFC 7292, B.3). */
const macPurpose = 3;

/** PKCS#12 in base64 with an empty password, in the older form that Key Vault writes: 3DES and SHA-1. */
export function writePfx(keyPem: string | undefined, certificates: readonly string[]): string {
  const contents = [contentOf(certificates.map(certificateBag))];
  if (keyPem !== undefined) {
    const key = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' });
    const info = asn1.fromDer(key.toString('binary'));
    const hidden = pki.encryptPrivateKeyInfo(info, '', { algorithm: '3des', count: rounds, saltSize: saltBytes });
    contents.push(contentOf([sequence(oid('pkcs8ShroudedKeyBag'), tagged(hidden))]));
  }
  const safe = der(sequence(...contents));
  const salt = forge.random.getBytesSync(saltBytes);
  const mac = forge.hmac.create();
  mac.start('sha1', generateKey('', forge.util.createBuffer(salt), macPurpose, rounds, 20));
  mac.update(safe);
  const digest = sequence(sequence(oid('sha1'), node(Type.NULL, '')), octets(mac.digest().getBytes()));
  const pfx = sequence(integer(3), dataOf(safe), sequence(digest, octets(salt), integer(rounds)));
  return forge.util.encode64(der(pfx));
}

/** Reads base64 PKCS#12. Throws where it cannot be opened, or has no key with its certificate. */
export function readPfx(base64: string, password: string): Material {
  const content = forge.util.createBuffer(Buffer.from(base64, 'base64').toString('binary'));
  const bags = forge.pkcs12
    .pkcs12FromAsn1(asn1.fromDer(content), password)
    .safeContents.flatMap(({ safeBags }) => safeBags);
  // A certificate with an EC key stays ASN.1.
  const certificates = bags.flatMap(({ type, cert, asn1: raw }) =>
    type === oids['certBag']
      ? [cert ? pki.certificateToPem(cert) : pemOf('CERTIFICATE', Buffer.from(der(raw), 'binary'))]
      : [],
  );
  const bag = bags.find(({ type }) => type === oids['keyBag'] || type === oids['pkcs8ShroudedKeyBag']);
  const info = bag?.key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(bag.key)) : bag?.asn1;
  if (!info) throw new Error('no key');
  const key = createPrivateKey({ key: Buffer.from(der(info), 'binary'), format: 'der', type: 'pkcs8' });
  const own = certificates.find((pem) => new X509Certificate(pem).checkPrivateKey(key));
  if (own === undefined) throw new Error('no certificate of the key');
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { keyPem, certPem: own, chainPem: certificates.filter((pem) => pem !== own) };
}

function certificateBag(pem: string): Asn1 {
  const content = new X509Certificate(pem).raw.toString('binary');
  return sequence(oid('certBag'), tagged(sequence(oid('x509Certificate'), tagged(octets(content)))));
}

function contentOf(bags: readonly Asn1[]): Asn1 {
  return dataOf(der(sequence(...bags)));
}

function dataOf(content: string): Asn1 {
  return sequence(oid('data'), tagged(octets(content)));
}

function sequence(...values: readonly Asn1[]): Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [...values]);
}

function tagged(value: Asn1): Asn1 {
  return asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [value]);
}

function node(type: forge.asn1.Type, value: string): Asn1 {
  return asn1.create(Class.UNIVERSAL, type, false, value);
}

function oid(name: string): Asn1 {
  return node(Type.OID, asn1.oidToDer(oids[name] ?? '').getBytes());
}

function octets(bytes: string): Asn1 {
  return node(Type.OCTETSTRING, bytes);
}

function integer(value: number): Asn1 {
  return node(Type.INTEGER, asn1.integerToDer(value).getBytes());
}

function der(value: Asn1): string {
  return asn1.toDer(value).getBytes();
}
