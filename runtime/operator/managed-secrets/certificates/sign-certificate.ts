/**
 * Signs the certificate request of a vault with the key of a CA: DER is read and written by node-forge, keys and
 * signatures are those of node:crypto, so that RSA and EC work for both.
 */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign, type X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { AzimuthError } from '../../../base/errors.ts';

const { asn1 } = forge;
const { Type, Class } = asn1;
type Asn1 = forge.asn1.Asn1;

/** The content of the certificate, beside the subject and key of the request. */
export interface LeafProperties {
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly dnsNames: readonly string[];
  /** OIDs of the extended key usages. */
  readonly uses: readonly string[];
}

/** The CA that signs. */
export interface SigningAuthority {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

const oids = {
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  subjectKeyId: '2.5.29.14',
  authorityKeyId: '2.5.29.35',
  rsaSha256: '1.2.840.113549.1.1.11',
  ecdsaSha256: '1.2.840.10045.4.3.2',
} as const;

/** The certificate, DER. Throws AZ_CONFIG_INVALID for a CA with another key, or a request that cannot be read. */
export function signCertificate(
  request: Buffer,
  leaf: LeafProperties,
  { certificate, privateKey }: SigningAuthority,
): Buffer {
  const type = privateKey.asymmetricKeyType;
  if (type !== 'rsa' && type !== 'ec')
    throw new AzimuthError('AZ_CONFIG_INVALID', `The key of a CA must be EC or RSA, and not ${type}`);
  const { subject, publicKey } = requestParts(request);
  const algorithm = sequence(
    oid(type === 'rsa' ? oids.rsaSha256 : oids.ecdsaSha256),
    ...(type === 'rsa' ? [node(Type.NULL, '')] : []),
  );
  const leafKey = createPublicKey({ key: der(publicKey), format: 'der', type: 'spki' });
  const tbs = sequence(
    tagged(0, [integer(Buffer.from([2]))]),
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    algorithm,
    subjectOf(certificate),
    sequence(time(leaf.notBefore), time(leaf.notAfter)),
    subject,
    publicKey,
    tagged(3, [sequence(...extensions(leaf, publicKey, leafKey.asymmetricKeyType === 'rsa', certificate))]),
  );
  const signature = sign('sha256', der(tbs), privateKey);
  return der(sequence(tbs, algorithm, bits0(signature)));
}

function requestParts(request: Buffer): { subject: Asn1; publicKey: Asn1 } {
  try {
    const info = children(asn1.fromDer(request.toString('binary')))[0] as Asn1;
    const [, subject, publicKey] = children(info);
    if (subject && publicKey) return { subject, publicKey };
  } catch (cause) {
    throw new AzimuthError('AZ_CONFIG_INVALID', 'The certificate request of the vault cannot be read', { cause });
  }
  throw new AzimuthError('AZ_CONFIG_INVALID', 'The certificate request of the vault has no subject or key');
}

/** The name of the CA as its certificate has it, byte for byte. */
function subjectOf({ raw }: X509Certificate): Asn1 {
  const tbs = children(asn1.fromDer(raw.toString('binary')))[0] as Asn1;
  const fields = children(tbs);
  const first = fields[0]?.tagClass === Class.CONTEXT_SPECIFIC ? 1 : 0;
  return fields[first + 4] as Asn1;
}

function extensions(leaf: LeafProperties, publicKey: Asn1, isRsa: boolean, ca: X509Certificate): Asn1[] {
  // Digital signature; RSA keys also encipher keys.
  const usage = Buffer.from(isRsa ? [5, 0xa0] : [7, 0x80]).toString('binary');
  const names = leaf.dnsNames.map((name) => asn1.create(Class.CONTEXT_SPECIFIC, 2, false, name));
  const authority = asn1.create(Class.CONTEXT_SPECIFIC, 0, false, keyId(spkiOf(ca)));
  return [
    extension(oids.basicConstraints, true, sequence()),
    extension(oids.keyUsage, true, node(Type.BITSTRING, usage)),
    ...(leaf.uses.length > 0 ? [extension(oids.extendedKeyUsage, false, sequence(...leaf.uses.map(oid)))] : []),
    ...(names.length > 0 ? [extension(oids.subjectAltName, false, sequence(...names))] : []),
    extension(oids.subjectKeyId, false, node(Type.OCTETSTRING, keyId(publicKey))),
    extension(oids.authorityKeyId, false, sequence(authority)),
  ];
}

function extension(id: string, critical: boolean, value: Asn1): Asn1 {
  const flag = critical ? [node(Type.BOOLEAN, '\xff')] : [];
  return sequence(oid(id), ...flag, node(Type.OCTETSTRING, asn1.toDer(value).getBytes()));
}

function spkiOf({ publicKey }: X509Certificate): Asn1 {
  return asn1.fromDer(publicKey.export({ format: 'der', type: 'spki' }).toString('binary'));
}

/** SHA-1 of the key's bits (RFC 5280, 4.2.1.2). */
function keyId(spki: Asn1): string {
  const bits = children(
    asn1.fromDer(asn1.toDer(spki).getBytes(), { strict: true, decodeBitStrings: false } as never),
  )[1]?.value;
  const key = Buffer.from(typeof bits === 'string' ? bits.slice(1) : '', 'binary');
  return createHash('sha1').update(key).digest('binary');
}

function time(at: number): Asn1 {
  const date = new Date(Math.floor(at / 1000) * 1000);
  // RFC 5280: UTCTime until 2049.
  return date.getUTCFullYear() < 2050
    ? node(Type.UTCTIME, asn1.dateToUtcTime(date) as unknown as string)
    : node(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(date) as unknown as string);
}

function sequence(...values: readonly Asn1[]): Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [...values]);
}

function node(type: forge.asn1.Type, value: string): Asn1 {
  return asn1.create(Class.UNIVERSAL, type, false, value);
}

function tagged(tag: number, values: Asn1[]): Asn1 {
  return asn1.create(Class.CONTEXT_SPECIFIC, tag, true, values);
}

function oid(id: string): Asn1 {
  return node(Type.OID, asn1.oidToDer(id).getBytes());
}

function integer(bytes: Buffer): Asn1 {
  return node(Type.INTEGER, bytes.toString('binary'));
}

function bits0(bytes: Buffer): Asn1 {
  return node(Type.BITSTRING, `\0${bytes.toString('binary')}`);
}

function der(value: Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'binary');
}

function children({ value }: Asn1): Asn1[] {
  return Array.isArray(value) ? value : [];
}
