/** The longest wait. A server that asks for more has a wrong clock, or this machine has. */
const MAX_MS = 3_600_000;

/**
 * Milliseconds that a Retry-After header asks to wait (RFC 9110 section 10.2.3: seconds or an HTTP date), from 0 to one
 * hour; undefined when it is absent or unreadable. A date in the past gives 0.
 */
export function parseRetryAfter(header: string | string[] | undefined, now: number = Date.now()): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return boundedRetryMs(Number(value) * 1000);
  // Every form of an HTTP date starts with the name of a day; Date.parse alone would take far too much.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : boundedRetryMs(date - now);
}

/** Headers of an answer; names are in lower case. */
export type Headers = Readonly<Record<string, string>>;

/**
 * Milliseconds from `now` that Azure asks to wait, from 0 to one hour; undefined where it asks for no readable time. Reads
 * `retry-after-ms` and `x-ms-retry-after-ms` (milliseconds; the most precise, so first), then `Retry-After`.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const value = headers[name];
    if (value !== undefined && /^\s*\d{1,12}(\.\d+)?\s*$/.test(value)) return boundedRetryMs(Number(value));
  }
  return parseRetryAfter(headers['retry-after'], now);
}

/** A wait that a server asked for, in milliseconds, from 0 to one hour; no time at all for anything but a number. */
export function boundedRetryMs(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(Math.ceil(ms), 0), MAX_MS);
}
