import { closeSync } from 'node:fs';
import type { Mounts } from './mounts.ts';
import type { VolumeTmpfs } from './volume-tmpfs.ts';

/**
 * A detached mount: only this process has it before it is attached, and it goes with the process. Undefined where the
 * system has no such calls (Linux before 5.2), or denies them.
 */
export function tryDetachedTmpfs(mounts: Mounts, sizeBytes: number): VolumeTmpfs | undefined {
  const tmpfs = mounts.detached(sizeBytes);
  if (tmpfs === undefined) return undefined;
  let open = true;
  return {
    // Without the dot it is a link, which is not followed everywhere.
    path: `/proc/self/fd/${tmpfs}/.`,
    attach: (directory) => mounts.attach(tmpfs, directory),
    close() {
      if (open) closeSync(tmpfs);
      open = false;
    },
  };
}
