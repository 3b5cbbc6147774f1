import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { holderOf, lockFreeDirectory, tryLock } from '../../runtime/cli/sandbox/directory-lock.ts';
import { scratch } from '../fakes/scratch.ts';

const place = scratch();
afterAll(() => place.remove());

test('a second program in one checkout gets a directory of its own, and the first name is free again after the end', () => {
  const first = lockFreeDirectory(place.path, 'demo');
  const second = lockFreeDirectory(place.path, 'demo');
  expect([first, second].map(({ path }) => basename(path))).toEqual(['demo', 'demo-2']);
  first.release();
  const third = lockFreeDirectory(place.path, 'demo');
  expect(basename(third.path)).toBe('demo');
  third.release();
  second.release();
  expect(existsSync(join(place.path, 'demo.lock'))).toBe(false);
});

test('a lock of a process that has ended is taken over, and one of a process that runs is not', () => {
  const file = join(place.path, 'left');
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  for (const content of [String(ended), 'nonsense', '']) {
    writeFileSync(file, content);
    const release = tryLock(file);
    expect(release).toBeDefined();
    expect(holderOf(file)).toBe(process.pid);
    expect(tryLock(file)).toBeUndefined();
    release?.();
  }
  expect(holderOf(file)).toBeUndefined();
});
