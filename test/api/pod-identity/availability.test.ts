import { describe, expect, test } from '@jest/globals';
import { availabilityProblem, grantReadable, openingOf } from '../../../runtime/api/pod-identity/availability.ts';
import type { Availability } from '../../../runtime/api/pod-identity/azure-identity-binding.ts';
import { cronSchedule } from '../../../runtime/api/pod-identity/cron.ts';
import type { MatchedBinding } from '../../../runtime/api/pod-identity/matching.ts';

const at = Date.parse;
const iso = (instant: number | undefined) => instant && new Date(instant).toISOString();

function opening(availability: object | undefined, now: string, annotations = {}) {
  const made = { metadata: { name: 'b', annotations }, spec: { availability } } as MatchedBinding;
  const result = openingOf(made, at(now));
  return result.open ? `open until ${iso(result.until)}` : `closed until ${iso(result.opensAt)}`;
}

describe('schedules', () => {
  test.each([
    ['0 0 * * mon-fri', 'UTC', '2026-11-20T05:00:00Z', '2026-11-23T00:00:00.000Z'],
    ['*/15 9-17 * * *', 'UTC', '2026-11-20T17:46:00Z', '2026-11-21T09:00:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['0 12 1 jan,jul *', 'UTC', '2026-02-01T00:00:00Z', '2026-07-01T12:00:00.000Z'],
    // Either day matches where both are restricted.
    ['0 0 13 * 5', 'UTC', '2026-11-10T00:00:00Z', '2026-11-13T00:00:00.000Z'],
    ['0 0 13 * 5', 'UTC', '2026-11-13T00:00:00Z', '2026-11-20T00:00:00.000Z'],
    ['0 0 * * 7', 'UTC', '2026-11-20T00:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['30 10,9 * * *', 'UTC', '2026-11-20T00:00:00Z', '2026-11-20T09:30:00.000Z'],
    ['0 0 * * fri-sun', 'UTC', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['0 0 * * 0-0', 'UTC', '2026-11-22T00:00:00Z', '2026-11-29T00:00:00.000Z'],
    ['0 0 31 * *', 'UTC', '2026-11-01T00:00:00Z', '2026-12-31T00:00:00.000Z'],
    ['@hourly', 'UTC', '2026-11-20T00:00:00Z', '2026-11-20T01:00:00.000Z'],
    ['0 9 * * *', 'Asia/Kolkata', '2026-11-20T00:00:00Z', '2026-11-20T03:30:00.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-03-07T20:00:00Z', '2026-03-08T13:00:00.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-03-06T20:00:00Z', '2026-03-07T14:00:00.000Z'],
    // 02:30 does not exist that day: it happens when the clocks have jumped.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    // 02:30 comes twice: it happens the first time.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    // Every hour is every hour.
    ['30 * * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00.000Z'],
    ['0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s after %s starts at %s', (schedule, zone, after, expected) => {
    expect(iso(cronSchedule(schedule, zone).next(at(after)))).toBe(expected);
  });

  /** Each has starts in an hour that a change of summer time skips or repeats. */
  const aroundChanges = [
    ['*/20 1-3 * * *', 'Europe/Berlin'],
    ['30 2 * * *', 'America/New_York'],
    ['0 * * * *', 'Australia/Lord_Howe'],
  ] as const;

  test('the last start is found backwards as it was found forwards', () => {
    for (const [schedule, zone] of aroundChanges) {
      const cron = cronSchedule(schedule, zone);
      for (const from of ['2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z', '2026-04-04T00:00:00Z']) {
        let start = cron.next(at(from));
        for (let i = 0; i < 60 && start !== undefined; i++) {
          const following: number = cron.next(start) ?? 0;
          expect(iso(cron.previous(following - 1))).toBe(iso(start));
          start = following;
        }
      }
    }
  });

  test.each([
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '*/0 * * * *',
    '5-1 * * * *',
    '0 22-6 * * *',
    '0 0 * * sat-mon',
    'x * * * *',
    '1/2/3 * * * *',
    '0 0 L * *',
    '0 0 1W * *',
    '0 0 * * 5#2',
    '? * * * *',
    '0 0 1 * +1',
    '@reboot',
  ])('%s is refused', (schedule) => {
    expect(() => cronSchedule(schedule)).toThrow(/schedule/);
  });

  test.each([
    // A day that begins with `*` is no restriction, so that both days must match; otherwise either may.
    ['0 0 */2 * mon', '2026-11-10T00:00:00Z', '2026-11-23T00:00:00.000Z'],
    ['0 0 1-31/2 * mon', '2026-11-10T00:00:00Z', '2026-11-11T00:00:00.000Z'],
    ['5/20 * * * *', '2026-11-10T00:30:00Z', '2026-11-10T00:45:00.000Z'],
    ['0 0 30 2 *', '2026-11-10T00:00:00Z', undefined],
    ['0 0 31 2,4,jun,9,11 *', '2026-11-10T00:00:00Z', undefined],
    ['0 0 31,* 2 *', '2026-11-10T00:00:00Z', '2027-02-01T00:00:00.000Z'],
  ])('%s after %s starts at %s', (schedule, after, expected) => {
    expect(iso(cronSchedule(schedule).next(at(after)))).toBe(expected);
  });

  test('the last start may be the instant itself', () => {
    expect(iso(cronSchedule('0 9 * * *').previous(at('2026-11-20T09:00:00.000Z')))).toBe('2026-11-20T09:00:00.000Z');
    expect(iso(cronSchedule('0 9 * * *').previous(at('2026-11-20T08:59:59.999Z')))).toBe('2026-11-19T09:00:00.000Z');
    expect(cronSchedule('0 0 30 2 *').previous(0)).toBeUndefined();
  });

  test('an unknown zone is refused', () => {
    expect(() => cronSchedule('* * * * *', 'Mars/Olympus')).toThrow(/timeZone/);
  });
});

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
