import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AzimuthError } from '../../base/errors.ts';
import { nodeImageHint } from '../../base/process/node-image.ts';
import { parseSettings, settingsName } from '../options/settings.ts';

/** kubelet finds `driver: azure/kv` of a pod as this directory and file in its plugin directory. */
const driverDirectory = 'azure~kv';
const driverName = 'kv';

/** Source, target and settings of an installation. */
export interface InstallOptions {
  /** kubelet's plugin directory. */
  readonly targetDirectory: string;
  /** Path of the executable; `<source>.sha256` beside it has its SHA-256 digest. */
  readonly source: string;
  /** Settings to write beside the driver, as JSON; undefined keeps the existing ones. */
  readonly settings?: string | undefined;
}

/** The result of an installation. */
export interface Installed {
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  /** False where the same driver was there already, so that kubelet does not probe it again. */
  readonly changed: boolean;
}

/**
 * Installs the driver in kubelet's plugin directory. Writes it under a name with a dot, which kubelet ignores, and
 * renames it, which also replaces a running driver. Throws AZ_CONFIG_INVALID where the source does not match its
 * digest or the settings are invalid, AZ_VOLUME_MOUNT where the directory is not writable.
 */
export async function installDriver(options: InstallOptions): Promise<Installed> {
  const { targetDirectory, source, settings } = options;
  const digest = expectedDigest(source);
  if ((await digestOf(source)) !== digest) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The driver ${source} does not have the digest of ${source}.sha256; download both again`,
    );
  }
  if (settings !== undefined) parseSettings(settings, 'the settings to install');
  const directory = join(targetDirectory, driverDirectory);
  const path = join(directory, driverName);
  try {
    mkdirSync(targetDirectory, { recursive: true, mode: 0o755 });
    removeLeftovers(targetDirectory, `.${driverDirectory}.`);
    const present = existsSync(directory);
    // kubelet logs errors for a directory without a driver, so a new directory gets its name with the driver in it.
    const place = present ? directory : join(targetDirectory, `.${driverDirectory}.${process.pid}`);
    if (present) removeLeftovers(directory, `.${driverName}.`);
    else mkdirSync(place, { mode: 0o755 });
    if (settings !== undefined) replace(join(place, settingsName), settings, 0o600);
    const changed = !existsSync(path) || (await digestOf(path)) !== digest;
    if (changed) await copy(source, join(place, driverName), digest);
    if (!present) renameSync(place, directory);
    return { path, digest, changed };
  } catch (cause) {
    if (cause instanceof AzimuthError) throw cause;
    const { code = 'an error' } = cause as NodeJS.ErrnoException;
    throw new AzimuthError('AZ_VOLUME_MOUNT', `The driver cannot be installed into ${directory}: ${code}`, { cause });
  }
}

/** Removes the driver; returns whether there was one. Mounted volumes stay, and kubelet unmounts them. */
export function removeDriver(targetDirectory: string): boolean {
  const directory = join(targetDirectory, driverDirectory);
  const path = join(directory, driverName);
  const present = existsSync(path);
  // kubelet acts on this name, so it goes first.
  rmSync(path, { force: true });
  if (!existsSync(directory)) return present;
  removeLeftovers(directory, `.${driverName}.`);
  rmSync(join(directory, settingsName), { force: true });
  // Other files belong to somebody else.
  if (readdirSync(directory).length === 0) rmdirSync(directory);
  return present;
}

async function copy(source: string, target: string, digest: string): Promise<void> {
  const fresh = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    copyFileSync(source, fresh, constants.COPYFILE_FICLONE);
    chmodSync(fresh, 0o755);
    sync(fresh);
    if ((await digestOf(fresh)) !== digest) {
      throw new AzimuthError('AZ_VOLUME_MOUNT', `The copy of the driver at ${fresh} is damaged; is the disk full?`);
    }
    renameSync(fresh, target);
    sync(dirname(target));
  } finally {
    rmSync(fresh, { force: true });
  }
}

function replace(target: string, content: string, mode: number): void {
  if (existsSync(target) && readFileSync(target, 'utf8') === content) return;
  const fresh = `${target}.${process.pid}`;
  writeFileSync(fresh, content, { mode });
  renameSync(fresh, target);
}

/** Flushes to the disk, because the machine may stop right afterwards. */
function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeLeftovers(directory: string, prefix: string): void {
  for (const entry of readdirSync(directory)) {
    if (entry.startsWith(prefix) && entry !== settingsName)
      rmSync(join(directory, entry), { recursive: true, force: true });
  }
}

function expectedDigest(source: string): string {
  let text: string;
  try {
    text = readFileSync(`${source}.sha256`, 'utf8');
  } catch (cause) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `There is no digest ${source}.sha256 beside the driver to install. ${nodeImageHint}`,
      {
        cause,
      },
    );
  }
  const digest = /^([0-9a-f]{64})\b/.exec(text)?.[1];
  if (digest) return digest;
  throw new AzimuthError('AZ_CONFIG_INVALID', `${source}.sha256 does not begin with a SHA-256 digest`);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer);
  } catch (cause) {
    throw new AzimuthError('AZ_CONFIG_INVALID', `The driver ${path} cannot be read`, { cause });
  }
  return hash.digest('hex');
}
