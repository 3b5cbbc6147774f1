import { parseCertificateBundle } from '../../azure/certificates/certificate-bundle.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import { SharedCache } from '../../base/shared-cache.ts';
import { HttpError } from '../protocol/http-error.ts';
import { type EndpointSecret, keyOf } from './managed-secrets.ts';
import type { HeldVersion } from './secret-reader.ts';

/** Milliseconds for which a certificate in PEM stays in memory, and how many of them. */
const cacheMs = 300_000;
const mostEntries = 500;

/**
 * Certificates in PEM: the private key (PKCS#8), the leaf, then its issuers. A tenant may write every byte of the value,
 * so its namespace has a credit of time for reading it.
 */
export class PemValues {
  readonly #clock: Clock;
  readonly #credit: TimeCredit;
  readonly #cache: SharedCache<string>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#credit = new TimeCredit(clock);
    this.#cache = new SharedCache({ clock, ttlMs: cacheMs, maxEntries: mostEntries });
  }

  /**
   * The value of a version in PEM. Throws HttpError: `request_invalid` for another kind than Certificate, `secret_unread`
   * for a value that cannot be read, and `namespace_limit` for a namespace without credit.
   */
  async of(object: EndpointSecret, { version, hash, value }: HeldVersion): Promise<string> {
    if (object.spec.kind !== 'Certificate') {
      throw new HttpError('request_invalid', 'format=pem goes with ManagedSecrets of kind Certificate');
    }
    const { uid = '' } = object.metadata;
    const read = () => this.#read(object, value);
    return await this.#cache.get(JSON.stringify([uid, version, hash]), read, () => Number.POSITIVE_INFINITY);
  }

  async #read(object: EndpointSecret, value: string): Promise<string> {
    const { namespace = '' } = object.metadata;
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) {
      const message = 'The certificates of the namespace take too long to read: write them with fewer rounds';
      throw new HttpError('namespace_limit', message, { retryAfter: Math.ceil(waitMs / 1000) });
    }
    const begin = this.#clock.monotonic();
    try {
      const { chain, privateKey } = await parseCertificateBundle(value, undefined, keyOf(object));
      const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      return [key, ...chain.map((each) => each.toString())].join('');
    } catch (error) {
      throw new HttpError('secret_unread', messageOf(error), { retryAfter: 300 });
    } finally {
      this.#credit.spend(namespace, this.#clock.monotonic() - begin);
    }
  }
}
