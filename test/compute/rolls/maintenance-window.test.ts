import { expect, test } from '@jest/globals';
import { maintenanceWindowOf, windowState } from '../../../runtime/compute/rolls/maintenance-window.ts';
import { ianaZone } from '../../../runtime/compute/rolls/time-zones.ts';

const windowOf = (change: object = {}) => {
  const window = maintenanceWindowOf({
    maintenanceWindow: {
      startDateTime: '2026-01-01 22:00',
      duration: '05:00',
      timeZone: 'UTC',
      recurEvery: 'Day',
      ...change,
    },
  });
  if (typeof window === 'string') throw new Error(window);
  return window;
};

/** When the window opens after a time, or `open`, or `never`. */
const at = (change: object, time: string) => {
  const state = windowState(windowOf(change), Date.parse(time));
  if (state.isOpen) return 'open';
  return state.opensAt === undefined ? 'never' : new Date(state.opensAt).toISOString().slice(0, 16);
};

/** The next openings after a time. */
const next = (change: object, after: string, count: number) => {
  const window = windowOf(change);
  const days: string[] = [];
  for (let time = Date.parse(after); days.length < count; ) {
    const state = windowState(window, time);
    if (state.isOpen) {
      time += 60_000;
      continue;
    }
    if (state.opensAt === undefined) break;
    days.push(new Date(state.opensAt).toISOString().slice(0, 10));
    time = state.opensAt;
  }
  return days.join(' ');
};

test.each([
  ['2026-06-01T21:59:59.999Z', '2026-06-01T22:00'],
  ['2026-06-01T22:00:00Z', 'open'],
  ['2026-06-02T02:59:59.999Z', 'open'],
  ['2026-06-02T03:00:00Z', '2026-06-02T22:00'],
  ['2025-11-11T23:00:00Z', '2026-01-01T22:00'],
])('a daily window at %s: %s', (time, expected) => {
  expect(at({}, time)).toBe(expected);
});

test.each([
  ['3Days', '2026-01-01 2026-01-04 2026-01-07'],
  ['Week', '2026-01-01 2026-01-08 2026-01-15'],
  ['Week Sat,Sun', '2026-01-03 2026-01-04 2026-01-10'],
  ['3Weeks Saturday,Sunday', '2026-01-03 2026-01-04 2026-01-24'],
  ['2 Weeks Monday', '2026-01-12 2026-01-26 2026-02-09'],
  ['Month', '2026-01-01 2026-02-01 2026-03-01'],
  ['Month day23,day24', '2026-01-23 2026-01-24 2026-02-23'],
  ['Month day31', '2026-01-31 2026-03-31 2026-05-31'],
  ['2Months day1', '2026-01-01 2026-03-01 2026-05-01'],
  ['Month Last Sunday', '2026-01-25 2026-02-22 2026-03-29'],
  ['Month Last Sunday Offset-3', '2026-01-22 2026-02-19 2026-03-26'],
  ['Month Fourth Monday', '2026-01-26 2026-02-23 2026-03-23'],
  ['Month Third Sunday Offset6', '2026-01-24 2026-02-21 2026-03-21'],
  ['Month Last Saturday Offset6', '2026-02-06 2026-03-06 2026-04-03'],
  ['2Months First Monday Offset-6', '2026-02-24 2026-04-28 2026-06-30'],
  ['12Months day29', '2026-01-29 2027-01-29 2028-01-29'],
])('the first windows of %s', (recurEvery, expected) => {
  expect(next({ recurEvery }, '2025-12-01T00:00:00Z', 3)).toBe(expected);
});

test('a window keeps its local time as clocks change', () => {
  const berlin = { timeZone: 'W. Europe Standard Time', startDateTime: '2026-01-01 02:30', duration: '02:00' };
  expect(at(berlin, '2026-03-27T12:00:00Z')).toBe('2026-03-28T01:30');
  // 02:30 does not exist on that day, and is 03:30 of summer time.
  expect(at(berlin, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30');
  expect(at(berlin, '2026-03-29T12:00:00Z')).toBe('2026-03-30T00:30');
  // 02:30 comes twice.
  expect(at(berlin, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30');
  expect(at(berlin, '2026-10-25T02:29:00Z')).toBe('open');
  expect(at(berlin, '2026-10-25T02:30:00Z')).toBe('2026-10-26T01:30');
});

test('a day is that of the zone, also where UTC has another one', () => {
  const friday = { startDateTime: '2026-01-02 08:00', recurEvery: 'Week Friday' };
  expect(at({ ...friday, timeZone: 'Tokyo Standard Time' }, '2026-06-01T00:00:00Z')).toBe('2026-06-04T23:00');
  const evening = { startDateTime: '2026-01-02 20:00', recurEvery: 'Week Friday', timeZone: 'Pacific Standard Time' };
  expect(at(evening, '2026-06-06T04:00:00Z')).toBe('open');
});

test('there is no window from the expiration', () => {
  const ends = { expirationDateTime: '2026-06-02 01:00' };
  expect(at(ends, '2026-06-02T00:59:00Z')).toBe('open');
  expect(at(ends, '2026-06-02T01:00:00Z')).toBe('never');
  expect(at({ expirationDateTime: '9999-12-31 23:59' }, '2026-06-02T01:00:00Z')).toBe('open');
  expect(at({ startDateTime: '2026-02-01 00:00', recurEvery: '12Months day30' }, '2026-06-01T00:00:00Z')).toBe('never');
});

test('windows longer than a day overlap, and one without a duration is open for five hours', () => {
  expect(at({ duration: '36:00' }, '2026-06-01T12:00:00Z')).toBe('open');
  expect(at({ duration: undefined }, '2026-06-01T02:59:00Z')).toBe('open');
  expect(at({ duration: undefined }, '2026-06-01T03:00:00Z')).toBe('2026-06-01T22:00');
});

test.each([
  [{ timeZone: 'Mars Standard Time' }, 'the time zone "Mars Standard Time" is unknown'],
  [{ timeZone: 'constructor' }, 'the time zone "constructor" is unknown'],
  [{ timeZone: 7 }, 'the time zone "" is unknown'],
  [{ startDateTime: '2026-02-30 10:00' }, 'startDateTime'],
  [{ startDateTime: '2026-02-03 25:00' }, 'startDateTime'],
  [{ expirationDateTime: 'never' }, 'expirationDateTime'],
  [{ duration: '00:00' }, 'duration'],
  [{ duration: '5 hours' }, 'duration'],
  [{ recurEvery: undefined }, 'recurEvery'],
  [{ recurEvery: '0Days' }, 'recurEvery'],
  [{ recurEvery: 'Day Sunday' }, 'recurEvery'],
  [{ recurEvery: 'Week Someday' }, 'recurEvery'],
  [{ recurEvery: 'Month day0' }, 'recurEvery'],
  [{ recurEvery: 'Month Fifth Monday' }, 'recurEvery'],
  [{ recurEvery: 'Month First Monday Offset7' }, 'recurEvery'],
  [{ recurEvery: 'Fortnight' }, 'recurEvery'],
])('%j cannot be read', (change, message) => {
  expect(() => windowOf(change)).toThrow(message);
  expect(typeof maintenanceWindowOf({})).toBe('string');
});

test('each zone of the table is one of this runtime', () => {
  for (const name of ['UTC', 'Pacific Standard Time', 'W. Europe Standard Time', 'Cen. Australia Standard Time']) {
    const timeZone = ianaZone(name);
    expect(timeZone).toBeDefined();
    expect(() => new Intl.DateTimeFormat('en-US', { timeZone })).not.toThrow();
  }
});
