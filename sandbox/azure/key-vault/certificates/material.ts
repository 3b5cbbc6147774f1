import forge from 'node-forge';
import type { Ids } from '../../ids.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import { opensslSigner } from '../../openssl-signer.ts';
import type { KeyAndCertificate } from '../../pki.ts';
import { badParameter } from '../vault-request.ts';

/** Content type of a certificate as PEM. */
export const pemType = 'application/x-pem-file';
/** Content type of a certificate as PKCS#12. */
export const pfxType = 'application/x-pkcs12';

/** A certificate with its key; all PEM. */
export interface Material {
  readonly keyPem: string;
  readonly certPem: string;
  readonly chainPem: readonly string[];
}

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
    { name: 'subjectKeyIdentifier' },
    ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : []),
  ];
}

/** A certificate as the policy describes it; self-signed without an issuer. */
export function issued(policy: Json, keyPem: string, ids: Ids, now: number, issuer?: KeyAndCertificate): Material {
  const key = forge.pki.privateKeyFromPem(keyPem) as forge.pki.rsa.PrivateKey;
  const cert = forge.pki.createCertificate();
  cert.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  cert.serialNumber = `01${ids.hex(30)}`;
  cert.validity.notBefore = new Date(now - 600_000);
  cert.validity.notAfter = new Date(now);
  cert.validity.notAfter.setUTCMonth(
    cert.validity.notAfter.getUTCMonth() + Number(at(policy, 'x509_props.validity_months') ?? 12),
  );
  cert.setSubject(subjectOf(policy));
  cert.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.certPem).subject.attributes : subjectOf(policy));
  cert.setExtensions(extensionsOf(policy));
  cert.sign(opensslSigner(issuer?.keyPem ?? keyPem), forge.md.sha256.create());
  return { keyPem, certPem: forge.pki.certificateToPem(cert), chainPem: issuer ? [issuer.certPem] : [] };
}

/** The request that a certificate authority would sign, base64 DER. */
export function signingRequest(policy: Json, keyPem: string): string {
  const key = forge.pki.privateKeyFromPem(keyPem) as forge.pki.rsa.PrivateKey;
  const csr = forge.pki.createCertificationRequest();
  csr.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  csr.setSubject(subjectOf(policy));
  csr.sign(opensslSigner(keyPem), forge.md.sha256.create());
  return forge.util.encode64(forge.asn1.toDer(forge.pki.certificationRequestToAsn1(csr)).getBytes());
}

/** Reads what an import sends: PEM text (key and certificates) or base64 PKCS#12. */
export function readMaterial(value: string, password: string): Material {
  if (value.includes('-----BEGIN')) {
    const blocks = value.match(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
    const keyPem = blocks.find((block) => block.includes('PRIVATE KEY-----'));
    const [certPem, ...chainPem] = blocks.filter((block) => block.includes('BEGIN CERTIFICATE'));
    if (!keyPem || !certPem)
      throw badParameter('The specified PEM X.509 certificate content holds no private key or no certificate.');
    return { keyPem: pkcs8(keyPem), certPem, chainPem };
  }
  try {
    const der = forge.util.createBuffer(Buffer.from(value, 'base64').toString('binary'));
    const pfx = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(der), password);
    const bags = (type: string) => pfx.getBags({ bagType: type })[type] ?? [];
    const oids = forge.pki.oids as Record<string, string>;
    const key = [...bags(oids['pkcs8ShroudedKeyBag'] ?? ''), ...bags(oids['keyBag'] ?? '')][0]?.key;
    const certs = bags(oids['certBag'] ?? '').flatMap(({ cert }) => (cert ? [cert] : []));
    const own = certs.find(
      (cert) => key && (cert.publicKey as forge.pki.rsa.PublicKey).n.equals((key as forge.pki.rsa.PrivateKey).n),
    );
    if (!key || !own) throw new Error('no key with its certificate');
    return {
      keyPem: pkcs8(forge.pki.privateKeyToPem(key)),
      certPem: forge.pki.certificateToPem(own),
      chainPem: certs.filter((cert) => cert !== own).map((cert) => forge.pki.certificateToPem(cert)),
    };
  } catch {
    throw badParameter(
      'The specified PKCS#12 X.509 certificate content can not be read. Please check if certificate is in valid PKCS#12 format and if the password is right.',
    );
  }
}

function pkcs8(pem: string): string {
  const key = forge.pki.privateKeyFromPem(pem);
  return forge.pki.privateKeyInfoToPem(forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)));
}

/** The value of the secret that belongs to the certificate; without the key if that may not leave the vault. */
export function secretValue(material: Material, contentType: string, exportable = true): string {
  const certificates = [material.certPem, ...material.chainPem];
  if (contentType === pemType) {
    return [...(exportable ? [material.keyPem] : []), ...certificates].map((pem) => `${pem.trim()}\n`).join('');
  }
  const key = exportable ? (forge.pki.privateKeyFromPem(material.keyPem) as forge.pki.rsa.PrivateKey) : null;
  const certs = certificates.map((pem) => forge.pki.certificateFromPem(pem));
  const pfx = forge.pkcs12.toPkcs12Asn1(key, certs, '', { algorithm: '3des' });
  return forge.util.encode64(forge.asn1.toDer(pfx).getBytes());
}
