import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { recordName, removeRecord, tryReadRecord, writeRecord } from '../../../runtime/volumes/driver/mount-record.ts';

let records: string;
beforeEach(() => {
  records = mkdtempSync(join(tmpdir(), 'azimuth-records-'));
});
afterEach(() => rmSync(records, { recursive: true, force: true }));

/** Names of persistent volumes have up to 253 characters. */
const directoryOf = (pod: string, volume: string) =>
  `/var/lib/kubelet/pods/6f0e9c1a-0000-4000-8000-00000000000${pod}/volumes/azure~kv/${volume}`;
const record = (directory: string) => ({ directory, document: `{"of":"${directory}"}`, versions: { a: '1' } });
const kept = () =>
  readdirSync(records)
    .filter((name) => name.endsWith('.json'))
    .map((name) => tryReadRecord(records, name)?.directory);

test.each([
  ['two pods on one persistent volume', directoryOf('1', 'p'.repeat(253)), directoryOf('2', 'p'.repeat(253))],
  [
    'two volumes whose names differ in front',
    directoryOf('1', `a${'p'.repeat(252)}`),
    directoryOf('1', `b${'p'.repeat(252)}`),
  ],
])('%s have a record each, however long the name is', (_, one, other) => {
  for (const directory of [one, other]) writeRecord(records, record(directory));
  expect(kept().sort()).toEqual([one, other].sort());
  expect(Math.max(...readdirSync(records).map((name) => name.length))).toBeLessThanOrEqual(210);
  removeRecord(records, one);
  expect(kept()).toEqual([other]);
});

test('a record is for its owner alone, as is the directory: it may have a client secret', () => {
  const inner = join(records, 'mounts');
  writeRecord(inner, record(directoryOf('1', 'vault')));
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(inner)) expect(statSync(join(inner, name)).mode & 0o777).toBe(0o600);
});

test('a short name is the whole directory, as it was', () => {
  const directory = directoryOf('1', 'vault');
  expect(decodeURIComponent(recordName(directory))).toBe(`${directory}.json`);
  writeRecord(records, record(directory));
  removeRecord(records, directory);
  expect(kept()).toEqual([]);
});

/** The end of the directory, which was all of the name that drivers before gave it. */
const former = (directory: string) => `${encodeURIComponent(directory).slice(-200)}.json`;

test('a record under its name of before is read, replaced and removed', () => {
  const directory = directoryOf('1', 'p'.repeat(253));
  mkdirSync(records, { recursive: true });
  const put = () => writeFileSync(join(records, former(directory)), JSON.stringify(record(directory)));
  put();
  expect(kept()).toEqual([directory]);
  writeRecord(records, { ...record(directory), versions: { a: '2' } });
  expect(readdirSync(records)).toEqual([recordName(directory)]);
  put();
  removeRecord(records, directory);
  expect(readdirSync(records)).toEqual([]);
});

test('a record of another volume under that name stays', () => {
  const [mine, other] = [directoryOf('1', 'p'.repeat(253)), directoryOf('2', 'p'.repeat(253))];
  writeFileSync(join(records, former(mine)), JSON.stringify(record(other)));
  writeRecord(records, record(mine));
  removeRecord(records, mine);
  expect(kept()).toEqual([other]);
});
