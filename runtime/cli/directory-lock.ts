import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A directory that this process uses alone until `release`, which happens at its end at the latest. */
export interface LockedDirectory {
  readonly path: string;
  release(): void;
}

/**
 * Makes the lock file with the id of this process in it. A file that a process left behind which has ended is taken over.
 * Undefined where the process in it runs.
 */
export function tryLock(file: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Linked when it is whole: nobody sees the file without an id in it.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    return linkAs(own, file);
  } finally {
    rmSync(own, { force: true });
  }
}

function linkAs(own: string, file: string): (() => void) | undefined {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      linkSync(own, file);
      const release = () => rmSync(file, { force: true });
      process.once('exit', release);
      return () => {
        process.removeListener('exit', release);
        release();
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isRunning(holderOf(file))) return undefined;
    rmSync(file, { force: true });
  }
  return undefined;
}

/** The process that holds a lock file; undefined where the file is gone or has no id. */
export function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** `name` in `parent`, or the first of `name-2`, `name-3`... that no running process uses. */
export function lockFreeDirectory(parent: string, name: string): LockedDirectory {
  for (let number = 1; ; number++) {
    const path = join(parent, number === 1 ? name : `${name}-${number}`);
    // Beside the directory, which its user may empty.
    const release = tryLock(`${path}.lock`);
    if (release) return { path, release };
  }
}

function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
