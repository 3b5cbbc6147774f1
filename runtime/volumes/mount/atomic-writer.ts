import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { AzimuthError } from '../../base/errors.ts';
import { mostInodes } from './volume-tmpfs.ts';

/** A file of a volume. */
export interface VolumeFile {
  /** File name, checked by checkFileName. */
  readonly name: string;
  readonly content: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/** How to write the files of a volume. */
export interface WriteOptions {
  /** Group id of files and directories. @default 0 */
  readonly group?: number | undefined;
  /**
   * Whether to write only if the directory is the root of a tmpfs. After an unmount it is a directory of the disk.
   *
   * @default false
   */
  readonly mounted?: boolean;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}

/** TMPFS_MAGIC of statfs(2). */
const tmpfsType = 0x01021994;
const data = '..data';
const fresh = '..data_tmp';

/**
 * Replaces the files of a volume as kubelet does: a new directory beside the old one, then one rename of the link
 * `..data`, so that a reader sees either all old or all new files. Each file is a link into `..data`. Removes
 * leftovers of interrupted calls. Returns whether anything changed.
 *
 * Pods may write into volumes, so the writer holds directories open and uses them through /proc/self/fd: a link that a
 * pod puts in place of a directory has no effect.
 */
export function writeVolume(directory: string, files: readonly VolumeFile[], options: WriteOptions = {}): boolean {
  const { group = 0, mounted = false, step = () => undefined } = options;
  return withDirectory(directory, (root) => {
    if (mounted && statfsSync(root).type !== tmpfsType) {
      throw new AzimuthError('AZ_VOLUME_MOUNT', `The volume at ${directory} is not mounted any more`);
    }
    const current = tryReadLink(`${root}/${data}`);
    const isCurrent = current !== undefined && /^\.\.\d/.test(current) && !current.includes('/');
    const same = isCurrent && sameFiles(`${root}/${current}`, files, group);
    const next = same ? current : `..${timestamp()}.${process.hrtime.bigint().toString(36)}`;
    for (const entry of entriesOf(root)) {
      // The current directory stays until the switch.
      if (entry.startsWith('..') && entry !== data && entry !== current) remove(`${root}/${entry}`);
    }
    if (!same) {
      step('make directory');
      mkdirSync(`${root}/${next}`, { mode: 0o755 });
      try {
        withDirectory(`${root}/${next}`, (target) => {
          chmodSync(target, 0o755);
          chownSync(target, 0, group);
          for (const file of files) {
            step(`write ${file.name}`);
            writeFile(target, file, group);
          }
        });
      } catch (error) {
        // The volume is probably full; removing the new directory keeps the current files usable.
        remove(`${root}/${next}`);
        throw error;
      }
      step('link');
      symlinkSync(next, `${root}/${fresh}`);
      step('switch');
      renameSync(`${root}/${fresh}`, `${root}/${data}`);
    }
    const names = new Set(files.map(({ name }) => name));
    for (const name of names) {
      const target = `${data}/${name}`;
      if (tryReadLink(`${root}/${name}`) === target) continue;
      step(`link ${name}`);
      remove(`${root}/${name}`);
      symlinkSync(target, `${root}/${name}`);
    }
    for (const entry of entriesOf(root)) {
      const stale = entry.startsWith('..') ? entry !== data && entry !== next : !names.has(entry);
      if (!stale) continue;
      step(`remove ${entry}`);
      remove(`${root}/${entry}`);
    }
    return !same;
  });
}

function writeFile(directory: string, { name, content, mode }: VolumeFile, group: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(`${directory}/${name}`, flags, 0o600);
  try {
    for (let offset = 0; offset < content.length; ) offset += writeSync(file, content, offset);
    fchownSync(file, 0, group);
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}

function withDirectory<T>(path: string, use: (path: string) => T): T {
  const handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return use(`/proc/self/fd/${handle}`);
  } finally {
    closeSync(handle);
  }
}

function sameFiles(directory: string, files: readonly VolumeFile[], group: number): boolean {
  try {
    return withDirectory(directory, (path) => {
      const entries = entriesOf(path);
      return entries.length === files.length && files.every((file) => isSame(`${path}/${file.name}`, file, group));
    });
  } catch {
    return false;
  }
}

/**
 * The entries of a volume. A pod may write into it, and volumes of version 0.1 have no limit of inodes. Throws
 * AZ_VOLUME_MOUNT above `mostInodes`, before a listing takes the process's time and memory.
 */
function entriesOf(root: string): string[] {
  const { files, ffree, type } = statfsSync(root);
  const full = () =>
    new AzimuthError(
      'AZ_VOLUME_MOUNT',
      `The volume has more than ${mostInodes} files and links, which the pod made; remove them, or restart the pod`,
    );
  if (type === tmpfsType && files - ffree > mostInodes) throw full();
  const names: string[] = [];
  const directory = opendirSync(root, { bufferSize: 256 });
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      if (names.length >= mostInodes) throw full();
      names.push(entry.name);
    }
  } finally {
    directory.closeSync();
  }
  return names;
}

/**
 * Compares through one descriptor, without following links or blocking: a pod may replace the file with a link or a
 * pipe.
 */
function isSame(path: string, { content, mode }: VolumeFile, group: number): boolean {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    const asAsked = stat.isFile() && (stat.mode & 0o777) === mode && stat.gid === group && stat.uid === 0;
    return asAsked && stat.size === content.length && readFileSync(file).equals(content);
  } finally {
    closeSync(file);
  }
}

function remove(path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) rmSync(path, { recursive: true, force: true });
    else if (stats) unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function tryReadLink(path: string): string | undefined {
  try {
    // A new volume has no links, and creating an error for each takes longer than lstat.
    return lstatSync(path, { throwIfNoEntry: false }) && readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The time in kubelet's format: 2026_11_21_12_30_00. */
function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_');
}
