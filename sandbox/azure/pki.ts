import { generateKeyPair, type KeyObject } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import forge from 'node-forge';
import { readWritten, sharedKeysDirectory, writeOnce } from '../shared-keys.ts';
import type { Ids } from './ids.ts';
import { opensslSigner } from './openssl-signer.ts';

const generate = promisify(generateKeyPair);

/** PEM texts. */
export interface KeyAndCertificate {
  readonly keyPem: string;
  readonly certPem: string;
}

/** An RSA key pair made off the main thread. */
export async function rsaKeyPair(bits = 2048): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  return generate('rsa', { modulusLength: bits });
}

interface CertificateRequest {
  readonly commonName: string;
  readonly ids: Ids;
  readonly now: number;
  readonly days: number;
  readonly issuer?: KeyAndCertificate;
  readonly ca?: boolean;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/**
 * A certificate with a fresh RSA-2048 key, self-signed unless an issuer is given. Validity starts a day early: the
 * sandbox's clock may be set behind that of its clients.
 */
export async function issueCertificate(request: CertificateRequest): Promise<KeyAndCertificate> {
  const { privateKey } = await rsaKeyPair();
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { keyPem, certPem: certify(request, keyPem) };
}

/** The certificate for a key that exists already. */
export function certify(request: CertificateRequest, keyPem: string): string {
  const key = forge.pki.privateKeyFromPem(keyPem) as forge.pki.rsa.PrivateKey;
  const cert = forge.pki.createCertificate();
  cert.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  cert.serialNumber = `01${request.ids.hex(30)}`;
  cert.validity.notBefore = new Date(request.now - 86_400_000);
  cert.validity.notAfter = new Date(request.now + request.days * 86_400_000);
  const subject = [{ name: 'commonName', value: request.commonName }];
  cert.setSubject(subject);
  const issuer = request.issuer;
  cert.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.certPem).subject.attributes : subject);
  cert.setExtensions([
    { name: 'basicConstraints', cA: request.ca ?? false, critical: true },
    request.ca
      ? { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true }
      : { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    ...(request.ca ? [] : [{ name: 'extKeyUsage', serverAuth: true, clientAuth: true }]),
    { name: 'subjectKeyIdentifier' },
    ...(request.dnsNames || request.ipAddresses
      ? [
          {
            name: 'subjectAltName',
            altNames: [
              ...(request.dnsNames ?? []).map((value) => ({ type: 2, value })),
              ...(request.ipAddresses ?? []).map((ip) => ({ type: 7, ip })),
            ],
          },
        ]
      : []),
  ]);
  cert.sign(opensslSigner(issuer?.keyPem ?? keyPem), forge.md.sha256.create());
  return forge.pki.certificateToPem(cert);
}

interface SandboxKeys {
  readonly ca: KeyAndCertificate;
  readonly tls: KeyAndCertificate;
  /** PKCS#8 PEM. */
  readonly signingKeyPem: string;
}

/**
 * The CA and the key that signs tokens, made once and kept in the state, and a server certificate made at every start.
 * Without them in the state they may be shared (see `sharedKeysDirectory`). Their validity follows the machine's time,
 * not the sandbox's clock: clients check it by theirs.
 */
export async function sandboxKeys(
  state: { ca?: KeyAndCertificate; signingKeyPem?: string },
  ids: Ids,
): Promise<SandboxKeys> {
  const shared = state.ca || state.signingKeyPem ? undefined : sharedKeysDirectory();
  const file = shared && join(shared, 'azure.json');
  let keys = file ? readWritten<SandboxKeys>(file) : undefined;
  if (!keys) {
    keys = await newSandboxKeys(state, ids);
    if (file) keys = writeOnce(file, keys);
  }
  const { ca, signingKeyPem } = keys;
  Object.assign(state, { ca, signingKeyPem });
  return keys;
}

async function newSandboxKeys(
  state: { ca?: KeyAndCertificate; signingKeyPem?: string },
  ids: Ids,
): Promise<SandboxKeys> {
  const now = Date.now();
  const [ca, signing] = await Promise.all([
    state.ca ?? issueCertificate({ commonName: 'Azimuth sandbox CA', ids, now, days: 3650, ca: true }),
    state.signingKeyPem ?? rsaKeyPair().then(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' })),
  ]);
  const tls = await issueCertificate({
    commonName: 'localhost',
    ids,
    now,
    days: 825,
    issuer: ca,
    dnsNames: ['localhost', '*.vault.localhost', '*.localhost'],
    ipAddresses: ['127.0.0.1', '::1'],
  });
  return { ca, tls, signingKeyPem: String(signing) };
}

/** Writes the certificate without its key, in PEM, and the directories above it. */
export function writeCertificate(file: string, { certPem }: KeyAndCertificate): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, certPem);
}
