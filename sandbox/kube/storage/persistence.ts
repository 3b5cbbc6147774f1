import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import type { Journal, Store, StoreRecord } from '../model/store.ts';

/** Records after which the file is written again with the present state only. */
const compactAfter = 5000;

/**
 * Fills a store from a file and records every later write in it: one JSON record a line, handed to the operating system
 * before the write is acknowledged. A last line that a crash cut short was never acknowledged and is dropped. From time
 * to time the file is replaced by a snapshot, by renaming a complete new one over it.
 */
export function openJournal(file: string, store: Store): void {
  const { records, revision, validBytes } = load(file);
  let descriptor = openSync(file, 'a', 0o600);
  ftruncateSync(descriptor, validBytes);
  let appended = records.length;
  let live = 0;
  const journal: Journal = {
    append: (record) => {
      writeAll(descriptor, `${JSON.stringify(record)}\n`);
      appended += 1;
      // After the write that is going on, so that the snapshot has it.
      if (appended > live * 2 + compactAfter) queueMicrotask(compact);
    },
    close: () => {
      if (descriptor < 0) return;
      fsyncSync(descriptor);
      closeSync(descriptor);
      descriptor = -1;
    },
  };
  const compact = () => {
    if (descriptor < 0 || appended <= live * 2 + compactAfter) return;
    const next = `${file}.new`;
    const target = openSync(next, 'w', 0o600);
    live = 0;
    for (const record of store.records()) {
      writeAll(target, `${JSON.stringify(record)}\n`);
      live += 1;
    }
    writeAll(target, `${JSON.stringify({ rv: store.revision })}\n`);
    fsyncSync(target);
    renameSync(next, file);
    closeSync(descriptor);
    descriptor = target;
    appended = live;
  };
  store.restore(revision, records, journal);
}

function load(file: string): { records: StoreRecord[]; revision: number; validBytes: number } {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { records: [], revision: 0, validBytes: 0 };
    throw error;
  }
  const validBytes = content.lastIndexOf(0x0a) + 1;
  const records: StoreRecord[] = [];
  let revision = 0;
  for (const [index, line] of content.subarray(0, validBytes).toString('utf8').split('\n').entries()) {
    if (line === '') continue;
    let record: StoreRecord;
    try {
      record = JSON.parse(line) as StoreRecord;
    } catch (cause) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `Expected line ${index + 1} of ${file} to be a JSON record of the sandbox's state; remove the file to start empty`,
        { cause },
      );
    }
    revision = Math.max(revision, record.rv);
    if ('bucket' in record) records.push(record);
  }
  return { records, revision, validBytes };
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}
