import { setImmediate as nextTurn } from 'node:timers/promises';
import { AzimuthError } from '../../base/errors.ts';

/** Characters of a value that are parsed. Key Vault keeps secrets of 25 KB at most. */
export const mostValueLength = 64 * 1024;

/** Turns a value into a file; conversions take their turns, so that no volume keeps the process from others. */
export type Convert = <T>(convert: () => T | Promise<T>) => Promise<T>;

/** For one volume alone: other work goes on between two conversions. */
export const convertInTurn: Convert = async (convert) => {
  await nextTurn();
  return convert();
};

/** Adds up the bytes of a volume's files. Throws AZ_VOLUME_MOUNT as soon as they are more than the volume holds. */
export class VolumeSize {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#most) return;
    throw new AzimuthError(
      'AZ_VOLUME_MOUNT',
      `The files take more than the ${this.#most} bytes of the volume; raise volumeBytes in the driver's settings`,
      { retryable: false },
    );
  }
}
