import { closeSync } from 'node:fs';
import type { Mounts } from './mounts.ts';
import type { VolumeTmpfs } from './volume-tmpfs.ts';

/**
 * A detached tmpfs, visible only to this process until attached, and removed with the process. Undefined where the
 * system lacks or denies the calls (Linux before 5.2).
 */
export function tryDetachedTmpfs(mounts: Mounts, sizeBytes: number, source: string): VolumeTmpfs | undefined {
  const tmpfs = mounts.detached(sizeBytes, source);
  if (tmpfs === undefined) return undefined;
  let open = true;
  return {
    // Without the dot the path is a link, which O_NOFOLLOW refuses.
    path: `/proc/self/fd/${tmpfs}/.`,
    attach: (directory) => mounts.attach(tmpfs, directory),
    close() {
      if (open) closeSync(tmpfs);
      open = false;
    },
  };
}
