import { closeSync } from 'node:fs';
import type { Mounts } from './mounts.ts';
import { openMountedStage } from './staged-tmpfs.ts';

/**
 * A tmpfs that only root reaches, where a volume is made ready before it is shown. kubelet takes any mount at the volume's
 * directory for a finished volume, so a driver that is killed must leave none there that is not.
 */
export interface Stage {
  /** A directory for the files. */
  readonly path: string;
  /**
   * Mounts it at the volume's directory. False, with nothing mounted, where the system does not let this stage be shown:
   * one that openMountedStage makes can be.
   */
  show(directory: string): boolean;
  /** Lets go of it; what was shown stays. Does nothing the second time. */
  close(): void;
}

/** Below `stateDirectory` where it has to be mounted somewhere to be filled. */
export function openStage(mounts: Mounts, stateDirectory: string, sizeBytes: number): Stage {
  const tmpfs = mounts.detached(sizeBytes);
  if (tmpfs !== undefined) return detachedStage(mounts, tmpfs);
  return openMountedStage(mounts, stateDirectory, sizeBytes);
}

/** Nobody but this process has it before it is shown, and it goes with the process. */
function detachedStage(mounts: Mounts, tmpfs: number): Stage {
  let open = true;
  return {
    // Without the dot it is a link, which is not followed everywhere.
    path: `/proc/self/fd/${tmpfs}/.`,
    show: (directory) => mounts.attach(tmpfs, directory),
    close() {
      if (open) closeSync(tmpfs);
      open = false;
    },
  };
}
