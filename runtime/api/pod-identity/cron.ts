import { Cron } from 'croner';
import { expected, messageOf } from '../../base/errors.ts';

/**
 * A cron schedule in a time zone: five fields (minute, hour, day of month, month, day of week) with lists, ranges, steps
 * and English names, or an `@` word. Where both days are restricted either may match; a day that begins with `*` does
 * not count as restricted, as in Vixie cron. Starts are at whole minutes.
 *
 * Daylight saving: a time that the clocks jump over starts right after the jump; a time that they pass twice starts the
 * first time. Schedules of every hour follow the clock instead: nothing is moved, and both passes count. Where the clocks
 * jump at midnight (America/Havana), a schedule with a day of week has no start in the hour that they jump over.
 */
export interface CronSchedule {
  /** The last start at or before `instant`, milliseconds since the epoch; undefined where there is none. */
  previous(instant: number): number | undefined;
  /** The first start after `instant`, milliseconds since the epoch; undefined where there is none. */
  next(instant: number): number | undefined;
}

const atWord = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;
/** An item of a field. The extensions of croner (`L`, `W`, `#`, `?`, `+`) are not part of the API. */
const numbers = /^(\*|\d{1,2}(-\d{1,2})?)(\/\d{1,2})?$/;
const numbersOrNames = /^(\*|(\d{1,2}|[a-z]{3})(-(\d{1,2}|[a-z]{3}))?)(\/\d{1,2})?$/i;
const itemForms = [numbers, numbers, numbers, numbersOrNames, numbersOrNames];

/** Parses a schedule. Throws AZ_CONFIG_INVALID that names the schedule, or the zone. */
export function cronSchedule(text: string, timeZone = 'UTC'): CronSchedule {
  requireTimeZone(timeZone);
  const trimmed = text.trim();
  const fields = trimmed.split(/\s+/);
  const isWord = atWord.test(trimmed);
  if (!isWord && fields.length !== 5) throw expected('schedule', 'the five fields of cron', text);
  for (const [index, field] of isWord ? [] : fields.entries()) {
    const wrong = field.split(',').find((item) => !itemForms[index]?.test(item));
    if (wrong !== undefined)
      throw expected(`schedule ${text}`, 'fields of numbers, lists, ranges, steps, names', field);
  }
  const [, , days = '*', months = '*', weekdays = '*'] = isWord ? [] : fields;
  const options = { timezone: timeZone, paused: true } as const;
  let cron: Cron;
  try {
    const domAndDow = days.startsWith('*') || weekdays.startsWith('*');
    cron = new Cron(trimmed, { ...options, mode: isWord ? 'auto' : '5-part', domAndDow, sloppyRanges: true });
  } catch (error) {
    throw expected(`schedule ${text}`, `the five fields of cron (${messageOf(error)})`, text);
  }
  // Croner would search a thousand years for such a day.
  if (!namesADay(days, months, weekdays)) return { previous: () => undefined, next: () => undefined };
  return {
    previous: (instant) => cron.previousRuns(1, new Date(Math.floor(instant / 1000) * 1000 + 1000))[0]?.getTime(),
    next: (instant) => cron.nextRun(new Date(instant))?.getTime(),
  };
}

/** Whether a year can have such a day: `30 2` names none. */
function namesADay(days: string, months: string, weekdays: string): boolean {
  const restricted = !days.startsWith('*');
  const earliest = restricted ? Math.min(...days.split(',').map((item) => Number.parseInt(item, 10) || 1)) : 1;
  if (earliest <= 29 || !weekdays.startsWith('*')) return true;
  const longEnough = earliest === 30 ? [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 3, 5, 7, 8, 10, 12];
  const inMonths = new Cron(`* * * ${months} *`, { timezone: 'UTC', paused: true, mode: '5-part', sloppyRanges: true });
  return longEnough.some((month) => inMonths.match(new Date(Date.UTC(2024, month - 1, 1))));
}

function requireTimeZone(timeZone: string): void {
  if (timeZone === 'UTC') return;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
  } catch {
    throw expected('timeZone', 'the IANA name of a time zone, such as Europe/Berlin', timeZone);
  }
}
