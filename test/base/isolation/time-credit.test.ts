import { expect, test } from '@jest/globals';
import type { Clock } from '../../../runtime/base/clock.ts';
import { TimeCredit } from '../../../runtime/base/isolation/time-credit.ts';

test('a namespace that used its time up waits until a quarter of real time has given it a millisecond', () => {
  let now = 0;
  const credit = new TimeCredit({ monotonic: () => now } as Clock, 100);
  expect(credit.waitMs('flood')).toBe(0);
  credit.spend('flood', 99);
  expect(credit.waitMs('flood')).toBe(0);
  credit.spend('flood', 11);
  expect(credit.waitMs('flood')).toBe(44);
  expect(credit.waitMs('shop')).toBe(0);
  now += 40;
  expect(credit.waitMs('flood')).toBe(4);
  now += 4;
  expect(credit.waitMs('flood')).toBe(0);
});

test('a namespace never saves more time than it may use at once', () => {
  let now = 0;
  const credit = new TimeCredit({ monotonic: () => now } as Clock, 100);
  credit.spend('shop', 50);
  now += 1_000_000;
  credit.spend('shop', 101);
  expect(credit.waitMs('shop')).toBe(8);
});
