import { expect, test } from '@jest/globals';
import { preferredVersion } from '../../runtime/api/preferred-version.ts';

test.each([
  [['v1beta1', 'v1', 'v2alpha1'], 'v1'],
  [['v1', 'v2', 'v10'], 'v10'],
  [['v1alpha1', 'v1beta2', 'v1beta1'], 'v1beta2'],
  [['v1api20210401', 'v20230101', 'v20250601preview'], 'v20230101'],
  [['v1api20240815', 'v1api20210515'], 'v1api20210515'],
  [[], undefined],
])('of %j, discovery prefers %s', (names, preferred) => {
  expect(preferredVersion(names)).toBe(preferred);
});
