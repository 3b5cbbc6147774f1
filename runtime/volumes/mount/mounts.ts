import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** Mounting. Throws AZ_VOLUME_MOUNT with the name of the system's error. */
export interface Mounts {
  /** See isMounted. */
  isMounted(directory: string): boolean;
  /** See mountsBelow. */
  below(directory: string): readonly string[];
  /**
   * A detached tmpfs as a descriptor, which the caller closes. Undefined where the system has no such calls, or denies
   * them.
   */
  detached(sizeBytes: number): number | undefined;
  /** Mounts what `detached` gave, which then stays. False where the system denies that call. */
  attach(tmpfs: number, directory: string): boolean;
  tmpfs(directory: string, sizeBytes: number): void;
  /** Mounts one mount at a second place, with its flags. */
  bind(from: string, to: string): void;
  unmount(directory: string): void;
}

/**
 * Whether a file system is mounted right there: it is another one than that of the directory above, as kubelet looks too.
 * A node's mount table may have thousands of lines, this takes two system calls.
 */
export function isMounted(directory: string): boolean {
  const [here, above] = [directory, `${directory}/..`].map((path) => statSync(path, { throwIfNoEntry: false })?.dev);
  return here !== undefined && above !== undefined && here !== above;
}

/** Every mount point at or below the directory, innermost first. `table` is the mount table to read. */
export function mountsBelow(directory: string, table = '/proc/self/mountinfo'): string[] {
  if (!existsSync(directory)) return [];
  const real = realpathSync(directory);
  return mountPoints(readFileSync(table, 'utf8'))
    .filter((point) => point === real || point.startsWith(`${real}/`))
    .sort((a, b) => b.length - a.length);
}

/** The fifth field of each line of mountinfo (proc(5)), with its octal escapes undone. A node has many lines. */
export function mountPoints(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.split(' ', 5)[4] ?? '')
    .filter((point) => point !== '')
    .map((point) => (point.includes('\\') ? unescaped(point) : point));
}

/** Only blanks, tabs, line feeds and backslashes are escaped. */
function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
