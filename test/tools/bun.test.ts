import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { putOnce } from '../../tools/bun.ts';
import { scratch } from '../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());

test('the program of another build stays, which may be running from its file', () => {
  const place = join(files.path, 'bun');
  putOnce(files.write('first', 'first'), place);
  const { ino } = statSync(place);
  putOnce(files.write('second', 'second'), place);
  expect([statSync(place).ino, readFileSync(place, 'utf8')]).toEqual([ino, 'first']);
  mkdirSync(join(files.path, 'folder'));
  expect(() => putOnce(join(files.path, 'absent'), join(files.path, 'folder', 'bun'))).toThrow(/ENOENT/);
});
