import type { TemplateValue } from '../values/value.ts';
import { type Call, type FunctionTable, fail, intAt, stringAt } from './function-spec.ts';
import { formatDate } from './text/date-format.ts';

/** The first and the last moment that .NET's dates have. */
const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.UTC(9999, 11, 31, 23, 59, 59, 999)];
const roundTrip = 'yyyy-MM-ddTHH:mm:ssZ';
const day = 86_400_000;

const dateForm =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.(\d{1,7}))?)?)? ?(Z|[+-]\d{2}:?\d{2})?$/i;
/** `04/07/2020 14:53:14`, as .NET's short formats of dates have it. */
const shortForm = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?=$| )/;
/** `Tue, 07 Apr 2020 14:53:14 GMT` */
const mailForm = /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;
const monthNames = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The other forms of `utcNow()` in the form of ISO 8601. */
function isoText(text: string): string {
  const padded = (part: string) => part.padStart(2, '0');
  const iso = text.replace(shortForm, (_, month, date, year) => `${year}-${padded(month)}-${padded(date)}`);
  return iso.replace(mailForm, (_, date, name, year, time) => {
    return `${year}-${padded(String(monthNames.indexOf(name) / 3 + 1))}-${padded(date)} ${time}Z`;
  });
}

/** Milliseconds since 1970 of a moment in ISO 8601, or in a form of .NET; undefined for another text. Without an offset it is UTC. */
function momentOf(text: string): number | undefined {
  const [, year, month, date, hour = '0', minute = '0', second = '0', part = '0', offset = 'Z'] =
    dateForm.exec(isoText(text.trim())) ?? [];
  if (year === undefined) return undefined;
  const numbers = [year, month, date, hour, minute, second].map(Number);
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = numbers;
  const at = new Date(0);
  at.setUTCFullYear(y, m - 1, d);
  at.setUTCHours(h, min, s, Math.floor(Number(`0.${part}`) * 1000));
  const isDate = at.getUTCMonth() === m - 1 && at.getUTCDate() === d && h < 24 && min < 60 && s < 60;
  if (!isDate) return undefined;
  const [sign, hours, minutes] = [offset[0], offset.slice(1, 3), offset.slice(-2)];
  const shift = /^z$/i.test(offset) ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return at.getTime() - shift;
}

const durationForm =
  /^(-)?P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,7})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,7})?)S)?)?$/;

/** Milliseconds of a duration in ISO 8601. A year has 365 days and a month 30, whatever the calendar says. */
function durationOf(text: string): number | undefined {
  const [whole, sign, years, months, days, hours, minutes, seconds] = durationForm.exec(text.trim()) ?? [];
  if (whole === undefined || /[PT]$/.test(whole)) return undefined;
  const of = (value: string | undefined, unit: number) => Number(value ?? 0) * unit;
  const total =
    of(years, 365 * day) +
    of(months, 30 * day) +
    of(days, day) +
    of(hours, 3_600_000) +
    of(minutes, 60_000) +
    Math.round(of(seconds, 1000));
  return sign === '-' ? -total : total;
}

function momentAt(args: readonly TemplateValue[], index: number, call: Call): number {
  return momentOf(stringAt(args, index, call)) ?? fail(call, `argument ${index + 1} is no date and time of ISO 8601`);
}

function bounded(moment: number, call: Call): number {
  return moment >= earliest && moment <= latest ? moment : fail(call, 'the result is not between the years 1 and 9999');
}

/** The text of a moment; fails for a format that does not exist. */
export function dateText(moment: number, format: string, call: Call): string {
  call.run.budget.step(format.length);
  const text = formatDate(moment, format) ?? fail(call, `the format '${format.slice(0, 20)}' does not exist`);
  call.run.budget.produce(text.length);
  return text;
}

/** Functions of dates and times. */
export const dates: FunctionTable = {
  dateTimeAdd: {
    arity: [2, 3],
    doc: 'A moment and a duration of ISO 8601; a year is 365 days and a month 30. The third argument is a .NET format.',
    evaluate: (args, call) => {
      const base = momentAt(args, 0, call);
      const duration = durationOf(stringAt(args, 1, call)) ?? fail(call, 'argument 2 is no duration of ISO 8601');
      const format = args[2] === undefined ? roundTrip : stringAt(args, 2, call);
      return dateText(bounded(base + duration, call), format, call);
    },
  },
  dateTimeFromEpoch: {
    arity: [1, 1],
    doc: 'The moment of so many seconds since 1970.',
    evaluate: (args, call) => dateText(bounded(intAt(args, 0, call) * 1000, call), roundTrip, call),
  },
  dateTimeToEpoch: {
    arity: [1, 1],
    doc: 'The seconds since 1970 of a moment in ISO 8601.',
    evaluate: (args, call) => Math.floor(momentAt(args, 0, call) / 1000),
  },
};
