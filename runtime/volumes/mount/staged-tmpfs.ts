import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './detached-tmpfs.ts';
import type { Mounts } from './mounts.ts';

/**
 * A stage for systems without a tmpfs that is mounted nowhere, or without a way to show it: Linux before 5.2, and filters of
 * system calls. Its place is a directory of root's, whose
 * name tells whose it is: the process id with the time that process started. Those of dead processes are cleared by the
 * next call.
 */
export function openMountedStage(mounts: Mounts, stateDirectory: string, sizeBytes: number): Stage {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const path = join(stateDirectory, `stage.${process.pid}.${startOf(process.pid)}`);
  mkdirSync(path, { mode: 0o700 });
  const close = () => clear(path, mounts);
  try {
    mounts.tmpfs(path, sizeBytes);
  } catch (error) {
    close();
    throw error;
  }
  const show = (directory: string) => {
    mounts.bind(path, directory);
    return true;
  };
  return { path, show, close };
}

/** Removes what killed drivers left. */
export function clearStages(stateDirectory: string, mounts: Mounts): void {
  const entries = existsSync(stateDirectory) ? readdirSync(stateDirectory) : [];
  for (const entry of entries) {
    const [, pid, start] = /^stage\.(\d+)\.(\d+)$/.exec(entry) ?? [];
    if (pid === undefined || startOf(Number(pid)) === Number(start)) continue;
    try {
      clear(join(stateDirectory, entry), mounts);
    } catch {
      // Another call may be at the same work.
    }
  }
}

function clear(path: string, mounts: Mounts): void {
  for (const point of mounts.below(path)) mounts.unmount(point);
  try {
    rmdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Field 22 of /proc/pid/stat (proc(5)), in ticks since the machine started; -1 where there is no such process. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, a name in parentheses, may have blanks.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return -1;
  }
}
