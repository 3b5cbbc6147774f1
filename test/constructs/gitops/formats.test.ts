import { expect, test } from '@jest/globals';
import { synthesisArguments } from '../../../constructs/gitops/formats.ts';
import { mergeVariants, subsets } from '../../../constructs/helm/variants.ts';

test('the synthesis writes manifests unless another format is named', () => {
  expect(synthesisArguments([])).toEqual({ format: 'manifests' });
  expect(synthesisArguments(['--format', 'helm'])).toEqual({ format: 'helm' });
  expect(synthesisArguments(['--format=helm'])).toEqual({ format: 'helm' });
});

test('the manifests go into the folder that --output names', () => {
  expect(synthesisArguments(['--output', '../gitops/azimuth'])).toEqual({
    format: 'manifests',
    output: '../gitops/azimuth',
  });
  expect(synthesisArguments(['--output=charts', '--format=helm'])).toEqual({ format: 'helm', output: 'charts' });
});

test.each([
  [['--format']],
  [['--format', 'argo']],
  [['helm']],
  [['--format', 'helm', 'now']],
  [['--output']],
  [['--output=']],
  [['--outdir', 'manifests']],
])('the arguments %p are refused with those that exist', (argv) => {
  const message = 'Expected the arguments to be --format manifests or --format helm and --output FOLDER, got';
  expect(() => synthesisArguments(argv)).toThrow(message);
});

test('an object that all variants have alike has no condition, and others depend on as few as possible', () => {
  const variants = subsets(['a', 'b']).map((on) => ({
    on,
    objects: new Map([
      ['same', 'S\n'],
      ['ofA', on.has('a') ? 'A\n' : ''],
      ['ofB', on.has('b') ? 'B\n' : 'no B\n'],
    ]),
  }));
  expect(mergeVariants(variants, { a: '.a', b: '.b' })).toBe(
    'S\n{{- if .a }}\nA\n{{- end }}\n{{- if .b }}\nB\n{{- else }}\nno B\n{{- end }}\n',
  );
});
