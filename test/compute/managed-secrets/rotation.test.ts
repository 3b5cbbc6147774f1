import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  certificateTimeProblems,
  failuresWithin,
  issueBackoff,
  leafNotAfter,
  mustReissueLeaf,
  nextRenewal,
  nextRotation,
  orderPoll,
  renewalInstant,
  rotationProblems,
  stableJitter,
  throttleBackoff,
} from '../../../runtime/compute/managed-secrets/rotation.ts';

const [second, hour, day] = [1000, 3_600_000, 86_400_000];

test.each([
  [3 * hour, undefined, undefined, 2 * hour],
  [4380 * hour, undefined, undefined, 2920 * hour],
  [24 * hour, 20 * hour, undefined, 4 * hour],
  [24 * hour, 25 * hour, undefined, 16 * hour],
  [24 * hour, 24 * hour, undefined, 16 * hour],
  [730 * hour, undefined, 30, 511 * hour],
  [24 * hour - second, undefined, undefined, 16 * hour - second],
  [3 * hour, hour, 50, 2 * hour],
  [3 * hour, undefined, 100, 2 * hour],
])(
  'a certificate of %d ms, renewBefore %p, percentage %p, is renewed after %d ms',
  (lifetime, before, percent, after) => {
    const rule = {
      ...(before !== undefined && { renewBefore: before }),
      ...(percent !== undefined && { renewBeforePercentage: percent }),
    };
    expect(renewalInstant({ notBefore: day, notAfter: day + lifetime }, rule)).toBe(day + after);
  },
);

test.each([
  [{ every: 30 * day, renewBefore: 30 * day }, ['RenewBeforeInvalid r.renewBefore']],
  [{ every: 30 * day, renewBefore: -1 }, ['RenewBeforeInvalid r.renewBefore']],
  [{ every: 30 * day, overlap: 30 * day }, []],
  [{ every: 0 }, ['EveryInvalid r.every', 'RenewBeforeInvalid r.renewBefore']],
  [
    { every: Number.NaN, overlap: Number.NaN },
    ['EveryInvalid r.every', 'RenewBeforeInvalid r.renewBefore', 'OverlapInvalid r.overlap'],
  ],
])('problems of the rotation %p', (rotation, expected) => {
  expect(rotationProblems(rotation, 'r').map(({ name, path }) => `${name} ${path}`)).toEqual(expected);
});

test('the overlap covers the time in which consumers get a new value', () => {
  const rotation = { every: 30 * day, overlap: hour };
  expect(rotationProblems(rotation, 'r', { consumersNeed: hour })).toEqual([]);
  expect(rotationProblems(rotation, 'r', { consumersNeed: hour + 1 })).toMatchObject([
    { name: 'OverlapTooShort', message: 'must be at least the 3601 s in which consumers get a new value; lengthen it' },
  ]);
});

test('a value is renewed at every - renewBefore, at most a tenth earlier, never later, and the same for one name', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(400), fc.nat(100), (name, days, percent) => {
      const every = (days + 1) * day;
      const renewBefore = Math.min(every - 1, Math.floor((every * percent) / 100));
      const at = nextRotation(0, { every, renewBefore }, name);
      expect(at).toBeLessThanOrEqual(every - renewBefore);
      expect(at).toBeGreaterThanOrEqual(Math.floor((every - renewBefore) * 0.9));
      expect(nextRotation(0, { every, renewBefore }, name)).toBe(at);
    }),
  );
});

test('jitter spreads names over the whole tenth', () => {
  const tenths = Array.from({ length: 1000 }, (_, n) => Math.floor(stableJitter(`team/secret-${n}`, 100_000) / 1000));
  const counts = Array.from({ length: 10 }, (_, tenth) => tenths.filter((each) => each === tenth).length);
  expect(tenths.every((each) => each < 10)).toBe(true);
  for (const count of counts) expect(count).toBeGreaterThan(60);
});

test('instants that were missed cost one renewal: the next one counts from the new creation', () => {
  const rotation = { every: 30 * day, renewBefore: 5 * day };
  const now = 365 * day;
  expect(nextRotation(0, rotation, 'n')).toBeLessThan(now);
  expect(nextRotation(now, rotation, 'n')).toBeGreaterThan(now + 22 * day);
});

