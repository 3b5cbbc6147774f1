import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import type { Principals } from '../consumers/machine-reader.ts';
import { HttpError } from '../protocol/http-error.ts';
import type { IssuerCertificates } from './issuer-certificates.ts';
import type { Nonces } from './nonces.ts';
import { chainProblem, dnsNamesOf, readSigned } from './signed-document.ts';

/** Dependencies of AttestedDocuments. */
export interface AttestedDocumentsDeps {
  readonly nonces: Pick<Nonces, 'valid' | 'use'>;
  readonly issuers: Pick<IssuerCertificates, 'tryIssuerOf'>;
  readonly clock: Clock;
  /** Roots in PEM. @default the public roots of Node.js */
  readonly roots?: readonly string[] | undefined;
}

const nonceRefusal = () =>
  new HttpError('attestation_nonce', 'The nonce of the attested document is not one of yours, has ended, or was used');

const skewMs = 300_000;
/** Extended key usage of servers; Node.js has the list as `keyUsage`. */
const serverAuth = '1.3.6.1.5.5.7.3.1';
/** Names of the metadata endpoint in the public cloud, US Government and China. */
const signerName = /^(\*\.|[a-z0-9-]{1,63}\.){0,3}metadata\.azure\.(com|us|cn)$/;

/**
 * Verifies that a request comes from inside one of the machines: the metadata endpoint has signed a document with a nonce
 * of ours and the id of the machine (facts/compute.md 6). It proves the machine, and not which program in it asks.
 */
export class AttestedDocuments {
  readonly #deps: AttestedDocumentsDeps;
  #roots: readonly X509Certificate[] | undefined;

  constructor(deps: AttestedDocumentsDeps) {
    this.#deps = deps;
  }

  /** The id of the machine that the document of this caller proves. Throws an HttpError. */
  async verify(
    caller: string,
    document: string | undefined,
    machine: Pick<Principals, 'vmIds' | 'subscription'>,
  ): Promise<string> {
    if (document === undefined) {
      throw new HttpError(
        'attestation_missing',
        'This secret wants a proof of the machine: ask POST /v1/nonce, and send the attested document with that nonce',
      );
    }
    const { nonces, clock } = this.#deps;
    const { content, signer, others } = await readSigned(document);
    const fields = fieldsOf(content);
    // Before the chain, which costs more, and for which an issuer may have to be asked.
    if (!nonces.valid(caller, fields.nonce)) throw nonceRefusal();
    await this.#checkSigner(signer, others);
    const now = clock.now();
    if (!(fields.createdOn <= now + skewMs && fields.expiresOn >= now - skewMs))
      throw new HttpError('attestation_invalid', 'The attested document has ended, or begins later');
    const { vmIds, subscription } = machine;
    if (fields.subscriptionId !== subscription || !vmIds.has(fields.vmId)) {
      throw new HttpError('attestation_machine', 'The attested document is of a machine that is no consumer', {
        retryAfter: 30,
      });
    }
    if (!nonces.use(caller, fields.nonce, fields.vmId)) throw nonceRefusal();
    return fields.vmId;
  }

  async #checkSigner(signer: X509Certificate, others: readonly X509Certificate[]): Promise<void> {
    if (!signsForServer(signer) || !dnsNamesOf(signer).some((name) => signerName.test(name)))
      throw new HttpError('attestation_invalid', 'The attested document is not signed by metadata.azure.com');
    const { roots, issuers, clock } = this.#deps;
    this.#roots ??= (roots ?? rootCertificates).map((pem) => new X509Certificate(pem));
    let problem = await chainProblem(signer, others, this.#roots, clock.now());
    if (problem === undefined) return;
    const issuer = await issuers.tryIssuerOf(signer);
    if (issuer) problem = await chainProblem(signer, [...others, issuer], this.#roots, clock.now());
    if (problem !== undefined)
      throw new HttpError('attestation_invalid', `The attested document is not valid: ${problem}`);
  }
}

interface DocumentFields {
  readonly nonce: string;
  readonly vmId: string;
  readonly subscriptionId: string;
  readonly createdOn: number;
  readonly expiresOn: number;
}

function fieldsOf(content: Buffer): DocumentFields {
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch {
    value = undefined;
  }
  const document = isObject(value) ? value : {};
  const stamp = isObject(document['timeStamp']) ? document['timeStamp'] : {};
  const text = (member: unknown) => (typeof member === 'string' ? member.toLowerCase() : '');
  return {
    nonce: text(document['nonce']),
    vmId: text(document['vmId']),
    subscriptionId: text(document['subscriptionId']),
    createdOn: instantOf(text(stamp['createdOn'])),
    expiresOn: instantOf(text(stamp['expiresOn'])),
  };
}

/** `MM/DD/YY HH:MM:SS -0000`; NaN for anything else. */
function instantOf(text: string): number {
  const match = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) -0000$/.exec(text);
  if (!match) return Number.NaN;
  const [, month, day, year, time] = match;
  return Date.parse(`20${year}-${month}-${day}T${time}Z`);
}

/** Authorities check names in certificates of servers; those for mail or code are of the same roots. */
function signsForServer({ ca, keyUsage }: X509Certificate): boolean {
  return !ca && (keyUsage?.includes(serverAuth) ?? true);
}
