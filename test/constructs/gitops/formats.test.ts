import { expect, test } from '@jest/globals';
import { formatOf } from '../../../constructs/gitops/formats.ts';
import { mergeVariants, subsets } from '../../../constructs/helm/variants.ts';

test('the synthesis writes manifests unless another format is named', () => {
  expect(formatOf([])).toBe('manifests');
  expect(formatOf(['--format', 'helm'])).toBe('helm');
  expect(formatOf(['--format=helm'])).toBe('helm');
});

test.each([[['--format']], [['--format', 'argo']], [['helm']], [['--format', 'helm', 'now']]])(
  'the arguments %p are refused with the formats that exist',
  (argv) => {
    expect(() => formatOf(argv)).toThrow('Expected the arguments to be --format manifests or --format helm, got');
  },
);

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