test('a certificate is renewed at its instant or up to a tenth of the span earlier, at a whole second', () => {
  const validity = { notBefore: 0, notAfter: 90 * day };
  const at = nextRenewal(validity, 'team/web');
  expect(at % second).toBe(0);
  expect(at).toBeLessThanOrEqual(60 * day);
  expect(at).toBeGreaterThanOrEqual(54 * day - second);
});

test('a leaf never outlives its CA, and is not issued by one that has ended or not begun', () => {
  const ca = { notBefore: 10, notAfter: 100 };
  expect([leafNotAfter(20, 30, ca), leafNotAfter(20, 300, ca)]).toEqual([50, 100]);
  expect([leafNotAfter(100, 30, ca), leafNotAfter(5, 30, ca)]).toEqual([undefined, undefined]);
});

test('a leaf is issued again when its CA has another key or ends earlier', () => {
  const ca = { notAfter: 100, keyId: 'AB:CD' };
  expect(mustReissueLeaf({ notAfter: 100, issuerKeyId: 'ab:cd' }, ca)).toBe(false);
  expect(mustReissueLeaf({ notAfter: 100, issuerKeyId: 'ef' }, ca)).toBe(true);
  expect(mustReissueLeaf({ notAfter: 101, issuerKeyId: 'AB:CD' }, ca)).toBe(true);
});

test('waits after failures and at a throttled vault double up to a bound', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((n) => issueBackoff(n) / hour)).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  expect([1, 2, 3, 4, 5, 6].map((n) => throttleBackoff(n) / second)).toEqual([1, 2, 4, 8, 16, 16]);
  expect(throttleBackoff(1, 7000)).toBe(7000);
});

test('the number of failures follows from the time since the first one, so that a restart continues with the same backoff', () => {
  let at = 0;
  for (let failures = 1; failures <= 6; failures++) {
    expect([failures, failuresWithin(at), failuresWithin(at + 0.5 * hour)]).toEqual([failures, failures, failures]);
    at += issueBackoff(failures);
  }
  expect([failuresWithin(-1), failuresWithin(Number.NaN), failuresWithin(10_000 * day)]).toEqual([1, 1, 6]);
});

test('an order is read again when a quarter of its age has passed, and not before its issuer asks for it', () => {
  expect([0, 8, 60, 3600].map((age) => orderPoll(age * second) / second)).toEqual([1, 2, 15, 300]);
  expect([orderPoll(0, 10 * second), orderPoll(day, 10 * second), orderPoll(0, hour)]).toEqual([
    10 * second,
    300 * second,
    hour,
  ]);
});

test('no rotation renews in a loop: an hour lies between two values, unless the limits say otherwise', () => {
  const rotation = { every: 24 * hour, renewBefore: 23 * hour + second };
  expect(rotationProblems(rotation, 'r')).toMatchObject([
    {
      name: 'IntervalTooShort',
      path: 'r.every',
      message: 'must be at least 3600 s longer than renewBefore; lengthen it',
    },
  ]);
  expect(rotationProblems(rotation, 'r', { leastInterval: second })).toEqual([]);
});

test('a certificate lives an hour at least, and renewBefore leaves five minutes on both sides', () => {
  const found = (duration: number, before?: number) =>
    certificateTimeProblems(duration, before, 's').map(({ name, path }) => `${name} ${path}`);
  expect([found(hour), found(hour, 5 * 60_000), found(hour, 55 * 60_000)]).toEqual([[], [], []]);
  expect([found(hour - 1), found(Number.NaN)].flat()).toEqual(Array(2).fill('IntervalTooShort s.duration'));
  for (const before of [0, 5 * 60_000 - 1, 55 * 60_000 + 1, hour, Number.NaN]) {
    expect(found(hour, before)).toEqual(['RenewBeforeInvalid s.renewBefore']);
  }
});

test('a certificate that ends before it begins is renewed at its end, not later', () => {
  expect(renewalInstant({ notBefore: 2 * day, notAfter: day })).toBe(day);
});
