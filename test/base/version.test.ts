import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { version } from '../../runtime/base/version.ts';

test('programs report the version of package.json', () => {
  expect(version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
});
