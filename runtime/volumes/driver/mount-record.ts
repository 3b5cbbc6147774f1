import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBoundedTextSync } from '../../base/bounded-file.ts';
import type { MountCall } from './mount-request.ts';

/**
 * The record of a mounted volume, by which the agent refreshes it. The driver writes it before it attaches the volume,
 * so that restarts of the agent lose nothing. It is beside the agent's socket, on a tmpfs that only root may read:
 * after a reboot both record and volume are gone, and kubelet mounts again.
 */
export interface MountRecord extends MountCall {
  /** Version of each object in the volume, by file name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Bytes of the files that the agent wrote at the last refresh; absent before the first. */
  readonly refreshedBytes?: number;
}

/** Directory of the records, beside the agent's socket. */
export function recordDirectory(agentSocket: string): string {
  return join(dirname(agentSocket), 'mounts');
}

/** Longest name in bytes: NAME_MAX is 255, and a temporary name adds a process id. */
const longest = 200;

/** File name of a volume's record: the encoded directory; a long one keeps its end and a digest. */
export function recordName(directory: string): string {
  const name = encodeURIComponent(directory);
  if (name.length <= longest) return `${name}.json`;
  // Loaded on demand: few names are long, and each mount starts a driver.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 40);
  return `${name.slice(digest.length + 1 - longest)}.${digest}.json`;
}

/** The name that earlier drivers gave long ones: their end without a digest. */
function formerName(directory: string): string {
  return `${encodeURIComponent(directory).slice(-longest)}.json`;
}

/** Replaces the record atomically. */
export function writeRecord(records: string, record: MountRecord): void {
  mkdirSync(records, { recursive: true, mode: 0o700 });
  const path = join(records, recordName(record.directory));
  const fresh = `${path}.${process.pid}`;
  // The record may contain the client secret of a service principal.
  writeFileSync(fresh, JSON.stringify(record), { mode: 0o600 });
  renameSync(fresh, path);
  removeFormer(records, record.directory);
}

/** Removes the record of a volume; does nothing where there is none. */
export function removeRecord(records: string, directory: string): void {
  rmSync(join(records, recordName(directory)), { force: true });
  removeFormer(records, directory);
}

/** Removes the record under the earlier name, unless it belongs to another volume. */
function removeFormer(records: string, directory: string): void {
  const name = formerName(directory);
  if (name === recordName(directory) || tryReadRecord(records, name)?.directory !== directory) return;
  rmSync(join(records, name), { force: true });
}

/** Reads a record of at most 1 MiB by file name; undefined where it does not exist, is longer or malformed. */
export function tryReadRecord(records: string, name: string): MountRecord | undefined {
  try {
    return JSON.parse(readBoundedTextSync(join(records, name))) as MountRecord;
  } catch {
    return undefined;
  }
}
