import { createHash, randomBytes } from 'node:crypto';

/**
 * Source of every id, key and token id of the sandbox. With a seed, the n-th value is the same in every run
 * (`counter` is part of the saved state, so a restart continues the sequence); without one, values are random.
 */
export class Ids {
  readonly #seed: string | undefined;
  readonly #state: { counter: number };

  constructor(seed: string | undefined, state: { counter: number }) {
    this.#seed = seed;
    this.#state = state;
  }

  bytes(length: number): Buffer {
    if (this.#seed === undefined) return randomBytes(length);
    this.#state.counter += 1;
    const blocks: Buffer[] = [];
    for (let block = 0; block * 64 < length; block += 1) {
      blocks.push(createHash('sha512').update(`${this.#seed}/${this.#state.counter}/${block}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  }

  hex(length: number): string {
    return this.bytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length);
  }

  /** A version 4 UUID. */
  uuid(): string {
    const bytes = Buffer.from(this.bytes(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const text = bytes.toString('hex');
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
  }
}
