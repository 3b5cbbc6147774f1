import { createPrivateKey, hkdfSync } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

/** Milliseconds for which a former key counts: kubelet gives replicas a new certificate within two minutes of another. */
const formerMs = 600_000;
const label = 'azimuth.dev/secrets nonce v1';

interface NonceKey {
  readonly key: Buffer;
  /** Milliseconds since the epoch; undefined for the key in use. */
  readonly endsOn?: number;
}

/**
 * The key of nonces, derived from the private key of the endpoint's certificate: all replicas of a deployment mount it,
 * and nobody else has it. It changes with that private key.
 */
export class NonceKeys {
  readonly #clock: Clock;
  #keys: readonly NonceKey[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Derives the key from a private key in PEM, of any form. Throws for text that is none. */
  use(privateKey: string): void {
    const der = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' });
    const key = Buffer.from(hkdfSync('sha256', der, '', label, 32));
    if (this.#keys[0]?.key.equals(key)) return;
    const endsOn = this.#clock.now() + formerMs;
    const former = this.#valid().filter((each) => !each.key.equals(key));
    this.#keys = [{ key }, ...former.map((each) => ({ ...each, endsOn: each.endsOn ?? endsOn })).slice(0, 2)];
  }

  /** The key in use, then former ones; empty before the first certificate. */
  get(): readonly Buffer[] {
    return this.#valid().map(({ key }) => key);
  }

  #valid(): readonly NonceKey[] {
    const now = this.#clock.now();
    return this.#keys.filter(({ endsOn }) => endsOn === undefined || endsOn > now);
  }
}
