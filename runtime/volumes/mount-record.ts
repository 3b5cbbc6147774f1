import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MountCall } from './mount-request.ts';

/**
 * What the agent must know of a volume to keep it up to date. The driver writes it before the volume is shown, so neither
 * a restart of the agent nor one that is away then loses a volume. It lies beside the agent's socket, on a tmpfs below a
 * directory of root's: a machine that starts anew has neither the record nor the volume, and kubelet mounts again.
 */
export interface MountRecord extends MountCall {
  /** Version of each object by the name of its file, as it is in the volume. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Where records lie, by the agent's socket. */
export function recordDirectory(agentSocket: string): string {
  return join(dirname(agentSocket), 'mounts');
}

/** The end of the path is what tells volumes apart: the pod's uid and the volume's name. */
export function recordName(directory: string): string {
  return `${encodeURIComponent(directory).slice(-200)}.json`;
}

/** Replaces the record as a whole. */
export function writeRecord(records: string, record: MountRecord): void {
  mkdirSync(records, { recursive: true, mode: 0o700 });
  const path = join(records, recordName(record.directory));
  const fresh = `${path}.${process.pid}`;
  // It may have the client secret of a service principal.
  writeFileSync(fresh, JSON.stringify(record), { mode: 0o600 });
  renameSync(fresh, path);
}

export function removeRecord(records: string, directory: string): void {
  rmSync(join(records, recordName(directory)), { force: true });
}

/** Names of all records; what an interrupted write left is not among them. */
export function listRecords(records: string): string[] {
  try {
    return readdirSync(records).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Undefined where it is gone or no record. */
export function tryReadRecord(records: string, name: string): MountRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(records, name), 'utf8')) as MountRecord;
  } catch {
    return undefined;
  }
}
