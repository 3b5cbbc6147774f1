import { LRUCache } from 'lru-cache';
import { messageOf } from '../../base/errors.ts';
import type { Availability } from './azure-identity-binding.ts';
import { type CronSchedule, cronSchedule } from './cron.ts';
import type { MatchedBinding } from './matching.ts';

/** Opens a binding until this instant (RFC 3339), whatever its availability; without the annotation the binding is closed again. */
export const grantAnnotation = 'azimuth.dev/grant-until';

/** Whether a binding's availability window is open, and when that changes. */
export type Opening =
  /** `until`: when it closes, milliseconds since the epoch; undefined = not within sight. */
  | { readonly open: true; readonly until: number | undefined }
  /** `opensAt`: undefined when it will not open by itself. */
  | { readonly open: false; readonly opensAt: number | undefined; readonly reason: string };

interface Window {
  readonly schedule: CronSchedule;
  readonly durationMs: number;
}

/** Windows that follow each other without a gap are joined up to this far ahead, milliseconds. */
const sight = 48 * 3_600_000;
/** Searches in schedules for one decision, 0.1 to 0.3 ms each, that join windows; a window an hour takes 48. */
const mostSteps = 64;
/** A decision holds until the next change; objects of the cache are replaced, never modified. */
const decided = new WeakMap<
  MatchedBinding,
  { readonly opening: Opening; readonly from: number; readonly to: number }
>();
/** Well below `sight`, so that windows without a gap never seem to end. */
const longestDecision = 3_600_000;
/** Parsed schedules by zone and text; each takes 80 KB, as croner has a member for each year. */
const parsed = new LRUCache<string, CronSchedule>({ max: 64 });

/**
 * Whether a binding may be used at `now`. Without availability it is open, or as long as a grant lasts where there is
 * one. With it, it is open within notBefore and notAfter and, if there are windows, within one of them; a grant adds
 * to that. A value that cannot be parsed keeps it closed.
 */
export function openingOf(binding: MatchedBinding, now: number): Opening {
  const known = knownOpening(binding, now);
  if (known) return known;
  const opening = decide(binding, now);
  const change = opening.open ? opening.until : opening.opensAt;
  decided.set(binding, { opening, from: now, to: Math.min(change ?? Number.POSITIVE_INFINITY, now + longestDecision) });
  return opening;
}

/** The opening at `now` where it was computed before and still holds; undefined where `openingOf` would have to compute it. */
export function knownOpening(binding: MatchedBinding, now: number): Opening | undefined {
  const opening = decided.get(binding);
  return opening && now >= opening.from && now < opening.to ? opening.opening : undefined;
}

/**
 * Why a binding's availability is invalid: an unreadable part, or a window that never opens. Undefined where all of it is
 * valid.
 */
