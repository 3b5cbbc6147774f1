import { expect, test } from '@jest/globals';
import { run } from './support.ts';

test('actionlint finds no fault with the workflows', () => {
  const program = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
  // Without shellcheck, which the machine may have or lack.
  expect(run('go', ['run', program, '-shellcheck='], '.')).toBe('');
});
