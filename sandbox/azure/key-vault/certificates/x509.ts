import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import forge from 'node-forge';
import type { Ids } from '../../ids.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { KeyAndCertificate } from '../../pki.ts';
import { badParameter } from '../vault-request.ts';

/** A certificate with its key; all PEM. */
export interface Material {
  readonly keyPem: string;
  readonly certPem: string;
  readonly chainPem: readonly string[];
}

const { asn1 } = forge;
const { Class, Type } = asn1;
type Asn1 = forge.asn1.Asn1;
/** Functions that the types of forge leave out: they give the signed parts. */
const bodies = forge.pki as unknown as {
  getTBSCertificate(certificate: forge.pki.Certificate): Asn1;
  getCertificationRequestInfo(request: forge.pki.CertificateSigningRequest): Asn1;
};
const rsaSha256 = '1.2.840.113549.1.1.11';
/** forge writes RSA keys only: the key of the certificate takes the place of this one. */
const placeholder = forge.pki.rsa.setPublicKey(new forge.jsbn.BigInteger('3'), new forge.jsbn.BigInteger('3'));

/** Subject and further names of the policy; refuses a subject that is no distinguished name. */
function subjectOf(policy: Json): forge.pki.CertificateField[] {
  const subject = stringOf(at(policy, 'x509_props.subject')) || 'CN=sandbox';
  const names: Readonly<Record<string, string>> = { E: '1.2.840.113549.1.9.1' };
  return subject.split(/\s*,\s*/).map((part) => {
    const [shortName = '', ...value] = part.split('=');
    if (value.length === 0)
      throw badParameter(`Property policy.x509_props.subject is no distinguished name: '${subject}'.`);
    const type = names[shortName.toUpperCase()];
    return type ? { type, value: value.join('=') } : { shortName: shortName.toUpperCase(), value: value.join('=') };
  });
}

/** Known usages must be given to forge by name, others by number. */
const usages = forge.pki.oids as Readonly<Record<string, string>>;

function extensionsOf(policy: Json): object[] {
  const usage = (at(policy, 'x509_props.key_usage') as string[] | undefined) ?? [];
  const extended = (at(policy, 'x509_props.ekus') as string[] | undefined) ?? [
    '1.3.6.1.5.5.7.3.1',
    '1.3.6.1.5.5.7.3.2',
  ];
  const sans = objectOf(at(policy, 'x509_props.sans'));
  const of = (member: string, type: number) =>
    ((sans[member] as string[] | undefined) ?? []).map((value) => ({ type, value }));
  const altNames = [...of('dns_names', 2), ...of('emails', 1)];
  return [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', critical: true, ...Object.fromEntries(usage.map((name) => [name, true])) },
    ...(extended.length > 0
      ? [{ name: 'extKeyUsage', ...Object.fromEntries(extended.map((oid) => [usages[oid] ?? oid, true])) }]
      : []),
    ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : []),
  ];
}

/** A certificate as the policy describes it; self-signed without an issuer. Key and issuer have RSA or EC keys. */
export function issued(policy: Json, keyPem: string, ids: Ids, now: number, issuer?: KeyAndCertificate): Material {
  const cert = forge.pki.createCertificate();
  cert.serialNumber = `01${ids.hex(30)}`;
  cert.validity.notBefore = new Date(now - 600_000);
  cert.validity.notAfter = new Date(now);
  cert.validity.notAfter.setUTCMonth(
    cert.validity.notAfter.getUTCMonth() + Number(at(policy, 'x509_props.validity_months') ?? 12),
  );
  cert.setSubject(subjectOf(policy));
  cert.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.certPem).subject.attributes : subjectOf(policy));
  cert.setExtensions(extensionsOf(policy));
  const certPem = certified(cert, keyPem, issuer?.keyPem ?? keyPem);
  return { keyPem, certPem, chainPem: issuer ? [issuer.certPem] : [] };
}

/** The certificate of a private key, RSA or EC, signed by another one with SHA-256; all PEM. */
export function certified(certificate: forge.pki.Certificate, keyPem: string, signerPem: string): string {
  certificate.publicKey = placeholder;
  certificate.siginfo.algorithmOid = rsaSha256;
  const body = fieldsOf(bodies.getTBSCertificate(certificate));
  body[2] = algorithmOf(signerPem);
  body[6] = publicKeyOf(keyPem);
  return pemOf('CERTIFICATE', signed(body, signerPem));
}

/** The request that a certificate authority would sign, base64 DER. */
export function signingRequest(policy: Json, keyPem: string): string {
  const csr = forge.pki.createCertificationRequest();
  csr.publicKey = placeholder;
  csr.setSubject(subjectOf(policy));
  const body = fieldsOf(bodies.getCertificationRequestInfo(csr));
  body[2] = publicKeyOf(keyPem);
  return signed(body, keyPem).toString('base64');
}

function fieldsOf({ value }: Asn1): Asn1[] {
  return [...(value as Asn1[])];
}

/** The body, its algorithm and its signature with SHA-256; DER. */
function signed(body: Asn1[], keyPem: string): Buffer {
  const content = asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, body);
  const signature = sign('sha256', derOf(content), keyPem).toString('binary');
  const bits = asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, `\0${signature}`);
  return derOf(asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [content, algorithmOf(keyPem), bits]));
}

/** RSA or ECDSA with SHA-256 (RFC 4055, RFC 5758). */
function algorithmOf(keyPem: string): Asn1 {
  const isRsa = createPrivateKey(keyPem).asymmetricKeyType === 'rsa';
  const oid = asn1.oidToDer(isRsa ? rsaSha256 : '1.2.840.10045.4.3.2').getBytes();
  const name = asn1.create(Class.UNIVERSAL, Type.OID, false, oid);
  const none = asn1.create(Class.UNIVERSAL, Type.NULL, false, '');
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, isRsa ? [name, none] : [name]);
}

function publicKeyOf(keyPem: string): Asn1 {
  const der = createPublicKey(keyPem).export({ type: 'spki', format: 'der' });
  return asn1.fromDer(der.toString('binary'));
}

function derOf(value: Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'binary');
}

/** A block of PEM text. */
export function pemOf(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END ${label}-----\n`;
}