export function availabilityProblem({ notBefore, notAfter, windows, timeZone }: Availability): string | undefined {
  try {
    const from = notBefore === undefined ? Number.NEGATIVE_INFINITY : readable('notBefore', notBefore);
    const to = notAfter === undefined ? Number.POSITIVE_INFINITY : readable('notAfter', notAfter);
    if (from >= to) return 'notBefore is not earlier than notAfter';
    // Reported without windows too: it is a typing error.
    if (timeZone !== undefined) cronSchedule('@daily', timeZone);
    for (const { schedule, duration } of windows ?? []) {
      const window = readWindow(schedule, duration, timeZone);
      if (window.durationMs === 0) return `the window ${schedule} lasts no time: ${duration}`;
      if (window.schedule.next(0) === undefined) return `the schedule ${schedule} names no day that there is`;
    }
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether the text of a grant, if there is one, can be read. */
export function grantReadable({ metadata }: MatchedBinding): boolean {
  const text = metadata.annotations?.[grantAnnotation];
  return text === undefined || !Number.isNaN(instant(text));
}

function decide(binding: MatchedBinding, now: number): Opening {
  const availability = binding.spec?.availability;
  const text = binding.metadata.annotations?.[grantAnnotation];
  const grant = text === undefined ? undefined : instant(text);
  if (!availability) {
    if (text === undefined) return { open: true, until: undefined };
    if (Number.isNaN(grant)) return closed(undefined, `the annotation ${grantAnnotation} is no RFC 3339 time`);
    return now < (grant ?? 0) ? { open: true, until: grant } : closed(undefined, 'the grant has ended');
  }
  let regular: Opening;
  try {
    regular = regularOpening(availability, now);
  } catch (error) {
    regular = closed(undefined, messageOf(error));
  }
  if (grant === undefined || !(now < grant)) return regular;
  if (!regular.open) return { open: true, until: grant };
  return { open: true, until: regular.until === undefined ? undefined : Math.max(regular.until, grant) };
}

function regularOpening({ notBefore, notAfter, windows, timeZone }: Availability, now: number): Opening {
  const from = notBefore === undefined ? Number.NEGATIVE_INFINITY : readable('notBefore', notBefore);
  const to = notAfter === undefined ? Number.POSITIVE_INFINITY : readable('notAfter', notAfter);
  if (now >= to) return closed(undefined, 'notAfter has passed');
  const all = windows?.map((window) => readWindow(window.schedule, window.duration, timeZone));
  const begin = Math.max(now, from);
  const end = all ? endOfOpen(all, begin) : to;
  if (now >= from && end !== undefined) {
    const until = Math.min(end, to);
    return { open: true, until: until === Number.POSITIVE_INFINITY ? undefined : until };
  }
  const opensAt = end !== undefined ? begin : nextStart(all ?? [], begin);
  const late = opensAt === undefined || opensAt >= to;
  return closed(late ? undefined : opensAt, now < from ? 'notBefore lies ahead' : 'no window is open');
}

/**
 * When the windows open at `now` end, those that follow without a gap included; undefined when none is open. Never later
 * than the truth: beyond a number of windows and hours the end found is given, and the decision is made again then.
 */
function endOfOpen(windows: readonly Window[], now: number): number | undefined {
  let end = now;
  for (const { schedule, durationMs } of windows) {
    const start = schedule.previous(now);
    if (start !== undefined) end = Math.max(end, start + durationMs);
  }
  if (end === now) return undefined;
  let steps = 0;
  for (let before = now; before < end && end < now + sight; ) {
    before = end;
    for (const { schedule, durationMs } of windows) {
      if (steps++ === mostSteps) return end;
      const start = schedule.previous(end);
      if (start !== undefined) end = Math.max(end, start + durationMs);
    }
  }
  return end;
}

function nextStart(windows: readonly Window[], now: number): number | undefined {
  const starts = windows.map(({ schedule }) => schedule.next(now)).filter((start) => start !== undefined);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

function readWindow(schedule: string, duration: string, timeZone: string | undefined): Window {
  const key = `${timeZone ?? 'UTC'} ${schedule}`;
  let cron = parsed.get(key);
  if (!cron) {
    cron = cronSchedule(schedule, timeZone);
    parsed.set(key, cron);
  }
  return { schedule: cron, durationMs: durationOf(duration) };
}

/** `1h`, `90m`, `1h30m`; at most a year, so that looking back stays cheap. */
function durationOf(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };
  let total = 0;
  for (const [, count, unit = 's'] of text.matchAll(/(\d{1,9})([hms])/g)) total += Number(count) * (units[unit] ?? 0);
  return Math.min(total, 366 * 24 * 3_600_000);
}

function readable(member: string, text: string): number {
  const at = instant(text);
  if (Number.isNaN(at)) throw new Error(`${member} is no RFC 3339 time`);
  return at;
}

function instant(text: string): number {
  const parts = /^(\d{4}-\d{2}-(\d{2}))[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.exec(text);
  // Date.parse takes 30 February for 2 March.
  const exists = parts && new Date(`${parts[1]}T00:00:00Z`).getUTCDate() === Number(parts[2]);
  return exists ? Date.parse(text) : Number.NaN;
}

function closed(opensAt: number | undefined, reason: string): Opening {
  return { open: false, opensAt, reason };
}
