import { Ids } from '../../../../sandbox/azure/ids.ts';
import { issueCertificate } from '../../../../sandbox/azure/pki.ts';

/** The Secret with a new certificate authority, which signs the certificate of the demonstration. */
export async function newAuthority(commonName: string) {
  const ids = new Ids(undefined, { counter: 0 });
  const ca = await issueCertificate({ commonName, ids, now: Date.now(), days: 365, ca: true });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { namespace: 'demo', name: 'shop-ca' },
    stringData: { 'tls.crt': ca.certPem, 'tls.key': ca.keyPem },
  };
}
