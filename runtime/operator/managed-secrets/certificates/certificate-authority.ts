import { reasons } from '../../../arm-kinds/names.ts';
import { parseCertificateBundle } from '../../../azure/certificates/certificate-bundle.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import type { KubeClient } from '../../../kube/client/types.ts';
import { PlaceProblem, type SecretContext } from '../vaults/vault-places.ts';
import type { SigningAuthority } from './sign-certificate.ts';

/** A CA of a namespace, with the times of its certificate in milliseconds since the epoch. */
export interface CertificateAuthority extends SigningAuthority {
  readonly notBefore: number;
  readonly notAfter: number;
  /** Certificates that leaves are sent with: the CA, then its issuers except a root. DER. */
  readonly chain: readonly Buffer[];
}

/**
 * Reads the CA from a kubernetes.io/tls Secret of the object's namespace. Throws PlaceProblem while there is none, and
 * AZ_CONFIG_INVALID that names the Secret for one that cannot sign.
 */
export async function readAuthority(
  client: KubeClient,
  context: SecretContext,
  name: string,
): Promise<CertificateAuthority> {
  const { namespace = '' } = context.object.metadata;
  const secret = await client.tryGet(secretsType, { namespace, name }, context.signal);
  const data = (secret?.['data'] ?? {}) as Readonly<Record<string, unknown>>;
  const [certificates, key] = [data['tls.crt'], data['tls.key']];
  if (typeof certificates !== 'string' || typeof key !== 'string') {
    const message = `Secret ${name}, named by spec.certificate.issuer.caSecret, has no tls.crt and tls.key`;
    throw new PlaceProblem(reasons.secretNotFound, message, true);
  }
  const text = [certificates, key].map((part) => Buffer.from(part, 'base64').toString('latin1')).join('\n');
  const { privateKey, chain } = await parseCertificateBundle(text, undefined, `Secret ${name}`);
  const [certificate] = chain;
  if (!certificate?.ca) {
    throw new PlaceProblem('IssuerInvalid', `The certificate in Secret ${name} is not that of a CA`, true);
  }
  const sent = chain.filter((each, index) => index === 0 || !each.checkIssued(each));
  return {
    certificate,
    privateKey,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    chain: sent.map(({ raw }) => raw),
  };
}
