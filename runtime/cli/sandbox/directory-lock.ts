import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A directory that this process uses alone until `release`, or until it exits. */
export interface LockedDirectory {
  readonly path: string;
  release(): void;
}

/**
 * Creates the lock file with the id of this process in it, and replaces the file of a process that has ended.
 * Undefined if the process in the file runs.
 */
export function tryLock(file: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Linked once it is complete, so that no process reads the file without an id in it.
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

/** The id of the process in a lock file; undefined if the file is missing or has no id. */
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
    // Beside the directory, because its user may delete the content.
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
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
