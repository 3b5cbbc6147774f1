import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TokenBucket } from '../../../runtime/base/scheduling/token-bucket.ts';

test('a caller that waits exactly for the returned time gets its token, at any fraction of a second', () => {
  const rate = fc.constantFrom(4 / 60, 12 / 60, 10, 25, 500 / 60, 1 / 3);
  const start = fc.integer({ min: 0, max: 2e12 });
  fc.assert(
    fc.property(rate, start, fc.array(fc.nat(20_000), { maxLength: 50 }), (refillPerSecond, began, idle) => {
      const bucket = new TokenBucket({ capacity: 3, refillPerSecond }, began, 0);
      let now = began;
      let taken = 0;
      for (const ms of idle) {
        now += ms;
        now += bucket.waitMs(now);
        expect(bucket.waitMs(now)).toBe(0);
        bucket.take(now);
        taken++;
        expect(taken).toBeLessThanOrEqual(((now - began) / 1000) * refillPerSecond + 1e-6);
      }
    }),
  );
});

test('more tokens than fit are waited for one after the other, and a clock that goes back brings none', () => {
  const bucket = new TokenBucket({ capacity: 2, refillPerSecond: 1 }, 10_000);
  expect(bucket.waitMs(10_000, 5)).toBe(3000);
  bucket.take(10_000, 2);
  expect(bucket.waitMs(0)).toBe(1000);
  expect(bucket.waitMs(500)).toBe(500);
  bucket.cap(1000, 0.5);
  expect(bucket.waitMs(1000)).toBe(500);
  expect(bucket.isFull(2499)).toBe(false);
  expect(bucket.isFull(2500)).toBe(true);
});
