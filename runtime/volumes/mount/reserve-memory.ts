import { mkdirSync } from 'node:fs';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Reservation, VolumeContent } from './mount.ts';
import type { Mounts } from './mounts.ts';
import { bytesInMemory, checkRoom, sourceOf } from './volume-memory.ts';

/** How memory is reserved. `settings`: as in DriverSettings. */
export interface ReserveOptions {
  readonly settings: { readonly stateDirectory: string; readonly nodeVolumeBytes: number };
  readonly mounts: Pick<Mounts, 'table' | 'tryLock'>;
  readonly signal: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * Checks that the node has room for a volume, and keeps other drivers from mounting until the volume is mounted or has
 * failed. `record`: text of the volume's record; '' = none. Throws AZ_VOLUME_MOUNT.
 */
export async function reserveMemory(
  { files, namespace = '' }: VolumeContent,
  record: string,
  options: ReserveOptions,
): Promise<Reservation> {
  const lengths = files.map(({ content }) => content.length);
  const memory = { namespace, bytes: bytesInMemory(record === '' ? lengths : [...lengths, Buffer.byteLength(record)]) };
  const release = await lock(options);
  try {
    checkRoom(memory, options.mounts.table(), options.settings.nodeVolumeBytes);
  } catch (error) {
    release();
    throw error;
  }
  return { source: sourceOf(memory), release };
}

/** Waits for other drivers. A driver has the lock while it writes the files of its volume. */
async function lock({ settings, mounts, signal, clock = systemClock }: ReserveOptions): Promise<() => void> {
  mkdirSync(settings.stateDirectory, { recursive: true, mode: 0o700 });
  for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 32)) {
    const release = mounts.tryLock(settings.stateDirectory);
    if (release) return release;
    await clock.sleep(waitMs, signal);
  }
}
