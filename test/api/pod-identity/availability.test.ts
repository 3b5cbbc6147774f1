import { describe, expect, test } from '@jest/globals';
import { availabilityProblem, grantReadable, openingOf } from '../../../runtime/api/pod-identity/availability.ts';
import type { Availability } from '../../../runtime/api/pod-identity/azure-identity-binding.ts';
import type { MatchedBinding } from '../../../runtime/api/pod-identity/matching.ts';

const at = Date.parse;
const iso = (instant: number | undefined) => instant && new Date(instant).toISOString();

function opening(availability: object | undefined, now: string, annotations = {}) {
  const made = { metadata: { name: 'b', annotations }, spec: { availability } } as MatchedBinding;
  const result = openingOf(made, at(now));
  return result.open ? `open until ${iso(result.until)}` : `closed until ${iso(result.opensAt)}`;
}

describe('openings', () => {
  const nightly = { timeZone: 'UTC', windows: [{ schedule: '0 0 * * mon-fri', duration: '1h' }] };
  test.each([
    ['no availability', undefined, '2026-11-20T00:00:00Z', 'open until undefined'],
    ['inside a window', nightly, '2026-11-20T00:30:00Z', 'open until 2026-11-20T01:00:00.000Z'],
    ['at its first instant', nightly, '2026-11-20T00:00:00Z', 'open until 2026-11-20T01:00:00.000Z'],
    ['at its end', nightly, '2026-11-20T01:00:00Z', 'closed until 2026-11-23T00:00:00.000Z'],
    [
      'before notBefore',
      { notBefore: '2026-11-20T10:00:00Z' },
      '2026-11-20T09:00:00Z',
      'closed until 2026-11-20T10:00:00.000Z',
    ],
    ['after notAfter', { notAfter: '2026-11-20T10:00:00Z' }, '2026-11-20T10:00:00Z', 'closed until undefined'],
    [
      'up to notAfter',
      { notAfter: '2026-11-20T10:00:00Z' },
      '2026-11-20T09:00:00Z',
      'open until 2026-11-20T10:00:00.000Z',
    ],
    [
      'notBefore inside a window',
      { ...nightly, notBefore: '2026-11-20T00:20:00Z' },
      '2026-11-20T00:00:00Z',
      'closed until 2026-11-20T00:20:00.000Z',
    ],
    [
      'notAfter inside a window',
      { ...nightly, notAfter: '2026-11-20T00:20:00Z' },
      '2026-11-20T00:10:00Z',
      'open until 2026-11-20T00:20:00.000Z',
    ],
    [
      'notAfter before the next window',
      { ...nightly, notAfter: '2026-11-22T00:00:00Z' },
      '2026-11-21T00:00:00Z',
      'closed until undefined',
    ],
    [
      'windows without a gap are one',
      {
        windows: [
          { schedule: '0 8 * * *', duration: '2h' },
          { schedule: '0 10 * * *', duration: '90m' },
        ],
      },
      '2026-11-20T09:00:00Z',
      'open until 2026-11-20T11:30:00.000Z',
    ],
    ['at notBefore', { notBefore: '2026-11-20T10:00:00Z' }, '2026-11-20T10:00:00Z', 'open until undefined'],
    [
      'a window that would open as notAfter comes',
      { ...nightly, notAfter: '2026-11-23T00:00:00Z' },
      '2026-11-21T00:00:00Z',
      'closed until undefined',
    ],
    [
      'windows that overlap end with the later',
      {
        windows: [
          { schedule: '0 8 * * *', duration: '4h' },
          { schedule: '0 9 * * *', duration: '1h' },
        ],
      },
      '2026-11-20T09:30:00Z',
      'open until 2026-11-20T12:00:00.000Z',
    ],
    [
      'before several windows',
      {
        windows: [
          { schedule: '0 10 * * *', duration: '1h' },
          { schedule: '0 8 * * *', duration: '1h' },
        ],
      },
      '2026-11-20T07:00:00Z',
      'closed until 2026-11-20T08:00:00.000Z',
    ],
    ...(['Asia/Tokyo', 'Europe/Berlin'] as const).map((timeZone): [string, object, string, string] => [
      `the same schedule in ${timeZone}`,
      { timeZone, windows: [{ schedule: '7 0 * * *', duration: '1h' }] },
      '2026-11-20T12:00:00Z',
      `closed until 2026-11-20T${timeZone === 'Asia/Tokyo' ? '15' : '23'}:07:00.000Z`,
    ]),
    [
      'a window that cannot be read',
      { windows: [{ schedule: '99 * * * *', duration: '1h' }] },
      '2026-11-20T09:00:00Z',
      'closed until undefined',
    ],
    [
      'a window over the end of summer time lasts as long as it says',
      { timeZone: 'Europe/Berlin', windows: [{ schedule: '0 1 * * *', duration: '3h' }] },
      '2026-10-24T23:30:00Z',
      'open until 2026-10-25T02:00:00.000Z',
    ],
  ])('%s', (_, availability, now, expected) => {
    expect(opening(availability, now)).toBe(expected);
  });

  test.each([
    ['2026-06-10T10:00:30Z', '2026-06-10T11:05:00.000Z'],
    ['2026-10-25T00:30:30Z', '2026-10-25T01:35:00.000Z'],
    ['2026-03-29T00:30:30Z', '2026-03-29T01:35:00.000Z'],
  ])('of windows that follow each other 64 are joined, and the rest when they have passed: %s', (now, until) => {
    const windows = Array.from({ length: 4 }, () => ({ schedule: '* * * * *', duration: '1m' }));
    expect(opening({ timeZone: 'Europe/Berlin', windows }, now)).toBe(`open until ${until}`);
  });

  test('the result for a binding is kept until its next change, whichever way the clock goes', () => {
    const availability = {
      notBefore: '2026-11-20T09:00:00Z',
      notAfter: '2026-11-20T12:00:00Z',
      windows: [{ schedule: '0 10 * * *', duration: '1h' }],
    };
    const made = { metadata: { name: 'b' }, spec: { availability } } as MatchedBinding;
    const isOpen = (now: string) => openingOf(made, at(`2026-11-20T${now}Z`)).open;
    expect(isOpen('08:00:00')).toBe(false);
    expect(isOpen('09:59:59')).toBe(false);
    expect(isOpen('10:00:00')).toBe(true);
    expect(isOpen('10:59:59')).toBe(true);
    expect(isOpen('11:00:00')).toBe(false);
    // Set back by an hour, and by another.
    expect(isOpen('10:00:00')).toBe(true);
    expect(isOpen('09:00:00')).toBe(false);
  });

  test('a binding is checked once, and not at each request', () => {
    let reads = 0;
    const spec = {
      get availability() {
        reads++;
        return nightly;
      },
    };
    const made = { metadata: { name: 'b' }, spec } as unknown as MatchedBinding;
    for (let i = 0; i < 10; i++) openingOf(made, at('2026-11-20T05:00:00Z') + i);
    expect(reads).toBe(1);
  });

  const grant = (text: string) => ({ 'azimuth.dev/grant-until': text });
  test.each([
    ['opens a closed binding', nightly, grant('2026-11-20T12:00:00Z'), 'open until 2026-11-20T12:00:00.000Z'],
    ['that has ended does not', nightly, grant('2026-11-20T08:00:00Z'), 'closed until 2026-11-23T00:00:00.000Z'],
    [
      'and a window end with the later of both',
      { notAfter: '2026-11-20T11:00:00Z' },
      grant('2026-11-20T12:00:00Z'),
      'open until 2026-11-20T12:00:00.000Z',
    ],
    [
      'does not shorten a window',
      { notAfter: '2026-11-20T12:00:00Z' },
      grant('2026-11-20T11:00:00Z'),
      'open until 2026-11-20T12:00:00.000Z',
    ],
    [
      'for a day that there is not does not',
      nightly,
      grant('2026-11-31T12:00:00Z'),
      'closed until 2026-11-23T00:00:00.000Z',
    ],
    ['that cannot be read does not', nightly, grant('tomorrow'), 'closed until 2026-11-23T00:00:00.000Z'],
    [
      'without availability is all there is',
      undefined,
      grant('2026-11-20T12:00:00Z'),
      'open until 2026-11-20T12:00:00.000Z',
    ],
    [
      'that has ended closes a binding without availability',
      undefined,
      grant('2026-11-20T08:00:00Z'),
      'closed until undefined',
    ],
    ['that ends now does not', nightly, grant('2026-11-20T09:00:00Z'), 'closed until 2026-11-23T00:00:00.000Z'],
    ['that ends now is over', undefined, grant('2026-11-20T09:00:00Z'), 'closed until undefined'],
    ['that cannot be read keeps it closed', undefined, grant('soon'), 'closed until undefined'],
  ])('a grant %s', (_, availability, annotations, expected) => {
    expect(opening(availability, '2026-11-20T09:00:00Z', annotations)).toBe(expected);
  });

  test('an unreadable or ended grant is reported with the reason', () => {
    const made = (text: string) => ({ metadata: { name: 'b', annotations: grant(text) } });
    expect(openingOf(made('soon'), 0)).toMatchObject({ reason: expect.stringContaining('no RFC 3339 time') });
    expect(openingOf(made('2026-11-20T09:00:00Z'), at('2026-11-21T09:00:00Z'))).toMatchObject({
      reason: 'the grant has ended',
    });
    expect([made('soon'), made('2026-11-20T09:00:00Z'), { metadata: { name: 'b' } }].map(grantReadable)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('windows that touch each other are open without end, over any period', () => {
    const always = { windows: [{ schedule: '0 * * * *', duration: '1h' }] };
    expect(opening(always, '2026-11-20T09:00:00Z')).toMatch(/open until 2026-11-22T/);
  });
});

describe('what is wrong with an availability', () => {
  const window = (schedule: string, duration = '1h') => ({ windows: [{ schedule, duration }] });
  test.each([
    ['nothing of one that says nothing', {}, undefined],
    ['nothing', { timeZone: 'Europe/Berlin', ...window('0 0 29 2 *', '90m') }, undefined],
    ['a field', window('0 25 * * *'), 'Invalid value for hour: 25'],
    ['a time zone', { timeZone: 'Mars/Olympus', ...window('0 1 * * *') }, 'timeZone'],
    ['a time zone without windows', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['a day that there is not', window('0 0 30 2 *'), 'names no day that there is'],
    ['a duration of nothing', window('0 0 * * *', '0h'), 'lasts no time'],
    ['an instant', { notAfter: '2026-02-30T00:00:00Z' }, 'notAfter is no RFC 3339 time'],
    [
      'a beginning that is the end',
      { notBefore: '2026-11-20T00:00:00Z', notAfter: '2026-11-20T00:00:00Z' },
      'notBefore is not earlier than notAfter',
    ],
    [
      'an end before the beginning',
      { notBefore: '2026-11-21T00:00:00Z', notAfter: '2026-11-20T00:00:00Z' },
      'notBefore is not earlier than notAfter',
    ],
  ] as const)('%s', (_, availability, expected) => {
    const problem = availabilityProblem(availability as unknown as Availability);
    if (expected === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(expected);
  });
});
