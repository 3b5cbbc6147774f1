import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterOf } from '../../../runtime/base/http/retry-after.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const HOUR = 3_600_000;

test.each([
  [{ 'retry-after': '15' }, 15_000],
  [{ 'retry-after': ' 0 ' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, 30_000],
  [{ 'retry-after': 'Friday, 02-Jan-26 03:04:35 GMT' }, 30_000],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, 0],
  [{ 'retry-after': '999999' }, HOUR],
  [{ 'x-ms-retry-after-ms': '250', 'retry-after': '1' }, 250],
  [{ 'retry-after-ms': '20', 'x-ms-retry-after-ms': '250' }, 20],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '2026-01-02T03:04:35Z' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('%p is read as %p ms', (headers, expected) => {
  expect(retryAfterOf(headers as Record<string, string>, now)).toBe(expected);
});

test('any number of seconds and any date within an hour come out as they went in', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3600 }), (seconds) => {
      const date = new Date(now + seconds * 1000).toUTCString();
      expect(retryAfterOf({ 'retry-after': String(seconds) }, now)).toBe(seconds * 1000);
      expect(retryAfterOf({ 'retry-after': date }, now)).toBe(seconds * 1000);
    }),
  );
});

test('whatever a server sends, the result is undefined or a whole number within an hour', () => {
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  fc.assert(
    fc.property(fc.constantFrom('retry-after', 'retry-after-ms', 'x-ms-retry-after-ms'), value, (name, text) => {
      const result = retryAfterOf({ [name]: text }, now);
      expect(result === undefined || (Number.isInteger(result) && result >= 0 && result <= HOUR)).toBe(true);
    }),
  );
});
