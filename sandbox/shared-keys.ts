import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The JSON value of a file that `writeOnce` wrote, or undefined if there is none. */
export function readWritten<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Writes a JSON file that only its owner may read. Of several processes the first one wins: returns its value. */
export function writeOnce<T>(file: string, value: T): T {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(value), { mode: 0o600 });
  try {
    linkSync(own, file);
    return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readWritten<T>(file) ?? value;
  } finally {
    rmSync(own);
  }
}

/**
 * The directory of `AZIMUTH_SANDBOX_KEYS`: embedded clusters and Azures without a directory of their own share their
 * keys and certificates there, as half a second of CPU for each of them is most of a short test.
 */
export const sharedKeysDirectory = (): string | undefined => process.env['AZIMUTH_SANDBOX_KEYS'];
