import { expect, test } from '@jest/globals';
import { importConfig, importHelp } from '../../runtime/import/config.ts';

test('flags are read in their long and short forms, and repeated ones are collected', () => {
  const plain = { recursive: false, output: 'yaml', namespace: 'default', labels: {}, annotations: {}, workers: 4 };
  expect(importConfig(['/a'])).toEqual({ ...plain, credential: 'default', ids: ['/a'] });
  const argv = '-rocdk8s /a -n shop -l a=1 --label x.io/b= -a c==d -w 2 --credential azure-cli /b'.split(' ');
  expect(importConfig(argv)).toEqual({
    ...{ recursive: true, output: 'cdk8s', namespace: 'shop', labels: { a: '1', 'x.io/b': '' } },
    ...{ annotations: { c: '=d' }, workers: 2, credential: 'azure-cli', ids: ['/a', '/b'] },
  });
});

test.each([
  [[], 'arguments of azimuth import'],
  [['--other', '/a'], '--help'],
  [['-w0', '/a'], '--workers'],
  [['-n', 'Shop', '/a'], '--namespace'],
  [['-o', 'json', '/a'], '--output'],
  [['-l', 'a', '/a'], '--label'],
  [['-a', '-b=c', '/a'], "'-a"],
  [['--credential=none', '/a'], '--credential'],
] as const)('%j is refused with the name of the flag: %s', (argv, name) => {
  expect(() => importConfig(argv)).toThrow(name);
});

test('the help has short flags, names of values and defaults', () => {
  expect(importConfig(['-h'])).toEqual({ help: importHelp() });
  const rows = importHelp().split('\n').slice(4, 11);
  expect(rows[1]).toBe('  -o, --output FORM             yaml, or cdk8s for a program in TypeScript [default yaml]');
  expect(rows[6]).toMatch(/^ {6}--credential FROM {9}default: /);
  expect(importHelp()).not.toContain('environment variable');
});
