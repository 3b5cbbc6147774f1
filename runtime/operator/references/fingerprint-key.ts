import { hmacOf, type ProgramKey } from '../../kube/controller/program-key.ts';

/**
 * Makes fingerprints of secret values that are safe to publish: without the operator's key, a reader of an annotation
 * cannot try passwords against them. Equal values have equal fingerprints, after a restart too. A new key changes all
 * fingerprints, so that the operator sends resources with secret inputs again.
 */
export class FingerprintKey {
  readonly #key: ProgramKey;

  constructor(key: ProgramKey) {
    this.#key = key;
  }

  /** 32 hexadecimal digits. */
  async of(values: unknown, signal: AbortSignal): Promise<string> {
    const key = await this.#key.load(signal);
    return hmacOf(key, values).toString('hex').slice(0, 32);
  }
}
