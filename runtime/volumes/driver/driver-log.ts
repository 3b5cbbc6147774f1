import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Above this the file becomes `<file>.1`, which replaces the one before. */
const mostBytes = 1024 * 1024;

/**
 * Adds a line of JSON to a log that never takes more than twice its bound. Many drivers write at once: lines are appended
 * whole. A log that cannot be written is no reason for a pod not to start.
 */
export function appendLog(file: string, record: object, bound: number = mostBytes): void {
  if (file === '') return;
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > bound) renameSync(file, `${file}.1`);
    appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...record })}\n`, { mode: 0o600 });
  } catch {
    // See above.
  }
}
