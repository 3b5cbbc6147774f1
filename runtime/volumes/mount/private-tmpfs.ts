import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mounts } from './mounts.ts';
import type { VolumeTmpfs } from './volume-tmpfs.ts';

/**
 * A tmpfs below a directory of root's, for systems that have no detached mounts or deny them. The name of its directory
 * has the id of this process and the time that the process started; the next call clears those of dead processes.
 */
export function openPrivateTmpfs(mounts: Mounts, stateDirectory: string, sizeBytes: number): VolumeTmpfs {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const path = join(stateDirectory, `tmpfs.${process.pid}.${startOf(process.pid)}`);
  mkdirSync(path, { mode: 0o700 });
  const close = () => clear(path, mounts);
  try {
    mounts.tmpfs(path, sizeBytes);
  } catch (error) {
    close();
    throw error;
  }
  const attach = (directory: string) => {
    mounts.bind(path, directory);
    return true;
  };
  return { path, attach, close };
}

/** Removes the mounts that killed drivers left, those of version 0.1 (`stage.`) too. */
export function clearPrivateTmpfs(stateDirectory: string, mounts: Mounts): void {
  const entries = existsSync(stateDirectory) ? readdirSync(stateDirectory) : [];
  for (const entry of entries) {
    const [, pid, start] = /^(?:tmpfs|stage)\.(\d+)\.(\d+)$/.exec(entry) ?? [];
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
