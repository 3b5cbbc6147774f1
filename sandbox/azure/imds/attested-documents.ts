import forge from 'node-forge';
import type { Ids } from '../ids.ts';
import { opensslSigner } from '../openssl-signer.ts';
import { issueCertificate, type KeyAndCertificate } from '../pki.ts';

/** The content of an attested document about a machine. */
export interface Attestation {
  /** Name of the signing certificate, such as metadata.azure.com. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long it is valid. */
  readonly seconds: number;
  readonly vmId: string;
  readonly subscriptionId: string;
  readonly sku: string;
  /** At most ten digits. @default the time */
  readonly nonce?: string;
}

/** `MM/DD/YY HH:MM:SS -0000`, as the documents have times. */
function time(ms: number): string {
  const [date = '', clock = ''] = new Date(ms).toISOString().split('T');
  const [year = '', month, day] = date.split('-');
  return `${month}/${day}/${year.slice(2)} ${clock.slice(0, 8)} -0000`;
}

/**
 * Signs attested documents: PKCS#7 with the content inside, by a certificate of the sandbox's CA. Certificates are valid
 * by the machine's time, documents by the sandbox's clock.
 */
export class AttestedDocuments {
  readonly #ca: KeyAndCertificate;
  readonly #ids: Ids;
  readonly #signers = new Map<string, Promise<KeyAndCertificate>>();

  constructor(ca: KeyAndCertificate, ids: Ids) {
    this.#ca = ca;
    this.#ids = ids;
  }

  /** The answer of the metadata service. */
  async document({ name, now, seconds, vmId, subscriptionId, sku, nonce }: Attestation) {
    const signer = await this.#signer(name);
    const content = {
      licenseType: '',
      nonce: nonce ?? time(now),
      plan: { name: '', product: '', publisher: '' },
      sku,
      subscriptionId,
      timeStamp: { createdOn: time(now), expiresOn: time(now + seconds * 1000) },
      vmId,
    };
    const signed = forge.pkcs7.createSignedData();
    signed.content = forge.util.createBuffer(JSON.stringify(content), 'utf8');
    signed.addCertificate(signer.certPem);
    const oids = forge.pki.oids as Readonly<Record<string, string>>;
    signed.addSigner({
      key: opensslSigner(signer.keyPem),
      certificate: signer.certPem,
      digestAlgorithm: oids['sha256'] ?? '',
      authenticatedAttributes: [
        { type: oids['contentType'] ?? '', value: oids['data'] ?? '' },
        { type: oids['messageDigest'] ?? '' },
      ],
    });
    signed.sign();
    const signature = forge.util.encode64(forge.asn1.toDer(signed.toAsn1()).getBytes());
    return { encoding: 'pkcs7', signature };
  }

  #signer(name: string): Promise<KeyAndCertificate> {
    const known = this.#signers.get(name);
    if (known) return known;
    const made = issueCertificate({
      commonName: name,
      ids: this.#ids,
      now: Date.now(),
      days: 90,
      issuer: this.#ca,
      dnsNames: [name],
    });
    this.#signers.set(name, made);
    return made;
  }
}
