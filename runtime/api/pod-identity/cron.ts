import { expected } from '../../base/errors.ts';

/**
 * Cron schedules in a time zone: five fields (minute, hour, day of month, month, day of week) with lists, ranges, steps
 * and English names, and the usual `@` words. As in Vixie cron, when both days are restricted either may match.
 *
 * Daylight saving: a time that the clocks jump over happens right after the jump; one that they pass twice happens the
 * first time. Schedules of every hour follow the clock instead: nothing is moved, and both passes count.
 */
export interface CronSchedule {
  /** The last start at or before `instant` and not before `earliest`; milliseconds since the epoch. */
  previous(instant: number, earliest: number): number | undefined;
  /** The first start after `instant`; undefined when there is none within about eight years. */
  next(instant: number): number | undefined;
  /** Every start after `from` up to and with `to`, ascending; each of their days is gone through. */
  between(from: number, to: number): number[];
}

const words: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const day = 86_400_000;
const hour = 3_600_000;
/** From one 29 February to the next, over a year like 2100 that has none. */
const farthestDays = 8 * 366;

/** Parses a schedule. Throws AZ_CONFIG_INVALID that names the field, or the zone. */
export function cronSchedule(text: string, timeZone = 'UTC'): CronSchedule {
  const fields = (words[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) throw expected('schedule', 'the five fields of cron', text);
  const [minutes, hours, monthDays, monthNumbers, rawWeekdays] = [
    parseField(fields[0], 0, 59, text),
    parseField(fields[1], 0, 23, text),
    parseField(fields[2], 1, 31, text),
    parseField(fields[3], 1, 12, text, months, 1),
    parseField(fields[4], 0, 7, text, weekdays),
  ] as const;
  const weekDays = new Set([...rawWeekdays].map((value) => value % 7));
  const anyMonthDay = fields[2]?.startsWith('*') ?? false;
  const anyWeekDay = fields[4]?.startsWith('*') ?? false;
  const everyHour = hours.size === 24;
  const times = [...hours]
    .flatMap((h) => [...minutes].map((m) => h * hour + m * 60_000))
    .sort((one, other) => one - other);
  const offsetAt = zoneOffset(timeZone);

  const dayMatches = (date: Date) => {
    if (!monthNumbers.has(date.getUTCMonth() + 1)) return false;
    const byMonth = monthDays.has(date.getUTCDate());
    const byWeek = weekDays.has(date.getUTCDay());
    return anyMonthDay || anyWeekDay ? byMonth && byWeek : byMonth || byWeek;
  };
  /** When the zone changes from the offset of `low` to that of `high`; zones do so at whole minutes. */
  const changeBetween = (low: number, high: number): number => {
    const before = offsetAt(low);
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000;
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  };
  /** Ascending. */
  const startsOfDay = (date: number): number[] => {
    if (!dayMatches(new Date(date))) return [];
    const [dayBefore, dayAfter] = [date - day, date + 2 * day];
    const [before, after] = [offsetAt(dayBefore), offsetAt(dayAfter)];
    if (before === after) return times.map((time) => date + time - before);
    // Looked up once: a schedule of every minute has thousands of times around a change.
    const change = changeBetween(dayBefore, dayAfter);
    const starts = new Set<number>();
    for (const time of times) {
      const [early, late] = [date + time - before, date + time - after];
      const valid = [...(early < change ? [early] : []), ...(late >= change ? [late] : [])];
      if (valid.length === 0 && !everyHour) valid.push(change);
      for (const at of everyHour ? valid : valid.slice(0, 1)) starts.add(at);
    }
    return [...starts].sort((a, b) => a - b);
  };
  /** The date, or the first one after it that is in a month of the schedule; years have such a month, whatever it is. */
  const firstDayFrom = (date: number): number => {
    for (let at = new Date(date); ; at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)))
      if (monthNumbers.has(at.getUTCMonth() + 1)) return at.getTime();
  };
  const lastDayBefore = (date: number): number => {
    for (let at = new Date(date); ; at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 0)))
      if (monthNumbers.has(at.getUTCMonth() + 1)) return at.getTime();
  };
  const dateOf = (instant: number) => Math.floor((instant + offsetAt(instant)) / day) * day;

  return {
    previous(instant, earliest) {
      const firstDate = dateOf(earliest) - day;
      for (let date = dateOf(instant) + day; date >= firstDate; date -= day) {
        date = lastDayBefore(date);
        const found = startsOfDay(date).findLast((at) => at <= instant);
        if (found !== undefined) return found >= earliest ? found : undefined;
      }
      return undefined;
    },
    next(instant) {
      const first = dateOf(instant) - day;
      for (let date = first; date <= first + farthestDays * day; date += day) {
        date = firstDayFrom(date);
        const found = startsOfDay(date).find((at) => at > instant);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    between(from, to) {
      const found: number[] = [];
      for (let date = dateOf(from) - day; date <= dateOf(to) + day; date += day) {
        for (const at of startsOfDay(date)) if (at > from && at <= to) found.push(at);
      }
      return ascending(found) ? found : found.sort((a, b) => a - b);
    },
  };
}

function parseField(
  field: string | undefined,
  least: number,
  most: number,
  whole: string,
  names: readonly string[] = [],
  firstName = 0,
): Set<number> {
  const wrong = () => expected(`schedule ${whole}`, `a field of numbers from ${least} to ${most}`, field);
  const number = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    const value = named >= 0 ? named + firstName : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw wrong();
    return value;
  };
  const values = new Set<number>();
  for (const part of (field ?? '').split(',')) {
    const [range = '', stepText, ...more] = part.split('/');
    const step = stepText === undefined ? 1 : /^\d{1,2}$/.test(stepText) ? Number(stepText) : 0;
    if (step < 1 || more.length > 0) throw wrong();
    const [fromText = '', toText, ...others] = range === '*' ? [String(least), String(most)] : range.split('-');
    if (others.length > 0) throw wrong();
    const from = number(fromText);
    const last = toText === undefined ? (stepText === undefined ? from : most) : number(toText);
    // A week may end with Sunday: fri-sun.
    const to = most === 7 && last === 0 && from > 0 ? 7 : last;
    if (to < from) throw wrong();
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

/** By time zone. */
const zones = new Map<string, (instant: number) => number>();

/** Milliseconds that local time is ahead of UTC at an instant. */
function zoneOffset(timeZone: string): (instant: number) => number {
  if (/^(UTC|Etc\/UTC)$/i.test(timeZone)) return () => 0;
  let offsetAt = zones.get(timeZone);
  if (!offsetAt) {
    offsetAt = makeZoneOffset(timeZone);
    if (zones.size >= 100) zones.clear();
    zones.set(timeZone, offsetAt);
  }
  return offsetAt;
}

function ascending(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
}

/** Making a format takes longer than a hundred uses of it. */
function makeZoneOffset(timeZone: string): (instant: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw expected('timeZone', 'the IANA name of a time zone, such as Europe/Berlin', timeZone);
  }
  const known = new Map<number, number>();
  const compute = (instant: number): number => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
    const { year = 0, month = 1, day: date = 1, hour: h = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, date, h, minute, second) - Math.floor(instant / 1000) * 1000;
  };
  return (instant) => {
    let offset = known.get(instant);
    if (offset === undefined) {
      offset = compute(instant);
      if (known.size >= 5000) known.clear();
      known.set(instant, offset);
    }
    return offset;
  };
}
