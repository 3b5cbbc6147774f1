import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Bytes at which the file becomes `<file>.1`, replacing the former one. */
const mostBytes = 1024 * 1024;

/**
 * Appends a line of JSON to a log of at most twice `bound` bytes; '' = no log. Concurrent drivers append whole lines.
 * Ignores errors, because a pod must start without the log.
 */
export function appendLog(file: string, record: object, bound: number = mostBytes): void {
  if (file === '') return;
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > bound) renameSync(file, `${file}.1`);
    appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...record })}\n`, { mode: 0o600 });
  } catch {
    // A pod must start without the log.
  }
}
