import { mkdirSync, rmdirSync, statfsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { AzimuthError, expected } from '../../base/errors.ts';
import { type VolumeFile, type WriteOptions, writeVolume } from './atomic-writer.ts';
import { tryDetachedTmpfs } from './detached-tmpfs.ts';
import type { Mounts } from './mounts.ts';
import { openPrivateTmpfs } from './private-tmpfs.ts';
import { mostInodes, type VolumeTmpfs } from './volume-tmpfs.ts';

/** The files of a volume. */
export interface VolumeContent {
  readonly files: readonly VolumeFile[];
  /** Group that owns the files; absent = 0. */
  readonly group?: number | undefined;
  /** Version of each object by the name of its file, where the volume is to be kept up to date; else absent. */
  readonly versions?: Readonly<Record<string, string>>;
}

export interface MountVolumeOptions {
  readonly mounts: Mounts;
  readonly stateDirectory: string;
  readonly sizeBytes: number;
  /** Called with the content before the volume is attached. */
  readonly record?: (content: VolumeContent) => void;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}

/**
 * Mounts a tmpfs with the files that `content` resolves to. Whatever fails, nothing is mounted and a directory made here is
 * removed. A directory that is a mount already is left as it is, as it can only be a finished volume.
 */
export async function mountVolume(
  directory: string,
  content: () => Promise<VolumeContent>,
  options: MountVolumeOptions,
): Promise<void> {
  const { mounts, stateDirectory, sizeBytes, record, step = () => undefined } = options;
  // A mount that is there is a finished one, whatever the options say now.
  if (mounts.isMounted(directory)) return;
  const made = mkdirSync(directory, { recursive: true, mode: 0o750 }) !== undefined;
  let tmpfs: VolumeTmpfs | undefined;
  try {
    step('fetch');
    const fetched = await content();
    step('tmpfs');
    tmpfs = tryDetachedTmpfs(mounts, sizeBytes) ?? openPrivateTmpfs(mounts, stateDirectory, sizeBytes);
    step('fill');
    fillVolume(tmpfs.path, fetched, options.step && { step: options.step });
    step('record');
    record?.(fetched);
    step('attach');
    if (!mounts.isMounted(directory) && !tmpfs.attach(directory)) {
      tryClose(tmpfs);
      step('private tmpfs');
      tmpfs = openPrivateTmpfs(mounts, stateDirectory, sizeBytes);
      fillVolume(tmpfs.path, fetched);
      step('attach it');
      tmpfs.attach(directory);
    }
    step('close tmpfs');
    // The volume is complete; the next call clears a tmpfs that cannot be closed.
    tryClose(tmpfs);
    step('mounted');
  } catch (error) {
    if (tmpfs) tryClose(tmpfs);
    if (made) tryRemove(directory);
    throw error;
  }
}

function tryClose(tmpfs: VolumeTmpfs): void {
  try {
    tmpfs.close();
  } catch {
    // See above.
  }
}

/** Puts the files into a volume. Throws AZ_VOLUME_MOUNT, with what to do where it is full. */
export function fillVolume(path: string, content: VolumeContent, options: Omit<WriteOptions, 'group'> = {}): boolean {
  const { files, group } = content;
  try {
    return writeVolume(path, files, { group, ...options });
  } catch (cause) {
    if (cause instanceof AzimuthError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code;
    const why = code === 'ENOSPC' ? whyFull(path, files) : `${code ?? 'error'}`;
    throw new AzimuthError('AZ_VOLUME_MOUNT', `The files cannot be written: ${why}`, { cause });
  }
}

function whyFull(path: string, files: readonly VolumeFile[]): string {
  const { blocks, bsize, files: inodes, ffree } = statfsSync(path);
  if (inodes > 0 && ffree < files.length) {
    return `the volume may have ${mostInodes} files and links, and the pod made most of them; remove those, or restart the pod`;
  }
  const need = files.reduce((sum, { content: { length } }) => sum + length, 0);
  return `the files take ${need} bytes and the volume has ${blocks * bsize}; raise volumeBytes in the driver's settings`;
}

/** Unmounts and removes the directory. One that is not mounted, or not there, is fine. */
export async function unmountVolume(directory: string, mounts: Mounts): Promise<void> {
  // Two calls at once may have mounted one over the other.
  for (let rounds = 0; mounts.isMounted(directory); rounds++) {
    if (rounds >= 16) throw new AzimuthError('AZ_VOLUME_MOUNT', `${directory} is mounted again and again`);
    await unmountSoon(directory, mounts);
  }
  tryRemove(directory);
}

/** The agent may have it open for a moment, to write new versions. */
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

/** Throws AZ_CONFIG_INVALID for a directory that kubelet would not give: too near the root, or not in its plain form. */
export function checkDirectory(directory: string): void {
  const [root, ...names] = directory.split('/');
  if (names.at(-1) === '') names.pop();
  const isPlain = (name: string) => name !== '' && name !== '.' && name !== '..';
  if (root === '' && names.length >= 2 && names.every(isPlain) && !hasControl(directory)) return;
  throw expected('the directory of the volume', 'an absolute path without `.`, `..` and `//`', directory.slice(0, 200));
}

/** A pattern for it takes longer to compile than all else that a mount does with its directory. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

/** Only if it is empty: what is in it is not ours. */
function tryRemove(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It is not there, or it is in use.
  }
}
