import { expect, test } from '@jest/globals';
import { parseRetryAfter } from '../../../runtime/base/http/retry-after.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

test.each([
  ['7', 7000],
  [' 0 ', 0],
  ['1.5', 1500],
  ['Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
  ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ['3000000', 3_600_000],
  ['Fri, 02 Jan 2036 03:04:00 GMT', 3_600_000],
  ['9'.repeat(400), 3_600_000],
])('%j means a wait of %d ms', (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms);
});

test.each([undefined, '', 'soon', '-3', '12x'])('%j means no wait', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined();
});

test('of several headers the first counts', () => {
  expect(parseRetryAfter(['2', '9'], now)).toBe(2000);
});
