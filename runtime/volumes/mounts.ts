import { existsSync, readFileSync, realpathSync } from 'node:fs';

/** What is mounted. */
export interface MountTable {
  /** Whether something is mounted right there. Links on the way are followed. */
  isMounted(directory: string): boolean;
  /** Every mount point at or below the directory, innermost first. */
  below(directory: string): readonly string[];
}

/** Mounting. Rejects with AZ_VOLUME_MOUNT and the name of the system's error. */
export interface Mounts extends MountTable {
  tmpfs(directory: string, sizeBytes: number): Promise<void>;
  /** Shows one mount at a second place, with its flags. */
  bind(from: string, to: string): Promise<void>;
  unmount(directory: string): Promise<void>;
}

/** `table` is the mount table to read. */
export function mountTable(table = '/proc/self/mountinfo'): MountTable {
  const points = () => mountPoints(readFileSync(table, 'utf8'));
  return {
    isMounted(directory) {
      const real = tryRealPath(directory);
      return real !== undefined && points().includes(real);
    },
    below(directory) {
      const real = tryRealPath(directory);
      if (real === undefined) return [];
      return points()
        .filter((point) => point === real || point.startsWith(`${real}/`))
        .sort((a, b) => b.length - a.length);
    },
  };
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

function tryRealPath(directory: string): string | undefined {
  return existsSync(directory) ? realpathSync(directory) : undefined;
}
