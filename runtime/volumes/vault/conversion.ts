import { setImmediate as nextTurn } from 'node:timers/promises';
import { AzimuthError } from '../../base/errors.ts';

/** Most characters of a value to parse. Key Vault stores secrets of at most 25 KB. */
export const mostValueLength = 64 * 1024;

/** Runs the conversion of a value into a file; implementations schedule it, so that no volume blocks the process. */
export type Convert = <T>(convert: () => T | Promise<T>) => Promise<T>;

/** For one volume: yields to other work before each conversion. */
export const convertInTurn: Convert = async (convert) => {
  await nextTurn();
  return convert();
};

/** Counts the bytes of a volume's files. */
export class VolumeSize {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds the bytes of a file. Throws AZ_VOLUME_MOUNT where the sum exceeds the volume. */
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
