import { readFile } from 'node:fs/promises';
import { parseCertificateBundle } from '../../azure/certificates/certificate-bundle.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { ObjectKey } from '../../kube/client/types.ts';
import type { FeatureGates } from '../secrets/feature-gates.ts';
import type { HeldSecrets } from '../secrets/held-secrets.ts';
import type { EndpointSecret } from '../secrets/managed-secrets.ts';

/** Certificate chain and key, PEM. */
export interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

/** Where the endpoint's own certificate comes from. */
export interface CertificateSource {
  /** For messages. */
  readonly name: string;
  /** The present pair. Rejects while there is none; errors name reasons, and no part of a key. */
  read(): Promise<ServingPair>;
}

/** Two files in PEM, such as a mounted Secret. */
export function certificateFiles(certFile: string, keyFile: string): CertificateSource {
  return {
    name: `${certFile} and ${keyFile}`,
    async read() {
      const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
      return { cert, key };
    },
  };
}

/** Dependencies of `managedCertificate`. */
export interface ManagedCertificateDeps {
  readonly objects: WatchedCache<EndpointSecret>;
  readonly held: Pick<HeldSecrets, 'get'>;
  readonly gates: Pick<FeatureGates, 'closed'>;
  readonly object: ObjectKey;
}

/**
 * The newest version of a ManagedSecret of kind Certificate, out of the vault of this replica's region. A closed gate
 * keeps a version from first use; the one that is in use stays.
 */
export function managedCertificate({ objects, held, gates, object }: ManagedCertificateDeps): CertificateSource {
  const name = `the ManagedSecret ${object.namespace}/${object.name}`;
  let last: { readonly version: string; readonly pair: ServingPair } | undefined;
  return {
    name,
    async read() {
      const certificateObject = objects.get(object);
      if (!certificateObject) throw new Error('it does not exist');
      if (certificateObject.spec.kind !== 'Certificate')
        throw new Error(`it is of kind ${certificateObject.spec.kind}, not Certificate`);
      const { reading, problem } = held.get(certificateObject);
      if (!reading) throw new Error(problem);
      const { version, value } = reading.current;
      if (last?.version === version) return last.pair;
      const closed = reading.subscriptions.map((each) => gates.closed(each)).find((each) => each !== undefined);
      if (closed !== undefined) throw new Error(`managed secrets are not approved: ${closed}`);
      const { chain, privateKey } = await parseCertificateBundle(value, undefined, name);
      const cert = chain.map((each) => each.toString()).join('');
      last = { version, pair: { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) } };
      return last.pair;
    },
  };
}
