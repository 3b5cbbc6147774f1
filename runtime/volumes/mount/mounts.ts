import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** Mount operations. They throw AZ_VOLUME_MOUNT with the name of the system error. */
export interface Mounts {
  /** See isMounted. */
  isMounted(directory: string): boolean;
  /** See mountsBelow. */
  below(directory: string): readonly string[];
  /**
   * Creates a detached tmpfs with this source and returns its descriptor, which the caller closes. Undefined where the
   * system lacks or denies the calls.
   */
  detached(sizeBytes: number, source: string): number | undefined;
  /** Attaches a tmpfs of `detached`. False where the system denies the call. */
  attach(tmpfs: number, directory: string): boolean;
  /** Mounts a tmpfs of this size in bytes. */
  tmpfs(directory: string, sizeBytes: number, source: string): void;
  /** Bind-mounts `from` at `to`, with its flags. */
  bind(from: string, to: string): void;
  /** Unmounts the topmost mount at the directory. */
  unmount(directory: string): void;
  /** The mount table of this process. */
  table(): string;
  /** Locks the directory until the function is called or the process ends. Undefined where another process has it. */
  tryLock(directory: string): (() => void) | undefined;
}

/**
 * Whether the directory is a mount point: its device differs from its parent's, as kubelet checks too. Takes two
 * system calls, whereas a mount table may have thousands of lines.
 */
export function isMounted(directory: string): boolean {
  const [here, above] = [directory, `${directory}/..`].map((path) => statSync(path, { throwIfNoEntry: false })?.dev);
  return here !== undefined && above !== undefined && here !== above;
}

/** The mount table of this process: mountinfo of proc(5). */
export function mountTable(): string {
  return readFileSync('/proc/self/mountinfo', 'utf8');
}

/** All mount points at or below the directory, innermost first. */
export function mountsBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const real = realpathSync(directory);
  return mountPoints(mountTable())
    .filter((point) => point === real || point.startsWith(`${real}/`))
    .sort((a, b) => b.length - a.length);
}

/** The mount points of a mount table: the fifth field of each line of mountinfo (proc(5)), unescaped. */
export function mountPoints(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.split(' ', 5)[4] ?? '')
    .filter((point) => point !== '')
    .map((point) => (point.includes('\\') ? unescaped(point) : point));
}

/** Decodes octal escapes; only blanks, tabs, line feeds and backslashes have them. */
function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
