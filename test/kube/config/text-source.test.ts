import { afterAll, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { fileText, fileTextMaxAgeMs } from '../../../runtime/kube/config/text-source.ts';
import { scratch } from '../../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());

test('a file is read again once its text is a minute old', async () => {
  const clock = new ManualClock();
  const source = fileText(files.write('a', 'one\n'), 'label', clock);
  expect(source.read()).toBe('one');
  files.write('a', 'two');
  await clock.advance(fileTextMaxAgeMs - 1);
  expect(source.read()).toBe('one');
  await clock.advance(1);
  expect(source.read()).toBe('two');
});

test('an empty file is an error at first and ignored later', async () => {
  const clock = new ManualClock();
  const source = fileText(files.write('b', ''), 'label', clock);
  expect(() => source.read()).toThrow(/^label: the file .* is empty$/);
  files.write('b', 'good');
  expect(source.read()).toBe('good');
  files.write('b', '');
  source.refresh();
  expect(source.read()).toBe('good');
});
