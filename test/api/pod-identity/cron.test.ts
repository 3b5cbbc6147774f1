import { describe, expect, test } from '@jest/globals';
import { cronSchedule } from '../../../runtime/api/pod-identity/cron.ts';

const at = Date.parse;
const iso = (instant: number | undefined) => instant && new Date(instant).toISOString();

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
