import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mounts } from './mounts.ts';
import type { VolumeTmpfs } from './volume-tmpfs.ts';

/**
 * A tmpfs in a directory of root's, for systems that lack or deny detached mounts. Its name has the id and the start
 * time of this process, so that the next call can remove those of dead processes.
 */
export function openPrivateTmpfs(
  mounts: Mounts,
  stateDirectory: string,
  sizeBytes: number,
  source: string,
): VolumeTmpfs {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const path = join(stateDirectory, `tmpfs.${process.pid}.${startOf(process.pid)}`);
  mkdirSync(path, { mode: 0o700 });
  const close = () => clear(path, mounts);
  try {
    mounts.tmpfs(path, sizeBytes, source);
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

/** Removes the mounts of dead driver processes, also those of version 0.1 (`stage.`). */
export function clearPrivateTmpfs(stateDirectory: string, mounts: Mounts): void {
  const entries = existsSync(stateDirectory) ? readdirSync(stateDirectory) : [];
  for (const entry of entries) {
    const [, pid, start] = /^(?:tmpfs|stage)\.(\d+)\.(\d+)$/.exec(entry) ?? [];
    if (pid === undefined || startOf(Number(pid)) === Number(start)) continue;
    try {
      clear(join(stateDirectory, entry), mounts);
    } catch {
      // A concurrent call may be removing it.
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

/** Start time of a process: field 22 of /proc/pid/stat (proc(5)), in ticks since boot; -1 where it does not exist. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses and may contain blanks.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return -1;
  }
}
