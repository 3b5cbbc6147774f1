import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { type VolumeFile, writeVolume } from '../../../runtime/volumes/mount/atomic-writer.ts';
import { mostInodes } from '../../../runtime/volumes/mount/volume-tmpfs.ts';
import { scratch } from '../../fakes/scratch.ts';
import { filesOf } from '../support.ts';

const place = scratch();
afterAll(() => place.remove());
let directory: string;
let count = 0;
beforeEach(() => {
  directory = join(place.path, `v${count++}`);
  mkdirSync(directory);
});

const group = process.getgid?.() ?? 0;
const root = process.getuid?.() === 0;
const inRootOnly = root ? test : test.skip;
if (!root) test.skip('NOT RUN: files of volumes belong to root, and this user is not root', () => undefined);
const files = (contents: Record<string, string>): VolumeFile[] =>
  Object.entries(contents).map(([name, content]) => ({ name, content: Buffer.from(content), mode: 0o440 }));
const own = () => readdirSync(directory).filter((name) => name.startsWith('..'));

inRootOnly('files come, change, go and stay under one switch', () => {
  expect(writeVolume(directory, files({ a: '1', b: '2' }), { group })).toBe(true);
  expect(filesOf(directory)).toEqual({ a: '1', b: '2' });
  expect(writeVolume(directory, files({ a: '1', b: '2' }), { group })).toBe(false);
  expect(writeVolume(directory, files({ b: '3', c: '4' }), { group })).toBe(true);
  expect(filesOf(directory)).toEqual({ b: '3', c: '4' });
  expect(own()).toHaveLength(2);
});

inRootOnly('the compared file is the one that was opened, whatever a pod puts in its place meanwhile', () => {
  writeVolume(directory, files({ a: 'own' }), { group });
  const elsewhere = join(place.path, `elsewhere-${count}`);
  writeFileSync(elsewhere, 'not');
  const content = Buffer.from('own');
  // Runs after the check of the file. A link to a pipe would end the whole agent here.
  Object.defineProperty(content, 'length', {
    get: () => {
      const path = join(directory, readlinkSync(join(directory, '..data')), 'a');
      rmSync(path);
      symlinkSync(elsewhere, path);
      return 3;
    },
  });
  expect(writeVolume(directory, [{ name: 'a', content, mode: 0o440 }], { group })).toBe(false);
  // It is seen the next time.
  expect(writeVolume(directory, files({ a: 'own' }), { group })).toBe(true);
  expect(readFileSync(elsewhere, 'utf8')).toBe('not');
});

inRootOnly('a link of a pod to a directory elsewhere is not taken for its files, although those are the same', () => {
  const elsewhere = join(place.path, 'elsewhere');
  mkdirSync(elsewhere);
  writeVolume(elsewhere, files({ a: 'own' }), { group });
  writeVolume(directory, files({ a: 'own' }), { group });
  const current = readlinkSync(join(elsewhere, '..data'));
  mkdirSync(join(directory, '..1'));
  rmSync(join(directory, '..data'));
  symlinkSync(`..1/../../elsewhere/${current}`, join(directory, '..data'));
  expect(writeVolume(directory, files({ a: 'own' }), { group })).toBe(true);
  expect(readlinkSync(join(directory, '..data'))).not.toContain('/');
  expect(filesOf(elsewhere)).toEqual({ a: 'own' });
});

inRootOnly('a pipe in place of a file is waited for by nobody', () => {
  writeVolume(directory, files({ a: 'own' }), { group });
  const path = join(directory, readlinkSync(join(directory, '..data')), 'a');
  rmSync(path);
  execFileSync('mkfifo', ['-m', '440', path]);
  expect(writeVolume(directory, files({ a: 'own' }), { group })).toBe(true);
  expect(filesOf(directory)).toEqual({ a: 'own' });
});

inRootOnly('a change of the mode alone is a change', () => {
  writeVolume(directory, files({ a: '1' }), { group });
  const [file] = files({ a: '1' });
  expect(writeVolume(directory, [{ ...(file as VolumeFile), mode: 0o400 }], { group })).toBe(true);
  expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o400);
});

inRootOnly('ended at any step, it shows all of the old or all of the new, and the next call cleans up', () => {
  const before = { a: 'old a', b: 'old b', gone: 'old' };
  const after = { a: 'new a', b: 'new b', added: 'new' };
  const steps: string[] = [];
  writeVolume(directory, files(before), { group });
  writeVolume(directory, files(after), { group, step: (name) => steps.push(name) });
  expect(steps.length).toBeGreaterThan(6);
  for (const [index] of steps.entries()) {
    directory = join(place.path, `killed-${count++}`);
    mkdirSync(directory);
    writeVolume(directory, files(before), { group });
    let left = index;
    const step = () => {
      if (left-- === 0) throw new Error('ended');
    };
    expect(() => writeVolume(directory, files(after), { group, step })).toThrow('ended');
    const data = join(directory, '..data');
    const seen = Object.fromEntries(readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'utf8')]));
    expect([before, after]).toContainEqual(seen);
    writeVolume(directory, files(after), { group });
    expect(filesOf(directory)).toEqual(after);
    expect(own()).toHaveLength(2);
  }
});

inRootOnly('what a pod put into its volume leads nowhere', () => {
  const outside = join(place.path, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'victim'), 'untouched');
  symlinkSync(outside, join(directory, '..data'));
  symlinkSync(outside, join(directory, '..data_tmp'));
  symlinkSync(outside, join(directory, '..2020_01_01_00_00_00.abc'));
  symlinkSync(join(outside, 'victim'), join(directory, 'a'));
  mkdirSync(join(directory, 'b'));
  chmodSync(join(directory, 'b'), 0o700);
  writeVolume(directory, files({ a: '1', b: '2' }), { group });
  expect(filesOf(directory)).toEqual({ a: '1', b: '2' });
  expect(readdirSync(outside)).toEqual(['victim']);
  expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('untouched');
});

inRootOnly(
  'a volume that a pod filled with more entries than a volume ever has is refused, and keeps its files',
  () => {
    writeVolume(directory, files({ a: '1' }), { group });
    for (let entry = 0; entry < mostInodes; entry++) symlinkSync('x', join(directory, `link-${entry}`));
    expect(() => writeVolume(directory, files({ a: '2' }), { group })).toThrow(/more than 4096 files and links/);
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('1');
  },
);

inRootOnly('a volume that is a link is refused', () => {
  const link = join(place.path, `link-${count}`);
  symlinkSync(directory, link);
  expect(() => writeVolume(link, files({ a: '1' }), { group })).toThrow(/ENOTDIR|ELOOP/);
});

test('root alone can give files away', () => {
  if (root) return;
  process.stderr.write('The tests of the writer are skipped: they need root, who owns the files of volumes.\n');
  expect(() => writeVolume(directory, files({ a: '1' }), { group: 0 })).toThrow(/EPERM/);
});

inRootOnly('files and their directory belong to root and the group that is asked for', () => {
  writeVolume(directory, files({ a: '1' }), { group: 4321 });
  const data = join(directory, readlinkSync(join(directory, '..data')));
  for (const path of [data, join(data, 'a')]) expect(statSync(path)).toMatchObject({ uid: 0, gid: 4321 });
  expect(writeVolume(directory, files({ a: '1' }), { group: 1234 })).toBe(true);
  expect(statSync(join(directory, 'a')).gid).toBe(1234);
});

test('a volume that must be a mount is not written where it is none any more', () => {
  // Of another kind wherever this runs.
  expect(() => writeVolume('/proc', files({ a: '1' }), { mounted: true })).toThrow(/is not mounted any more/);
});
