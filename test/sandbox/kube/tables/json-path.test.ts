import { expect, test } from '@jest/globals';
import { evaluateJsonPath } from '../../../../sandbox/kube/tables/json-path.ts';
import { age } from '../../../../sandbox/kube/tables/table.ts';

const root = {
  spec: { size: 3, list: ['a', 'b', 'c'], 'odd.name': 'x', zero: 0, nothing: null },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Good' },
      { type: 'Other', status: 'False' },
    ],
  },
};

test.each([
  ['.spec.size', [3]],
  ['{.spec.size}', [3]],
  ['$.spec.list[1]', ['b']],
  ['.spec.list[-1]', ['c']],
  ['.spec.list[*]', ['a', 'b', 'c']],
  ['.spec.odd\\.name', ['x']],
  [".spec['odd.name']", ['x']],
  ['.spec.zero', [0]],
  ['.spec.nothing', []],
  ['.spec.missing.deep', []],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Ready')].reason", ['Good']],
  ['.status.conditions[?(@.type!="Ready")].status', ['False']],
  ['.status.conditions[?(@.reason)].type', ['Ready']],
  ['.status.conditions[*].status', ['True', 'False']],
  ['.spec[', []],
])('%s', (path, expected) => {
  expect(evaluateJsonPath(path, root)).toEqual(expected);
});

test.each([
  [0, '0s'],
  [119_000, '119s'],
  [120_000, '2m'],
  [200_000, '3m20s'],
  [11 * 60_000, '11m'],
  [4 * 3600_000 + 30 * 60_000, '4h30m'],
  [30 * 3600_000, '30h'],
  [3 * 86400_000 + 5 * 3600_000, '3d5h'],
  [100 * 86400_000, '100d'],
  [3 * 365 * 86400_000, '3y'],
  [Number.NaN, '<unknown>'],
])('%i ms is %s', (milliseconds, text) => {
  expect(age(milliseconds)).toBe(text);
});
