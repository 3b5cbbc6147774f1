import { createHmac, randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { NonceKeys } from './nonce-keys.ts';

/** Dependencies of Nonces. */
export interface NoncesDeps {
  readonly keys: Pick<NonceKeys, 'get'>;
  readonly clock: Clock;
  /** Documents that this replica remembers as used, shared out by caller. @default 100000 */
  readonly most?: number;
}

/** Seconds for which a nonce is valid. */
const lifeSeconds = 300;
/** Seconds by which the clock of another replica may be ahead. */
const skewSeconds = 30;
/**
 * A nonce is of one of the last seconds, chosen at random: a machine that asks for several secrets at once gets
 * different ones.
 */
const spreadSeconds = 100;

/**
 * The nonces of attested documents: ten digits, as the metadata endpoint takes them. A nonce is a keyed hash of the caller
 * and a second, so that every replica with the same key recognizes it. Used nonces are in the memory of this replica.
 */
export class Nonces {
  readonly #deps: NoncesDeps;
  /** By caller, nonce and machine: the second in which the nonce ends. */
  readonly #used: SharedLru<number>;

  constructor(deps: NoncesDeps) {
    this.#deps = deps;
    this.#used = new SharedLru(deps.most ?? 100_000);
  }

  /** A nonce for this caller, and when it ends. Throws AZ_TERMINAL before the first certificate. */
  issue(caller: string): { readonly nonce: string; readonly expiresOn: number } {
    const [key] = this.#deps.keys.get();
    if (!key) throw new AzimuthError('AZ_TERMINAL', 'There is no certificate yet, whose key makes nonces');
    const second = this.#second() - randomInt(spreadSeconds);
    return { nonce: nonceOf(key, caller, second), expiresOn: (second + lifeSeconds) * 1000 };
  }

  /** Whether a replica gave this nonce to the caller in the last minutes. */
  valid(caller: string, nonce: string): boolean {
    if (!/^\d{10}$/.test(nonce)) return false;
    const now = this.#second();
    for (const key of this.#deps.keys.get()) {
      for (let second = now + skewSeconds; second > now - lifeSeconds; second--)
        if (nonceOf(key, caller, second) === nonce) return true;
    }
    return false;
  }

  /** Whether this replica sees the nonce with this machine for the first time; not again afterwards. */
  use(caller: string, nonce: string, vmId: string): boolean {
    const key = `${caller} ${nonce} ${vmId}`;
    const now = this.#second();
    const until = this.#used.get(key);
    if (until !== undefined && until > now) return false;
    this.#used.set(key, now + lifeSeconds + skewSeconds, caller);
    return true;
  }

  #second(): number {
    return Math.floor(this.#deps.clock.now() / 1000);
  }
}

function nonceOf(key: Buffer, caller: string, second: number): string {
  const hash = createHmac('sha256', key).update(`${caller} ${second}`).digest();
  return String(hash.readBigUInt64BE() % 10_000_000_000n).padStart(10, '0');
}
