import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { backoff } from '../../runtime/base/backoff.ts';

test('the delay doubles from the initial one up to the maximum', () => {
  const delays = [0, 1, 2, 3, 10, 1000].map((attempt) => backoff(attempt, { initialMs: 100, maxMs: 1000, jitter: 0 }));
  expect(delays).toEqual([100, 200, 400, 800, 1000, 1000]);
});

test('jitter only ever shortens the delay, by at most its share', () => {
  fc.assert(
    fc.property(
      fc.nat(100),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, jitter, random) => {
        const full = backoff(attempt, { jitter: 0 });
        const delay = backoff(attempt, { jitter }, () => random);
        expect(delay).toBeLessThanOrEqual(full);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(full * (1 - jitter)));
      },
    ),
  );
});
