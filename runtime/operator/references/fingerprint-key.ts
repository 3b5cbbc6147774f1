import { hmacOf, type ProgramKey } from '../../kube/controller/program-key.ts';

/**
 * Makes fingerprints of secret values that may be shown to everybody: whoever sees one in an annotation cannot try
 * passwords against it without the operator's key. Equal values have equal fingerprints, after a restart too. A new key
 * changes all fingerprints, so that what has secret inputs is sent to Azure again.
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
