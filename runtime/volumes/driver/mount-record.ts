import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MountCall } from './mount-request.ts';

/**
 * The record that the agent keeps a volume up to date by. The driver writes it before it attaches the volume, so the record
 * survives a restart or an absence of the agent. It lies beside the agent's socket, on a tmpfs below a directory of root's: a
 * machine that starts anew has neither the record nor the volume, and kubelet mounts again.
 */
export interface MountRecord extends MountCall {
  /** Version of each object by the name of its file, as it is in the volume. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Where records lie, by the agent's socket. */
export function recordDirectory(agentSocket: string): string {
  return join(dirname(agentSocket), 'mounts');
}

/** Bytes of a file name that are left for it (NAME_MAX of 255), with a process id behind it for a moment. */
const longest = 200;

/** The directory as a file name; one that is too long is cut in front and told apart by its digest. */
export function recordName(directory: string): string {
  const name = encodeURIComponent(directory);
  if (name.length <= longest) return `${name}.json`;
  // Loaded here, which is rare: the driver starts for each mount.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 40);
  return `${name.slice(digest.length + 1 - longest)}.${digest}.json`;
}

/** As drivers named it that told long ones apart by their end alone. */
function formerName(directory: string): string {
  return `${encodeURIComponent(directory).slice(-longest)}.json`;
}

/** Replaces the record as a whole. */
export function writeRecord(records: string, record: MountRecord): void {
  mkdirSync(records, { recursive: true, mode: 0o700 });
  const path = join(records, recordName(record.directory));
  const fresh = `${path}.${process.pid}`;
  // It may have the client secret of a service principal.
  writeFileSync(fresh, JSON.stringify(record), { mode: 0o600 });
  renameSync(fresh, path);
  removeFormer(records, record.directory);
}

export function removeRecord(records: string, directory: string): void {
  rmSync(join(records, recordName(directory)), { force: true });
  removeFormer(records, directory);
}

/** Under a name of before, another volume's record may lie. */
function removeFormer(records: string, directory: string): void {
  const name = formerName(directory);
  if (name === recordName(directory) || tryReadRecord(records, name)?.directory !== directory) return;
  rmSync(join(records, name), { force: true });
}

/** Undefined where it is gone or no record. */
export function tryReadRecord(records: string, name: string): MountRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(records, name), 'utf8')) as MountRecord;
  } catch {
    return undefined;
  }
}
