import { mkdirSync, rmdirSync, statfsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import { type VolumeFile, type WriteOptions, writeVolume } from './atomic-writer.ts';
import { tryDetachedTmpfs } from './detached-tmpfs.ts';
import type { Mounts } from './mounts.ts';
import { openPrivateTmpfs } from './private-tmpfs.ts';
import { mostInodes, type VolumeTmpfs } from './volume-tmpfs.ts';

/** The files of a volume. */
export interface VolumeContent {
  readonly files: readonly VolumeFile[];
  /** Group id of the files; absent = 0. */
  readonly group?: number | undefined;
  /** Version of each object by file name, where the agent is to refresh the volume; else absent. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The pod's namespace as the agent knows it; absent where the driver reads the vault itself. */
  readonly namespace?: string;
}

/** Memory of the node that is reserved for a volume. */
export interface Reservation {
  /** Source of the volume's tmpfs, by which its memory counts. */
  readonly source: string;
  /** Called when the volume is mounted or has failed. */
  readonly release: () => void;
}

/** How to mount a volume. `sizeBytes`: size of its tmpfs; `stateDirectory`: as in DriverSettings. */
export interface MountVolumeOptions {
  readonly mounts: Mounts;
  readonly stateDirectory: string;
  readonly sizeBytes: number;
  /** Reserves memory for the content; throws where there is none. */
  readonly reserve: (content: VolumeContent) => Promise<Reservation>;
  /** Called with the content before the volume is attached. */
  readonly record?: (content: VolumeContent) => void;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}

/**
 * Mounts a tmpfs with the files that `content` resolves to. On failure nothing is mounted, and a directory created
 * here is removed. Does nothing where the directory is a mount point, which can only be a finished volume.
 */
export async function mountVolume(
  directory: string,
  content: () => Promise<VolumeContent>,
  options: MountVolumeOptions,
): Promise<void> {
  const { mounts, stateDirectory, sizeBytes, reserve, record, step = () => undefined } = options;
  // An existing mount is a finished volume, also if the options differ.
  if (mounts.isMounted(directory)) return;
  const made = mkdirSync(directory, { recursive: true, mode: 0o750 }) !== undefined;
  let tmpfs: VolumeTmpfs | undefined;
  let reservation: Reservation | undefined;
  try {
    step('fetch');
    const fetched = await content();
    step('reserve');
    reservation = await reserve(fetched);
    const { source } = reservation;
    step('tmpfs');
    tmpfs = tryDetachedTmpfs(mounts, sizeBytes, source) ?? openPrivateTmpfs(mounts, stateDirectory, sizeBytes, source);
    step('fill');
    fillVolume(tmpfs.path, fetched, options.step && { step: options.step });
    step('record');
    record?.(fetched);
    step('attach');
    if (!mounts.isMounted(directory) && !tmpfs.attach(directory)) {
      tryClose(tmpfs);
      step('private tmpfs');
      tmpfs = openPrivateTmpfs(mounts, stateDirectory, sizeBytes, source);
      fillVolume(tmpfs.path, fetched);
      step('attach it');
      tmpfs.attach(directory);
    }
    step('close tmpfs');
    // The volume is complete; the next call removes a tmpfs that cannot be closed.
    tryClose(tmpfs);
    step('mounted');
  } catch (error) {
    if (tmpfs) tryClose(tmpfs);
    if (made) tryRemove(directory);
    throw error;
  } finally {
    reservation?.release();
  }
}

function tryClose(tmpfs: VolumeTmpfs): void {
  try {
    tmpfs.close();
  } catch {
    // The next call removes it.
  }
}

/**
 * Writes the files into a volume; returns whether anything changed. Throws AZ_VOLUME_MOUNT, with the fix where the
 * volume is full.
 */
export function fillVolume(path: string, content: VolumeContent, options: Omit<WriteOptions, 'group'> = {}): boolean {
  const { files, group } = content;
  try {
    return writeVolume(path, files, { group, ...options });
  } catch (cause) {
    if (cause instanceof AzimuthError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code;
    const why = code === 'ENOSPC' ? whyFull(path, files) : `${messageOf(cause)}${fixes[code ?? ''] ?? ''}`;
    throw new AzimuthError('AZ_VOLUME_MOUNT', `The files cannot be written: ${why}`, { cause });
  }
}

/** How to fix a system error of writing, by its name. */
const fixes: Readonly<Record<string, string>> = {
  EMFILE: '; raise the limit of open files of the container runtime or kubelet (LimitNOFILE)',
  ENFILE: '; raise fs.file-max of the node (sysctl)',
};

function whyFull(path: string, files: readonly VolumeFile[]): string {
  const { blocks, bsize, files: inodes, ffree } = statfsSync(path);
  if (inodes > 0 && ffree < files.length) {
    return `the volume may have ${mostInodes} files and links, and the pod made most of them; remove those, or restart the pod`;
  }
  const need = files.reduce((sum, { content: { length } }) => sum + length, 0);
  return `the files take ${need} bytes and the volume has ${blocks * bsize}; raise volumeBytes in the driver's settings`;
}

/** Unmounts a volume and removes its directory; does nothing where it is not mounted or does not exist. */
export async function unmountVolume(directory: string, mounts: Mounts): Promise<void> {
  // Two concurrent calls may have mounted one over the other.
  for (let rounds = 0; mounts.isMounted(directory); rounds++) {
    if (rounds >= 16) throw new AzimuthError('AZ_VOLUME_MOUNT', `${directory} is mounted again and again`);
    await unmountSoon(directory, mounts);
  }
  tryRemove(directory);
}

/** Retries while the volume is busy: the agent may be writing new versions. */
async function unmountSoon(directory: string, mounts: Mounts): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return mounts.unmount(directory);
    } catch (error) {
      if (attempt >= 4 || !/EBUSY/.test(String(error))) throw error;
      await systemClock.sleep(100 * 2 ** attempt);
    }
  }
}

/**
 * Checks the directory of a volume. Throws AZ_CONFIG_INVALID for a path that kubelet would not pass: fewer than two
 * levels, `.`, `..`, `//` or control characters.
 */
export function checkDirectory(directory: string): void {
  const [root, ...names] = directory.split('/');
  if (names.at(-1) === '') names.pop();
  const isPlain = (name: string) => name !== '' && name !== '.' && name !== '..';
  if (root === '' && names.length >= 2 && names.every(isPlain) && !hasControl(directory)) return;
  throw expected('the directory of the volume', 'an absolute path without `.`, `..` and `//`', directory.slice(0, 200));
}

/** A loop, because compiling a regular expression takes longer than the rest of the check. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

/** Removes the directory if it is empty; other content belongs to somebody else. */
function tryRemove(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It does not exist, or it is in use.
  }
}
