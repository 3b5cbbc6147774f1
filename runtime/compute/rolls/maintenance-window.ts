/** The window of a maintenance configuration, as Microsoft.Maintenance writes it: when it is open, and opens next. */
import { isObject, type JsonObject } from '../../base/json.ts';
import { ianaZone, instantOf, localTime } from './time-zones.ts';

/** A window. Local times are those of `time-zones.ts`; numbers of days count from 1970-01-01. */
export interface MaintenanceWindow {
  /** IANA name. */
  readonly zone: string;
  /** Local time of the start of the schedule; the windows open at its time of day. */
  readonly start: number;
  /** The instant from which there is no window. */
  readonly expiration: number | undefined;
  readonly durationMs: number;
  /** Whether a window opens on this day, before the start of the schedule as well. */
  readonly occursOn: (dayNumber: number) => boolean;
}

/** The state of a window at one time. `opensAt` in milliseconds since the epoch; undefined where it never opens again. */
export type WindowState = { readonly isOpen: true } | { readonly isOpen: false; readonly opensAt: number | undefined };

const dayMs = 86_400_000;
/** Days in which the next window is searched: 29 February comes every eight years at least. */
const horizonDays = 3660;
/** Azure requires five hours of a window for images. */
const defaultDuration = '05:00';
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weeks = ['first', 'second', 'third', 'fourth'];

/** The window in the `properties` of a maintenance configuration, or why it cannot be read. */
export function maintenanceWindowOf({ maintenanceWindow }: JsonObject): MaintenanceWindow | string {
  const given = isObject(maintenanceWindow) ? maintenanceWindow : {};
  const text = (name: string) => (typeof given[name] === 'string' ? given[name].trim().slice(0, 100) : undefined);
  const zone = ianaZone(text('timeZone') ?? '');
  if (zone === undefined) return `the time zone ${JSON.stringify(text('timeZone') ?? '')} is unknown`;
  const start = localOf(text('startDateTime') ?? '');
  if (start === undefined) return 'startDateTime is no time of the form YYYY-MM-DD HH:mm';
  const durationMs = durationOf(text('duration') ?? defaultDuration);
  if (durationMs === undefined) return 'duration is no time of the form HH:mm';
  const until = text('expirationDateTime');
  const end = until === undefined ? undefined : localOf(until);
  if (until !== undefined && end === undefined) return 'expirationDateTime is no time of the form YYYY-MM-DD HH:mm';
  const occursOn = recurrenceOf(text('recurEvery') ?? '', Math.floor(start / dayMs));
  if (occursOn === undefined) return 'recurEvery is no recurrence of days, weeks or months';
  return { zone, start, expiration: end === undefined ? undefined : instantOf(end, zone), durationMs, occursOn };
}

/** Whether a window is open at an instant, and otherwise when it opens. */
export function windowState(window: MaintenanceWindow, now: number): WindowState {
  const { zone, start, expiration = Number.POSITIVE_INFINITY, durationMs, occursOn } = window;
  const timeOfDay = start - Math.floor(start / dayMs) * dayMs;
  const earliest = Math.max(start, localTime(now - durationMs, zone) - dayMs);
  const firstDay = Math.floor(earliest / dayMs);
  for (let day = firstDay; day < firstDay + horizonDays; day++) {
    if (!occursOn(day) || day * dayMs + timeOfDay < start) continue;
    const opensAt = instantOf(day * dayMs + timeOfDay, zone);
    if (opensAt >= expiration) break;
    if (now >= Math.min(expiration, opensAt + durationMs)) continue;
    return now >= opensAt ? { isOpen: true } : { isOpen: false, opensAt };
  }
  return { isOpen: false, opensAt: undefined };
}

function localOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)) return undefined;
  const local = Date.parse(`${text.replace(' ', 'T')}:00Z`);
  // A day such as 30 February.
  return Number.isNaN(local) || !new Date(local).toISOString().startsWith(text.slice(0, 10)) ? undefined : local;
}

function durationOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text) ?? [];
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return ms > 0 ? ms : undefined;
}

/** Weeks begin on Monday. */
function recurrenceOf(text: string, startDay: number): MaintenanceWindow['occursOn'] | undefined {
  const [, number = '1', unit = '', rest = ''] =
    /^(\d{1,3})? ?(day|week|month)s?(?: (.*))?$/.exec(text.toLowerCase()) ?? [];
  const every = Number(number);
  if (every < 1) return undefined;
  const recurs = (value: number, first: number) => value >= first && (value - first) % every === 0;
  if (unit === 'day') return rest === '' ? (day) => recurs(day, startDay) : undefined;
  if (unit === 'week') {
    const days = rest === '' ? [weekdayOf(startDay)] : listOf(rest, weekdayIn);
    return days && ((day) => days.includes(weekdayOf(day)) && recurs(weekOf(day), weekOf(startDay)));
  }
  if (unit !== 'month') return undefined;
  const isMonth = (day: number) => recurs(monthOf(day), monthOf(startDay));
  const relative = relativeDay(rest);
  if (relative) return (day) => relative.matches(day - relative.offset) && isMonth(day - relative.offset);
  const dates = rest === '' ? [dateOf(startDay)] : listOf(rest, dateIn);
  return dates && ((day) => dates.includes(dateOf(day)) && isMonth(day));
}

/** `Last Sunday Offset-3`: a weekday of a month, and the days from it to the window. */
function relativeDay(text: string) {
  const [, week = '', name = '', days = '0'] =
    /^(first|second|third|fourth|last) ([a-z]+)(?: offset ?([+-]?[0-6]))?$/.exec(text) ?? [];
  const weekday = weekdayIn(name);
  if (weekday === undefined) return undefined;
  const isWeek = (day: number) =>
    week === 'last' ? monthOf(day + 7) !== monthOf(day) : Math.ceil(dateOf(day) / 7) === weeks.indexOf(week) + 1;
  return { offset: Number(days), matches: (day: number) => weekdayOf(day) === weekday && isWeek(day) };
}

/** The values of a list that commas separate; undefined if one has none. */
function listOf(text: string, valueIn: (item: string) => number | undefined): readonly number[] | undefined {
  const values = text.split(',').map((item) => valueIn(item.trim()));
  return values.every((value) => value !== undefined) ? values : undefined;
}

function weekdayIn(name: string): number | undefined {
  const index = weekdays.findIndex((each) => name === each || name === each.slice(0, 3));
  return index < 0 ? undefined : index;
}

function dateIn(item: string): number | undefined {
  const date = Number(/^day(\d{1,2})$/.exec(item)?.[1]);
  return date >= 1 && date <= 31 ? date : undefined;
}

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7;
const weekOf = (day: number) => Math.floor((day + 3) / 7);
const dateOf = (day: number) => new Date(day * dayMs).getUTCDate();
const monthOf = (day: number) => {
  const date = new Date(day * dayMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
